// Pictures that are drawn and written while the window goes on.
#include "core/photographer.h"

#include "studio.h"

#include <QDialog>
#include <QFile>
#include <QFileInfo>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTimer>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <mutex>

namespace caprock::editor {
namespace {

// A door that somebody else opens.
class Door {
  public:
    void open() {
        std::lock_guard lock(guard_);
        is_open_ = true;
        changed_.notify_all();
    }
    // Whether it was opened, before it took far too long.
    bool wait() {
        std::unique_lock lock(guard_);
        return changed_.wait_for(lock, std::chrono::seconds(60), [this] { return is_open_; });
    }

  private:
    std::mutex guard_;
    std::condition_variable changed_;
    bool is_open_ = false;
};

QString fresh_picture(const char* name) { return QString::fromStdString(fresh_test_path(name)); }

Picture grey(Size size) { return {size, std::vector<uint8_t>(size_t(size.cells()) * 3, 100)}; }

TEST(Photographer, ThePictureIsOfTheMomentAtWhichItWasTaken) {
    Studio studio;
    MainWindow& window = studio.window();
    Grid grid;
    grid.extent = {0, 0, 200, 160};
    window.create_document(fresh_picture("photographed.caprock"), grid, "hills");
    studio.settle();
    for (const char* view : {"view.scene", "view.map"}) {
        studio.act(view);
        studio.settle();
        bool of_map = std::string(view) == "view.map";
        Shot shot = of_map ? window.map().shot() : window.scene().shot();
        // Larger than one piece each way.
        QSize size(1300, 1100);
        QString path = fresh_picture("moment.png");
        QSignalSpy taken(&window.photographer(), &Photographer::taken);
        window.save_picture(path, size);
        // What changes meanwhile is not seen.
        studio.act("brush.raise");
        QWidget* surface = of_map ? static_cast<QWidget*>(&window.map()) : &window.scene();
        QPointF middle(surface->width() / 2.0, surface->height() / 2.0);
        studio.drag(surface, line(middle, middle + QPointF(60, 10)));
        studio.settle();
        ASSERT_TRUE(QTest::qWaitFor([&] { return taken.count() == 1; }, 60000));
        QImage written = QImage(path).convertToFormat(QImage::Format_RGB32);
        EXPECT_EQ(written.size(), size);
        EXPECT_TRUE(written == picture_of(shot, {size.width(), size.height()})) << view;
        EXPECT_FALSE(written == picture_of(of_map ? window.map().shot() : window.scene().shot(),
                                           {size.width(), size.height()}))
            << view;
    }
    EXPECT_TRUE(studio.failures().isEmpty());
}

TEST(Photographer, NoNameIsProposedThatIsTaken) {
    Studio studio;
    MainWindow& window = studio.window();
    Grid grid;
    grid.extent = {0, 0, 64, 64};
    QString document = fresh_picture("proposed.caprock");
    window.create_document(document, grid, "hills");
    studio.settle();
    QString stem = QString(document).chopped(int(strlen(".caprock")));
    auto proposed = [&] {
        QString name;
        QTimer::singleShot(50, &window, [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            ASSERT_TRUE(dialog);
            name = dialog->findChild<QLineEdit*>("screenshot.path")->text();
            dialog->reject();
        });
        studio.act("file.picture");
        return name;
    };
    // A heightmap that was exported may have the document's own name.
    EXPECT_EQ(proposed(), stem + "-view.png");
    window.save_picture(stem + "-view.png", {40, 30});
    EXPECT_EQ(proposed(), stem + "-view-2.png");
    studio.settle();
    EXPECT_EQ(proposed(), stem + "-view-2.png");
    QFile::remove(stem + "-view.png");
}

TEST(Photographer, IsAskedAndGoesOnByItself) {
    Photographer photographer;
    QSignalSpy taken(&photographer, &Photographer::taken), rested(&photographer, &Photographer::rested);
    Door door;
    std::atomic<bool> opened = false;
    auto shot = [&](Size size, Progress&) {
        opened = door.wait();
        return grey(size);
    };
    QString first = fresh_picture("first.png"), second = fresh_picture("second.png");
    photographer.take(shot, {20, 10}, first);
    photographer.take(shot, {30, 10}, second);
    // It has come back, though nothing can be drawn yet.
    EXPECT_TRUE(photographer.busy());
    EXPECT_FALSE(QFileInfo::exists(first));
    EXPECT_TRUE(photographer.will_write(second));
    EXPECT_FALSE(photographer.will_write(second + "-"));
    door.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return taken.count() == 2; }, 60000));
    EXPECT_TRUE(opened);
    EXPECT_EQ(taken[0][0].toString(), first);
    EXPECT_EQ(QImage(first).size(), QSize(20, 10));
    EXPECT_EQ(QImage(second).size(), QSize(30, 10));
    EXPECT_FALSE(photographer.busy());
    EXPECT_EQ(rested.count(), 2);
}

TEST(Photographer, WhatIsStoppedLeavesNoFile) {
    Photographer photographer;
    QSignalSpy stopped(&photographer, &Photographer::stopped), taken(&photographer, &Photographer::taken);
    Door begun, door;
    QString path = fresh_picture("stopped.png");
    photographer.take(
        [&](Size size, Progress& progress) {
            begun.open();
            door.wait();
            progress.expect(1);
            progress.advance(1);
            return grey(size);
        },
        {20, 10}, path);
    ASSERT_TRUE(begun.wait());
    photographer.cancel();
    door.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return stopped.count() == 1; }, 60000));
    EXPECT_EQ(taken.count(), 0);
    EXPECT_FALSE(QFileInfo::exists(path));
    // The next one is not stopped with it.
    photographer.take([](Size size, Progress&) { return grey(size); }, {20, 10}, path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return taken.count() == 1; }, 60000));
}

TEST(Photographer, SaysWhyThereIsNoPicture) {
    Photographer photographer;
    QSignalSpy failed(&photographer, &Photographer::failed);
    photographer.take([](Size size, Progress&) { return grey(size); }, {20, 10},
                      QString::fromStdString(test_path("no such folder/picture.png")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1; }, 60000));
    EXPECT_TRUE(failed[0][0].toString().contains("picture.png")) << failed[0][0].toString().toStdString();
    photographer.take([](Size, Progress&) -> Picture { throw Error("no paint"); }, {20, 10},
                      fresh_picture("none.png"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 2; }, 60000));
    EXPECT_EQ(failed[1][0].toString(), "no paint");
}

TEST(Photographer, WhatWasAskedForIsWrittenBeforeTheEnd) {
    QString path = fresh_picture("last.png");
    {
        Photographer photographer;
        photographer.take([](Size size, Progress&) { return grey(size); }, {20, 10}, path);
    }
    EXPECT_EQ(QImage(path).size(), QSize(20, 10));
}

}  // namespace
}  // namespace caprock::editor
