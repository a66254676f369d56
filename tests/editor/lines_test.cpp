// Lines in the window: imported, seen in both views, listed, followed by layers, written and undone.
#include "document/commands.h"
#include "document/document_lines.h"
#include "formats/line_files.h"
#include "panels/lines_panel.h"
#include "studio.h"
#include "support/terrains.h"
#include "terrain/line_text.h"

#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QMimeData>
#include <QToolButton>
#include <QTreeWidget>

namespace caprock::editor {
namespace {

class LinesInTheWindow : public testing::Test {
  protected:
    std::string file = test_path("ways.geojson");
    const LineSet ways = parse_lines("100,200 900,700; 300,100 300,800 600,820");
    Studio studio;
    MainWindow& window = studio.window();
    LinesPanel* panel = window.findChild<LinesPanel*>();
    QTreeWidget* list = window.findChild<QTreeWidget*>("lines_list");

    void SetUp() override {
        Grid grid{Rect::of({128, 120}), 8, {0, 300}};
        std::filesystem::remove(file);
        write_lines({{"ways", ways}}, Terrain(grid), file);
        window.create_document(QString::fromStdString(fresh_test_path("lines.caprock")), grid, "");
        studio.settle();
        ASSERT_TRUE(window.document()) << studio.failures().join("; ").toStdString();
        window.findChild<QDockWidget*>("dock-lines")->show();
    }
    void import() {
        panel->import_file(QString::fromStdString(file));
        studio.settle();
    }
    QImage map() { return picture_of(window.map().shot(), {600, 500}); }
    QImage scene() { return picture_of(window.scene().shot(), {600, 500}); }
};

TEST_F(LinesInTheWindow, AreImportedSeenAndUndone) {
    EXPECT_FALSE(window.actions().find("file.export-lines")->isEnabled());
    const QImage bare_map = map(), bare_scene = scene();
    import();
    ASSERT_EQ(list->topLevelItemCount(), 1);
    EXPECT_EQ(list->topLevelItem(0)->text(0), "ways");
    EXPECT_EQ(list->topLevelItem(0)->text(1), "2");
    ASSERT_TRUE(find_lines(studio.state(), "ways"));
    EXPECT_EQ(*find_lines(studio.state(), "ways"), ways);
    EXPECT_NE(map(), bare_map);
    EXPECT_NE(scene(), bare_scene);
    studio.act("view.lines");
    EXPECT_EQ(map(), bare_map);
    EXPECT_EQ(scene(), bare_scene);
    studio.act("view.lines");
    EXPECT_NE(map(), bare_map);
    studio.act("edit.undo");
    studio.settle();
    EXPECT_EQ(list->topLevelItemCount(), 0);
    EXPECT_EQ(map(), bare_map);
    studio.act("edit.redo");
    studio.settle();
    list->setCurrentItem(list->topLevelItem(0));
    window.findChild<QToolButton*>("lines_remove")->click();
    studio.settle();
    EXPECT_TRUE(studio.state().lines.empty());
    EXPECT_EQ(list->topLevelItemCount(), 0);
    EXPECT_TRUE(studio.failures().isEmpty()) << studio.failures().join("; ").toStdString();
}

TEST_F(LinesInTheWindow, AFileThatIsDroppedIsImported) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(file))});
    QDropEvent event({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    static_cast<QObject&>(window).event(&event);
    studio.settle();
    EXPECT_TRUE(find_lines(studio.state(), "ways"));
}

TEST_F(LinesInTheWindow, LayersTakeAndMakeThem) {
    import();
    const uint64_t level = studio.shown();
    window.actions().find("add.road")->trigger();
    studio.settle();
    auto* path = window.findChild<QComboBox*>("path.combo");
    ASSERT_TRUE(path);
    EXPECT_GE(path->findText("@ways"), 0) << "lines of the document are offered";
    const int layer = window.selection().layer();
    window.workshop().change("road", [layer](Document& document, RunContext&) {
        set_layer(document, layer, {{"path", "@ways"}, {"depth", "5"}, {"lines", "built"}});
    });
    studio.settle();
    EXPECT_NE(studio.shown(), level);
    ASSERT_EQ(list->topLevelItemCount(), 2);
    EXPECT_EQ(list->topLevelItem(1)->text(0), "built");
    // What a layer makes is not taken away here.
    list->setCurrentItem(list->topLevelItem(1));
    EXPECT_FALSE(window.findChild<QToolButton*>("lines_remove")->isEnabled());
    const std::string written = test_path("both.gpkg");
    std::filesystem::remove(written);
    panel->export_file(QString::fromStdString(written));
    studio.settle();
    EXPECT_EQ(line_layers(written), (std::vector<std::string>{"ways", "built"}));
    EXPECT_EQ(read_line_file(written, "ways").lines, ways);
    EXPECT_TRUE(studio.failures().isEmpty()) << studio.failures().join("; ").toStdString();
}

TEST_F(LinesInTheWindow, WhatCannotBeReadIsToldAndNothingIsChanged) {
    const size_t steps = window.document()->history.size();
    panel->import_file(QString::fromStdString(test_path("nothing.gpkg")));
    studio.settle();
    ASSERT_EQ(studio.failures().size(), 1);
    EXPECT_TRUE(studio.failures()[0].contains("nothing.gpkg")) << studio.failures()[0].toStdString();
    EXPECT_EQ(window.document()->history.size(), steps);
}

}  // namespace
}  // namespace caprock::editor
