#include "dialogs/tour.h"

#include "dialogs/screenshot_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct TouredWindow {
    QMainWindow window;
    QWidget* part = new QWidget(&window);
    Tour tour{&window,
              {{"part", "A part", "This is a part. It does something."},
               {"nowhere", "Nothing", "There is no such thing. The bubble is in the middle."},
               {"", "The end", "That was all. Have fun."}}};

    TouredWindow() {
        part->setObjectName("part");
        part->setGeometry(20, 60, 200, 300);
        window.resize(1000, 700);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
        tour.start();
    }
    QString words(const char* name) { return tour.findChild<QLabel*>(name)->text(); }
    QRect bubble() { return tour.findChild<QWidget*>("tour.bubble")->geometry(); }
};

TEST(Tour, GoesThroughItsStepsByMouseAndKeys) {
    TouredWindow toured;
    QSignalSpy finished(&toured.tour, &Tour::finished);
    EXPECT_TRUE(toured.tour.isVisible());
    EXPECT_EQ(toured.words("tour.title"), "A part");
    EXPECT_EQ(toured.words("tour.count"), "1 of 3");
    EXPECT_FALSE(toured.tour.findChild<QPushButton*>("tour.back")->isEnabled());
    QTest::mouseClick(toured.tour.findChild<QPushButton*>("tour.next"), Qt::LeftButton);
    EXPECT_EQ(toured.tour.step(), 1);
    QTest::keyClick(&toured.tour, Qt::Key_Left);
    EXPECT_EQ(toured.tour.step(), 0);
    QTest::keyClick(&toured.tour, Qt::Key_Right);
    QTest::keyClick(&toured.tour, Qt::Key_Return);
    EXPECT_EQ(toured.words("tour.count"), "3 of 3");
    EXPECT_EQ(toured.tour.findChild<QPushButton*>("tour.next")->text(), "Done");
    QTest::keyClick(&toured.tour, Qt::Key_Return);
    ASSERT_EQ(finished.count(), 1);
    EXPECT_TRUE(finished[0][0].toBool());
    EXPECT_FALSE(toured.tour.isVisible());
}

TEST(Tour, LeavesOnePartUndimmedAndTheBubbleBesideIt) {
    TouredWindow toured;
    EXPECT_TRUE(toured.tour.hole().contains(QRect(20, 60, 200, 300)));
    EXPECT_FALSE(toured.bubble().intersects(toured.tour.hole()));
    EXPECT_TRUE(toured.window.rect().contains(toured.bubble()));
    toured.tour.next();
    EXPECT_TRUE(toured.tour.hole().isEmpty());
    EXPECT_LT((toured.bubble().center() - toured.window.rect().center()).manhattanLength(), 10);
}

TEST(Tour, FollowsTheWindow) {
    TouredWindow toured;
    toured.part->setGeometry(600, 60, 180, 200);
    toured.window.resize(800, 500);
    QTest::qWait(50);
    EXPECT_EQ(toured.tour.size(), QSize(800, 500));
    EXPECT_TRUE(toured.tour.hole().contains(QRect(600, 60, 180, 200)));
    EXPECT_FALSE(toured.bubble().intersects(toured.tour.hole()));
    EXPECT_TRUE(toured.window.rect().contains(toured.bubble()));
}

TEST(Tour, CanBeSkipped) {
    TouredWindow toured;
    QSignalSpy finished(&toured.tour, &Tour::finished);
    QTest::keyClick(&toured.tour, Qt::Key_Escape);
    ASSERT_EQ(finished.count(), 1);
    EXPECT_FALSE(finished[0][0].toBool());
}

TEST(ScreenshotDialog, GivesSizeAndName) {
    QString folder = QDir::tempPath();
    ScreenshotDialog dialog({1200, 700}, folder + "/view", nullptr);
    dialog.show();
    auto* size = dialog.findChild<QComboBox*>("screenshot.size");
    size->setCurrentIndex(0);
    EXPECT_EQ(dialog.picture_size(), QSize(1200, 700));
    EXPECT_EQ(dialog.picture_path(), folder + "/view.png");
    size->setCurrentIndex(2);
    EXPECT_EQ(dialog.picture_size(), QSize(3840, 2160));
    size->setCurrentIndex(3);
    auto* width = dialog.findChild<QSpinBox*>("screenshot.width");
    EXPECT_TRUE(width->isVisible());
    width->setValue(9000);
    dialog.findChild<QSpinBox*>("screenshot.height")->setValue(4000);
    EXPECT_EQ(dialog.picture_size(), QSize(8192, 4000));

    auto* path = dialog.findChild<QLineEdit*>("screenshot.path");
    auto* take = dialog.findChild<QPushButton*>("screenshot.take");
    path->setText("/no/such/folder/view.png");
    EXPECT_FALSE(take->isEnabled());
    EXPECT_TRUE(dialog.findChild<QLabel*>("screenshot.message")->text().contains("/no/such/folder"));
    path->setText(folder + "/view.png");
    QTest::mouseClick(take, Qt::LeftButton);
    EXPECT_EQ(dialog.result(), QDialog::Accepted);
}

}  // namespace
}  // namespace caprock::editor
