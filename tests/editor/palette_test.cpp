#include "dialogs/command_palette.h"
#include "dialogs/fuzzy_match.h"

#include <QAction>
#include <QLineEdit>
#include <QListWidget>
#include <QMainWindow>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

TEST(FuzzyMatch, FindsLettersInTheirOrder) {
    EXPECT_TRUE(fuzzy_match("Duplicate layer", "dpl").found);
    EXPECT_TRUE(fuzzy_match("Duplicate layer", "DUP LAY").found);
    EXPECT_FALSE(fuzzy_match("Duplicate layer", "layd").found);
    EXPECT_FALSE(fuzzy_match("Undo", "undone").found);
    EXPECT_TRUE(fuzzy_match("anything", "").found);
    // Where they stand: the beginnings of words before letters inside them.
    EXPECT_EQ(fuzzy_match("Add layer: thermal-erosion", "te").places, (std::vector<int>{11, 19}));
    EXPECT_EQ(fuzzy_match("Duplicate layer", "layer").places, (std::vector<int>{10, 11, 12, 13, 14}));
}

TEST(FuzzyMatch, WholeWordsAndBeginningsCountForMore) {
    auto score = [](const char* text, const char* letters) { return fuzzy_match(text, letters).score; };
    EXPECT_GT(score("Undo", "undo"), score("Unlock all documents", "undo"));
    EXPECT_GT(score("Export", "exp"), score("Hide explanation", "exp"));
    EXPECT_GT(score("Take brush: raise", "tbr"), score("Turn back forever", "tbr"));
    EXPECT_GT(score("Save", "save"), score("Save as a copy elsewhere", "save"));
}

struct PaletteWindow {
    QMainWindow window;
    Actions actions{&window};
    QStringList done;
    CommandPalette palette{actions, &window};
    QLineEdit* line = palette.findChild<QLineEdit*>("palette.line");
    QListWidget* list = palette.findChild<QListWidget*>("palette.list");

    PaletteWindow() {
        QSettings().remove("palette");
        for (auto [name, menu, title] : {std::tuple{"edit.undo", "Edit", "&Undo"},
                                         {"layer.duplicate", "Layer", "&Duplicate layer"},
                                         {"layer.group", "Layer/Arrange", "Group layers"},
                                         {"file.export", "File", "Export…"}})
            actions.add(name, menu, title, {}, "Help.", [this, name = name] { done << name; });
        actions.set_key("edit.undo", QKeySequence("Ctrl+Z"));
        window.resize(1000, 700);
        window.show();
        (void)QTest::qWaitForWindowExposed(&window);
    }
    QStringList titles() const {
        QStringList titles;
        for (int row = 0; row < list->count(); row++) titles << list->item(row)->text();
        return titles;
    }
};

TEST(CommandPalette, RunsWhatAFewLettersMean) {
    PaletteWindow all;
    all.palette.open();
    EXPECT_TRUE(all.palette.is_open());
    EXPECT_EQ(all.list->count(), 4);
    QTest::keyClicks(all.line, "dup");
    EXPECT_EQ(all.titles().front(), "Duplicate layer");
    QTest::keyClick(all.line, Qt::Key_Return);
    EXPECT_EQ(all.done, QStringList{"layer.duplicate"});
    EXPECT_FALSE(all.palette.is_open());

    // What was used comes first the next time.
    all.palette.open();
    EXPECT_EQ(all.titles().front(), "Duplicate layer");
    QTest::keyClick(all.line, Qt::Key_Escape);
    EXPECT_FALSE(all.palette.is_open());
}

TEST(CommandPalette, SearchesMenusAndKeysToo) {
    PaletteWindow all;
    all.palette.open("arrange");
    EXPECT_EQ(all.titles(), QStringList{"Group layers"});
    all.palette.open("ctrl+z");
    EXPECT_EQ(all.titles(), QStringList{"Undo"});
    all.palette.open("zzzz");
    EXPECT_EQ(all.list->count(), 0);
    EXPECT_TRUE(all.palette.findChild<QWidget*>("palette.nothing")->isVisible());
    QTest::keyClick(all.line, Qt::Key_Return);
    EXPECT_TRUE(all.done.isEmpty());
}

TEST(CommandPalette, ArrowsGoThroughTheListAndAround) {
    PaletteWindow all;
    all.palette.open();
    EXPECT_EQ(all.list->currentRow(), 0);
    QTest::keyClick(all.line, Qt::Key_Down);
    QTest::keyClick(all.line, Qt::Key_Down);
    EXPECT_EQ(all.list->currentRow(), 2);
    QTest::keyClick(all.line, Qt::Key_Up);
    QTest::keyClick(all.line, Qt::Key_Up);
    QTest::keyClick(all.line, Qt::Key_Up);
    EXPECT_EQ(all.list->currentRow(), 3);
}

TEST(CommandPalette, WhatCannotBeDoneSaysWhy) {
    PaletteWindow all;
    QAction* group = all.actions.find("layer.group");
    group->setEnabled(false);
    group->setProperty("reason", "No layer is chosen.");
    all.palette.open("group");
    EXPECT_TRUE(all.list->item(0)->toolTip().contains("No layer is chosen."));
    QTest::keyClick(all.line, Qt::Key_Return);
    EXPECT_TRUE(all.done.isEmpty());
    EXPECT_TRUE(all.palette.is_open());
}

TEST(CommandPalette, TakesOtherEntries) {
    PaletteWindow all;
    int asked = 0;
    all.palette.set_extras([&] {
        asked++;
        return std::vector<PaletteEntry>{
            {.name = "add:thermal-erosion",
             .title = "Add layer: thermal-erosion",
             .place = "Erosion",
             .run = [&] { all.done << "thermal"; }},
            {.name = "brush:raise", .title = "Take brush: raise", .place = "Brushes", .run = [&] {
                 all.done << "raise";
             }}};
    });
    all.palette.open();
    EXPECT_EQ(asked, 1);
    QTest::keyClicks(all.line, "tbr");
    QTest::keyClick(all.line, Qt::Key_Enter);
    EXPECT_EQ(all.done, QStringList{"raise"});
    all.palette.open("erosion");
    QTest::mouseClick(all.list->viewport(), Qt::LeftButton, {},
                      all.list->visualItemRect(all.list->item(0)).center());
    EXPECT_EQ(all.done, (QStringList{"raise", "thermal"}));
}

TEST(CommandPalette, StaysInsideSmallWindows) {
    PaletteWindow all;
    all.palette.open();
    for (QSize size : {QSize(1000, 700), QSize(420, 400)}) {
        all.window.resize(size);
        QCoreApplication::processEvents();
        EXPECT_TRUE(all.window.rect().contains(QRect(all.palette.pos(), QSize(all.palette.width(), 1))));
    }
}

}  // namespace
}  // namespace caprock::editor
