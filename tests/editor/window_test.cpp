#include "studio.h"

#include <QComboBox>
#include <QDockWidget>
#include <QSettings>
#include <QSlider>
#include <QToolBar>
#include <cmath>
#include <map>

namespace caprock::editor {
namespace {

void make_hills(Studio& studio, const char* name, int side) {
    Grid grid;
    grid.extent = {0, 0, side, side};
    studio.window().create_document(QString::fromStdString(fresh_test_path(name)), grid, "hills");
    studio.settle();
}

TEST(Window, FitsASmallScreen) {
    Studio studio;
    studio.window().resize(1280, 720);
    QTest::qWait(50);
    EXPECT_LE(studio.window().minimumSizeHint().width(), 1280);
    EXPECT_LE(studio.window().minimumSizeHint().height(), 720);
    EXPECT_EQ(studio.window().size(), QSize(1280, 720));
}

TEST(Window, EveryActionHasATooltipAndNoTwoHaveOneKey) {
    Studio studio;
    std::map<QString, QString> keys;
    for (const Actions::Entry& entry : studio.window().actions().all()) {
        EXPECT_FALSE(entry.action->property("help").toString().isEmpty()) << entry.name.toStdString();
        QString key = entry.action->shortcut().toString();
        if (!key.isEmpty()) {
            EXPECT_FALSE(key.contains("  "));
            EXPECT_TRUE(keys.emplace(key, entry.name).second)
                << key.toStdString() << ": " << entry.name.toStdString() << " and "
                << keys[key].toStdString();
            EXPECT_TRUE(
                entry.action->toolTip().contains(
                    entry.action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped()) ||
                entry.action->toolTip().contains(entry.action->shortcut().toString(QKeySequence::NativeText)))
                << entry.name.toStdString();
        }
    }
    EXPECT_GT(studio.window().actions().all().size(), 80u);
}

// What a way of blending is called does not depend on where one reads it.
TEST(Window, ModesHaveOneNameInEveryPanel) {
    Studio studio;
    make_hills(studio, "modes.caprock", 64);
    std::map<QString, QString> names;
    int lists = 0;
    for (auto* list : studio.window().findChildren<QComboBox*>()) {
        if (list->findData("smooth-min") < 0) continue;
        lists++;
        for (int i = 0; i < list->count(); i++) {
            QString& name = names[list->itemData(i).toString()];
            if (name.isEmpty()) name = list->itemText(i);
            EXPECT_EQ(list->itemText(i), name) << list->objectName().toStdString();
        }
    }
    EXPECT_GE(lists, 2);
    EXPECT_EQ(names["lerp"], "Mix");
}

// Who opens a document looks at the side on which the sun shines.
TEST(Window, TheSunStandsBehindWhoLooks) {
    Studio studio;
    make_hills(studio, "sun.caprock", 64);
    double behind = studio.window().scene().camera().heading + 180;
    double beside = std::remainder(studio.window().look().settings().sun.azimuth - behind, 360);
    EXPECT_LT(std::abs(beside), 70);
    // But not right behind: without shadows there is no form.
    EXPECT_GT(std::abs(beside), 20);
}

// Whoever presses Ctrl+Z and Ctrl+Y quickly is ahead of the document, and no key is lost.
TEST(Window, WhatIsBeingUndoneCanBeRedone) {
    Studio studio;
    make_hills(studio, "quick.caprock", 64);
    MainWindow& window = studio.window();
    int64_t position = window.document()->position;
    ASSERT_GT(position, 0);
    for (int i = 0; i < 10; i++) {
        studio.act("edit.undo");
        studio.act("edit.redo");
    }
    studio.settle();
    EXPECT_EQ(window.document()->position, position);
    EXPECT_FALSE(window.actions().find("edit.redo")->isEnabled());
    for (int64_t i = 0; i < position; i++) studio.act("edit.undo");
    studio.settle();
    EXPECT_EQ(window.document()->position, 0);
    EXPECT_FALSE(window.actions().find("edit.undo")->isEnabled());
    EXPECT_TRUE(window.actions().find("edit.redo")->isEnabled());
}

TEST(Window, KeysThatFlyDoNothingElse) {
    Studio studio;
    make_hills(studio, "flying.caprock", 64);
    MainWindow& window = studio.window();
    for (const Actions::Entry& entry : window.actions().all())
        for (const QKeySequence& keys : entry.action->shortcuts())
            if (!keys.isEmpty()) {
                QString first = QKeySequence(keys[0]).toString();
                EXPECT_FALSE(QStringList({"W", "A", "S", "D", "Q", "E"}).contains(first))
                    << entry.name.toStdString();
            }
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    window.scene().setFocus();
    double height = window.scene().camera().position.z;
    QTest::keyPress(&window.scene(), Qt::Key_Q);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.scene().camera().position.z < height; }, 20000));
    QTest::keyRelease(&window.scene(), Qt::Key_Q);
}

TEST(Window, KeysChangeTheBrushAndTheView) {
    Studio studio;
    MainWindow& window = studio.window();
    make_hills(studio, "keys.caprock", 200);
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    double radius = window.brushes().brush().settings.radius;
    window.scene().setFocus();
    QTest::keyClick(&window.scene(), Qt::Key_BracketRight);
    EXPECT_GT(window.brushes().brush().settings.radius, radius);
    QTest::keyClick(&window.scene(), Qt::Key_BracketLeft);
    EXPECT_NEAR(window.brushes().brush().settings.radius, radius, 1e-9 * radius);
    QTest::keyClick(&window.scene(), Qt::Key_M);
    EXPECT_TRUE(window.map().isVisible());
    EXPECT_FALSE(window.scene().isVisible());
    QTest::keyClick(&window.map(), Qt::Key_M);
    EXPECT_TRUE(window.scene().isVisible());
    // The light follows the hand while L is down.
    Sun sun = window.look().settings().sun;
    QTest::keyPress(&window.scene(), Qt::Key_L);
    studio.drag(&window.scene(), line({200, 200}, {260, 170}));
    QTest::keyRelease(&window.scene(), Qt::Key_L);
    EXPECT_NEAR(window.look().settings().sun.azimuth, std::fmod(sun.azimuth + 60 * 0.4 + 360, 360), 1);
    EXPECT_NEAR(window.look().settings().sun.elevation, sun.elevation + 30 * 0.4, 1);
    // Also where the keyboard is still with a slider that was moved before; and nothing is painted.
    int64_t position = window.document()->position;
    sun = window.look().settings().sun;
    auto* opacity = window.findChild<QSlider*>("layer_opacity");
    ASSERT_TRUE(opacity);
    opacity->setFocus();
    QTest::keyPress(opacity, Qt::Key_L);
    studio.drag(&window.scene(), line({260, 170}, {200, 200}));
    QTest::keyRelease(&window.scene(), Qt::Key_L);
    EXPECT_NEAR(window.look().settings().sun.elevation, sun.elevation - 30 * 0.4, 1);
    studio.settle();
    EXPECT_EQ(window.document()->position, position);
    // Released, it paints again.
    studio.drag(&window.scene(), line({400, 400}, {440, 400}));
    studio.settle();
    EXPECT_GT(window.document()->position, position);
    window.workshop().go_to(position);
    studio.settle();
    // Shift and drag sizes the brush, and paints nothing.
    position = window.document()->position;
    QTest::mousePress(&window.scene(), Qt::LeftButton, Qt::ShiftModifier, QPoint(200, 200));
    QMouseEvent move(QEvent::MouseMove, QPointF(270, 200), window.scene().mapToGlobal(QPointF(270, 200)),
                     Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
    QApplication::sendEvent(&window.scene(), &move);
    QTest::mouseRelease(&window.scene(), Qt::LeftButton, Qt::ShiftModifier, QPoint(270, 200));
    EXPECT_NEAR(window.brushes().brush().settings.radius, radius * std::pow(1.01, 70), radius * 0.05);
    studio.settle();
    EXPECT_EQ(window.document()->position, position);
}

// Thumbnails are computed too, after everything else.
TEST(Window, WhatIsDoneIsNotShownAsWork) {
    Studio studio;
    Grid grid;
    grid.extent = {0, 0, 129, 129};
    grid.cell = 1;
    studio.window().create_document(QString::fromStdString(fresh_test_path("done.caprock")), grid, "mesa");
    studio.settle();
    auto* bar = studio.window().findChild<QWidget*>("work-bar");
    ASSERT_TRUE(bar);
    // Longer than work is waited for before it is shown.
    QTest::qWait(600);
    EXPECT_FALSE(bar->isVisible());
}

// What a simulation below has made is there already: painting on it, and taking that back, is not shown roughly first.
TEST(Window, PaintingOnASimulationStaysSharp) {
    Studio studio;
    MainWindow& window = studio.window();
    Grid grid;
    grid.extent = {0, 0, 1100, 1100};
    grid.cell = 8;
    window.create_document(QString::fromStdString(fresh_test_path("sharp.caprock")), grid, "hills");
    studio.settle();
    studio.act("add.thermal-erosion");
    studio.settle();
    studio.act("view.map");
    bool rough = false;
    QObject::connect(&window.composer(), &Composer::composed, &window,
                     [&](const ComposedPointer& piece) { rough |= piece->coarse; });
    studio.act("brush.raise");
    studio.drag(&window.map(), line(QPointF(300, 300), QPointF(360, 330)));
    studio.settle();
    studio.act("edit.undo");
    studio.settle();
    EXPECT_FALSE(rough);
    // Another simulation is, long before it is done.
    studio.act("add.hydraulic-erosion");
    EXPECT_TRUE(QTest::qWaitFor([&] { return rough; }, 120000));
}

TEST(Window, ASecondOneMayOnlyLook) {
    std::string path = fresh_test_path("second.caprock");
    Studio first;
    Grid grid;
    grid.extent = {0, 0, 128, 128};
    first.window().create_document(QString::fromStdString(path), grid, "hills");
    first.settle();
    Studio second;
    second.window().open_file(QString::fromStdString(path));
    second.settle();
    ASSERT_TRUE(second.window().document());
    EXPECT_TRUE(second.window().document()->read_only);
    EXPECT_EQ(second.shown(), first.shown());
    EXPECT_FALSE(second.window().actions().find("layer.paint")->isEnabled());
}

TEST(Window, RemembersItsLayout) {
    QSettings().remove("window");
    {
        Studio studio;
        studio.window().findChild<QDockWidget*>("dock-history")->hide();
        studio.act("view.both");
        studio.window().resize(1100, 700);
        studio.close();
    }
    Studio again;
    EXPECT_TRUE(again.window().findChild<QDockWidget*>("dock-history")->isHidden());
    EXPECT_EQ(again.window().actions().find("view.both")->isChecked(), true);
    QSettings().remove("window");
}

}  // namespace
}  // namespace caprock::editor
