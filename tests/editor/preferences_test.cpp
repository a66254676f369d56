#include "dialogs/preferences.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>
#include <QTreeWidget>
#include <chrono>
#include <future>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct PreferencesWindow {
    QMainWindow window;
    Actions actions{&window};
    std::unique_ptr<Preferences> page;

    PreferencesWindow() {
        QSettings().clear();
        actions.add("edit.undo", "Edit", "&Undo", QKeySequence("Ctrl+Z"), "Takes the last change back.",
                    [] {});
        actions.add("layer.duplicate", "Layer", "&Duplicate layer", QKeySequence("Ctrl+J"), "Another one.",
                    [] {});
        actions.add("view.grid", "View", "&Grid", {}, "Lines.", [] {});
        page = std::make_unique<Preferences>(actions);
        page->show();
    }
    ~PreferencesWindow() {
        QSettings().clear();
        apply_theme(ThemeKind::dark);
    }
    template <typename Widget>
    Widget* find(const char* name) {
        auto* found = page->findChild<Widget*>(name);
        EXPECT_TRUE(found) << name;
        return found;
    }
    QTreeWidgetItem* row(const QString& title) {
        return find<QTreeWidget>("keys.list")->findItems(title, Qt::MatchExactly).value(0);
    }
};

TEST(Preferences, HaveSensibleValuesBeforeAnythingIsChosen) {
    QSettings().clear();
    EXPECT_EQ(theme_setting(), ThemeKind::dark);
    EXPECT_TRUE(tour_setting());
    EXPECT_TRUE(thumbnail_setting());
    EXPECT_EQ(memory_setting(), 0u);
    EXPECT_EQ(device_setting(), "auto");
    EXPECT_EQ(navigation_setting(), NavigationStyle::caprock);
    EXPECT_EQ(pen_setting(), PenSettings());
}

TEST(Preferences, GeneralPageHoldsAtOnce) {
    PreferencesWindow all;
    QSignalSpy changed(all.page.get(), &Preferences::changed);
    all.find<QComboBox>("general.theme")->setCurrentIndex(1);
    EXPECT_EQ(theme_setting(), ThemeKind::light);
    EXPECT_EQ(current_theme(), ThemeKind::light);
    all.find<QCheckBox>("general.tour")->setChecked(false);
    EXPECT_FALSE(tour_setting());
    all.find<QCheckBox>("general.thumbnail")->setChecked(false);
    EXPECT_FALSE(thumbnail_setting());
    all.find<QSpinBox>("general.memory")->setValue(512);
    EXPECT_EQ(memory_setting(), uint64_t(512) << 20);
    EXPECT_EQ(changed.count(), 4);
}

TEST(Preferences, ListsDevicesWithoutMakingAnybodyWait) {
    PreferencesWindow all;
    QSignalSpy listed(all.page.get(), &Preferences::devices_listed);
    all.page->show_page("devices");
    ASSERT_TRUE(listed.count() > 0 || listed.wait(30000));
    EXPECT_TRUE(all.find<QRadioButton>("devices.auto")->isChecked());
    QSignalSpy changed(all.page.get(), &Preferences::changed);
    all.find<QRadioButton>("devices.cpu")->click();
    EXPECT_EQ(device_setting(), "cpu");
    EXPECT_EQ(changed.count(), 1);
}

TEST(Preferences, WhoClosesThemDoesNotWaitForTheDrivers) {
    PreferencesWindow all;
    std::promise<void> closed;
    std::promise<bool> waited;
    auto slow_drivers = [&]() -> std::vector<DeviceDescription> {
        waited.set_value(closed.get_future().wait_for(std::chrono::seconds(60)) == std::future_status::ready);
        return {};
    };
    {
        Preferences page(all.actions, nullptr, slow_drivers);
        page.show();
        QTest::qWait(10);
    }
    closed.set_value();
    EXPECT_TRUE(waited.get_future().get()) << "the window waited until the drivers were awake";
}

TEST(Preferences, KeepsADeviceThatIsNotThereNow) {
    PreferencesWindow all;
    set_device_setting("Graphics 9000");
    Preferences again(all.actions);
    QSignalSpy listed(&again, &Preferences::devices_listed);
    again.show();
    ASSERT_TRUE(listed.wait(30000));
    auto* choice = again.findChild<QRadioButton*>("devices.Graphics 9000");
    ASSERT_TRUE(choice);
    EXPECT_TRUE(choice->isChecked());
}

TEST(Preferences, KeysAreRecordedAndTakenFromOthers) {
    PreferencesWindow all;
    all.page->show_page("keys");
    auto* list = all.find<QTreeWidget>("keys.list");
    ASSERT_EQ(list->topLevelItemCount(), 3);
    list->setCurrentItem(all.row("Grid"));
    EXPECT_FALSE(all.find<QPushButton>("keys.set")->isEnabled());
    auto* record = all.find<QKeySequenceEdit>("keys.record");
    QTest::keyClick(record, Qt::Key_J, Qt::ControlModifier);
    EXPECT_TRUE(all.find<QLabel>("keys.note")->text().contains("Duplicate layer"));
    QTest::mouseClick(all.find<QPushButton>("keys.set"), Qt::LeftButton);
    EXPECT_EQ(all.actions.find("view.grid")->shortcut(), QKeySequence("Ctrl+J"));
    EXPECT_TRUE(all.actions.find("layer.duplicate")->shortcut().isEmpty());
    EXPECT_EQ(all.row("Grid")->text(2), "Ctrl+J");
    EXPECT_TRUE(all.find<QLabel>("keys.note")->text().isEmpty());

    // Taken away, and the one it came with.
    list->setCurrentItem(all.row("Undo"));
    QTest::mouseClick(all.find<QPushButton>("keys.none"), Qt::LeftButton);
    EXPECT_TRUE(all.actions.find("edit.undo")->shortcut().isEmpty());
    QTest::mouseClick(all.find<QPushButton>("keys.usual"), Qt::LeftButton);
    EXPECT_EQ(all.actions.find("edit.undo")->shortcut(), QKeySequence("Ctrl+Z"));

    QTest::mouseClick(all.find<QPushButton>("keys.reset"), Qt::LeftButton);
    EXPECT_EQ(all.actions.find("layer.duplicate")->shortcut(), QKeySequence("Ctrl+J"));
    EXPECT_TRUE(all.actions.find("view.grid")->shortcut().isEmpty());
}

TEST(Preferences, KeysCanBeSearched) {
    PreferencesWindow all;
    QTest::keyClicks(all.find<QLineEdit>("keys.search"), "ctrl+z");
    EXPECT_FALSE(all.row("Undo")->isHidden());
    EXPECT_TRUE(all.row("Grid")->isHidden());
}

TEST(Preferences, NavigationShowsWhatTheHandDoes) {
    PreferencesWindow all;
    auto* style = all.find<QComboBox>("navigation.style");
    auto* moves = all.find<QTableWidget>("navigation.moves");
    auto does = [&](const QString& what) {
        for (int row = 0; row < moves->rowCount(); row++)
            if (moves->item(row, 0)->text() == what) return moves->item(row, 1)->text();
        return QString();
    };
    EXPECT_EQ(does("Left button"), "Paint");
    EXPECT_EQ(does("Right button"), "Move along");
    EXPECT_EQ(does("Alt + left button"), "Turn around the ground");
    style->setCurrentIndex(2);
    EXPECT_EQ(navigation_setting(), NavigationStyle::unreal);
    EXPECT_TRUE(does("Right button").startsWith("Look around"));
    style->setCurrentIndex(1);
    EXPECT_EQ(navigation_setting(), NavigationStyle::blender);
    EXPECT_EQ(does("Middle button"), "Turn around the ground");
}

TEST(Preferences, PenIsFeltAsChosen) {
    PreferencesWindow all;
    all.find<QSlider>("pen.firmness")->setValue(10);
    all.find<QSpinBox>("pen.least")->setValue(10);
    PenSettings pen = pen_setting();
    EXPECT_DOUBLE_EQ(pen.firmness, 2);
    EXPECT_DOUBLE_EQ(pen.least, 0.1);
    EXPECT_EQ(felt_pressure(pen, 0.05), 0);
    EXPECT_DOUBLE_EQ(felt_pressure(pen, 0.55), 0.25);
    EXPECT_DOUBLE_EQ(felt_pressure(pen, 1), 1);
    EXPECT_DOUBLE_EQ(felt_pressure(PenSettings(), 0.3), 0.3);
}

}  // namespace
}  // namespace caprock::editor
