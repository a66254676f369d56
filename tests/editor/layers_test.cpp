#include "document/document_text.h"
#include "editor/test_folder.h"
#include "panels/layers_panel.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>

namespace caprock::editor {
namespace {

// A document with three layers, and the panel that shows it.
struct Layers {
    Workshop workshop;
    Selection selection;
    LayersPanel panel{workshop, selection};
    DocumentViewPointer view;
    QStringList failures;

    explicit Layers(const std::string& name, bool empty = false) {
        QObject::connect(&workshop, &Workshop::changed, &panel, [this](const DocumentViewPointer& now) {
            view = now;
            panel.set_document(now);
        });
        QObject::connect(&workshop, &Workshop::failed, &panel,
                         [this](const QString& what) { failures << what; });
        std::filesystem::path path = test_folder() / (name + ".caprock");
        for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + ending);
        Grid grid;
        grid.extent = {0, 0, 96, 64};
        workshop.create(QString::fromStdString(path.string()), grid);
        panel.resize(280, 420);
        panel.show();
        settle();
        if (empty) return;
        for (const char* operation : {"noise", "smooth", "terrace"}) {
            panel.add_operation(operation);
            settle();
        }
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workshop.busy(); }, 60000));
        QCoreApplication::processEvents();
    }
    // From the top.
    QString names() const {
        QStringList names;
        auto walk = [&](auto&& self, const std::vector<Layer>& layers, const QString& before) -> void {
            for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
                names << before + QString::fromStdString(layer->name);
                self(self, layer->layers, before + ">");
            }
        };
        walk(walk, view->state().layers, "");
        return names.join(" ");
    }
    int id(const char* name) const {
        int found = 0;
        auto walk = [&](auto&& self, const std::vector<Layer>& layers) -> void {
            for (const Layer& layer : layers) {
                if (layer.name == name) found = layer.id;
                self(self, layer.layers);
            }
        };
        walk(walk, view->state().layers);
        return found;
    }
    const Layer& layer(const char* name) const { return layer_of(view->state(), id(name)); }
    LayerTreeView* tree() const { return panel.findChild<LayerTreeView*>("layer_tree"); }
    LayerTree* model() const { return static_cast<LayerTree*>(tree()->model()); }
    void click(const QModelIndex& index, const QPoint& at = {}, Qt::KeyboardModifiers keys = {}) {
        QRect row = tree()->visualRect(index);
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, keys,
                          at.isNull() ? row.center() : row.topLeft() + at);
        settle();
    }
};

TEST(LayersPanel, SaysHowToBeginWhereThereIsNothing) {
    Layers bench("layers-empty", true);
    auto* invitation = bench.panel.findChild<QLabel*>("layers_invitation");
    EXPECT_TRUE(invitation->isVisible());
    EXPECT_TRUE(invitation->text().contains("No layers yet"));
    EXPECT_TRUE(bench.panel.findChild<QToolButton*>("layer_add")->isEnabled());
    EXPECT_FALSE(bench.panel.findChild<QToolButton*>("layer_remove")->isEnabled());
    bench.panel.set_document(nullptr);
    EXPECT_FALSE(bench.panel.findChild<QToolButton*>("layer_add")->isEnabled());
    EXPECT_TRUE(invitation->text().contains("No document"));
}

TEST(LayersPanel, NewLayersComeOnTopAndAreChosen) {
    Layers bench("layers-new");
    EXPECT_EQ(bench.names().toStdString(), "Terrace Smooth Noise");
    EXPECT_EQ(bench.selection.layer(), bench.id("Terrace"));
    bench.selection.select(bench.id("Noise"));
    bench.panel.add_painted("height");
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Smooth Painted Noise");
    EXPECT_EQ(bench.selection.layer(), bench.id("Painted"));
    EXPECT_EQ(blend_mode(bench.layer("Painted")), "add");
    bench.panel.duplicate();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Smooth Painted copy Painted Noise");
}

TEST(LayersPanel, MenusHaveEveryOperationByItsRoom) {
    Layers bench("layers-menus");
    QMenu menu;
    bench.panel.fill_add_menu(&menu);
    int operations = 0;
    for (const std::string& name : operation_names())
        operations += menu.findChild<QAction*>(QString::fromStdString("add_" + name)) != nullptr;
    EXPECT_EQ(operations, int(operation_names().size()) - 1) << "all but blend";
    bench.selection.select(bench.id("Smooth"));
    menu.findChild<QAction*>("add_warp")->trigger();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Warp Smooth Noise");

    bench.panel.fill_mask_menu(&menu);
    EXPECT_FALSE(menu.findChild<QAction*>("mask_remove")->isEnabled());
    menu.findChild<QAction*>("mask_of_mask-slope")->trigger();
    bench.settle();
    EXPECT_EQ(bench.layer("Warp").mask.kind, LayerMask::Kind::generated);
    bench.panel.fill_mask_menu(&menu);
    menu.findChild<QAction*>("mask_invert")->trigger();
    bench.settle();
    EXPECT_TRUE(bench.layer("Warp").mask.inverted);
    bench.panel.remove_mask();
    bench.settle();
    EXPECT_EQ(bench.layer("Warp").mask.kind, LayerMask::Kind::none);
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(LayersPanel, SignsBesideANameDoWhatTheyShow) {
    Layers bench("layers-signs");
    int chosen = bench.selection.layer();
    bench.click(bench.model()->index_of(bench.id("Noise"), LayerTree::eye_column));
    EXPECT_FALSE(bench.layer("Noise").visible);
    EXPECT_EQ(bench.selection.layer(), chosen);
    bench.click(bench.model()->index_of(bench.id("Noise"), LayerTree::eye_column));
    EXPECT_TRUE(bench.layer("Noise").visible);
    bench.click(bench.model()->index_of(bench.id("Smooth"), LayerTree::lock_column));
    EXPECT_TRUE(bench.layer("Smooth").locked);
    bench.click(bench.model()->index_of(bench.id("Smooth"), LayerTree::lock_column));
    EXPECT_FALSE(bench.layer("Smooth").locked);

    // A click on the mask's picture takes the mask.
    bench.selection.select(bench.id("Smooth"));
    bench.panel.add_mask(1);
    bench.settle();
    QImage grey(48, 32, QImage::Format_Grayscale8);
    grey.fill(128);
    bench.panel.set_thumbnail(bench.id("Smooth"), grey, grey);
    QModelIndex row = bench.model()->index_of(bench.id("Smooth"));
    auto* delegate = static_cast<LayerTreeDelegate*>(bench.tree()->itemDelegate());
    QRect place = bench.tree()->visualRect(row);
    LayerTreeDelegate::Parts parts = delegate->parts(place, *bench.model()->node(row));
    bench.click(row, parts.mask.center() - place.topLeft());
    EXPECT_TRUE(bench.selection.mask());
    EXPECT_EQ(bench.selection.layer(), bench.id("Smooth"));
    bench.click(row, parts.content.center() - place.topLeft());
    EXPECT_FALSE(bench.selection.mask());
}

TEST(LayersPanel, ADoubleClickRenames) {
    Layers bench("layers-rename");
    QModelIndex row = bench.model()->index_of(bench.id("Smooth"));
    QPoint at = bench.tree()->visualRect(row).center();
    QTest::mouseClick(bench.tree()->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(bench.tree()->viewport(), Qt::LeftButton, {}, at);
    auto* editor = bench.panel.findChild<QLineEdit*>("layer_name");
    ASSERT_TRUE(editor);
    editor->selectAll();
    QTest::keyClicks(editor, "Worn");
    QTest::keyClick(editor, Qt::Key_Return);
    EXPECT_TRUE(QTest::qWaitFor([&] { return bench.names() == "Terrace Worn Noise"; }))
        << bench.names().toStdString();
}

TEST(LayersPanel, ADragOfTheOpacityIsOneChange) {
    Layers bench("layers-opacity");
    auto* slider = bench.panel.findChild<QSlider*>("layer_opacity");
    int64_t before = bench.view->position;
    slider->setSliderDown(true);
    for (int percent : {90, 70, 40}) {
        slider->setValue(percent);
        bench.settle();
    }
    slider->setSliderDown(false);
    bench.settle();
    EXPECT_EQ(bench.view->position, before + 1);
    EXPECT_DOUBLE_EQ(layer_opacity(bench.layer("Terrace")), 0.4);
    slider->setSliderDown(true);
    slider->setValue(30);
    slider->setSliderDown(false);
    bench.settle();
    EXPECT_EQ(bench.view->position, before + 2);

    auto* mode = bench.panel.findChild<QComboBox*>("layer_mode");
    mode->setCurrentIndex(mode->findData("multiply"));
    Q_EMIT mode->activated(mode->currentIndex());
    bench.settle();
    EXPECT_EQ(blend_mode(bench.layer("Terrace")), "multiply");
    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(mode->currentData().toString(), "lerp");
}

TEST(LayersPanel, LayersMoveUpAndDownAndOutOfGroups) {
    Layers bench("layers-moves");
    bench.panel.choose({bench.id("Smooth"), bench.id("Noise")});
    bench.panel.add_group();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Group >Smooth >Noise");
    EXPECT_EQ(bench.selection.layer(), bench.id("Group"));
    bench.selection.select(bench.id("Smooth"));
    bench.panel.move_down();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Group >Noise >Smooth");
    bench.panel.move_down();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Group >Noise Smooth");
    EXPECT_EQ(bench.selection.layer(), bench.id("Smooth"));
    bench.selection.select(bench.id("Noise"));
    bench.panel.move_up();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Noise Group Smooth");
    bench.panel.move_up();
    bench.panel.move_up();
    bench.panel.move_up();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Noise Terrace Group Smooth");
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(LayersPanel, RowsAreDroppedBetweenOthersAndIntoGroups) {
    Layers bench("layers-drops");
    LayerTree& model = *bench.model();
    auto drop = [&](const std::vector<const char*>& names, int row, const QModelIndex& parent) {
        QModelIndexList rows;
        for (const char* name : names) rows << model.index_of(bench.id(name));
        std::unique_ptr<QMimeData> data(model.mimeData(rows));
        bool taken = model.dropMimeData(data.get(), Qt::MoveAction, row, 0, parent);
        bench.settle();
        return taken;
    };
    EXPECT_TRUE(drop({"Noise"}, 0, {}));
    EXPECT_EQ(bench.names().toStdString(), "Noise Terrace Smooth");
    EXPECT_TRUE(drop({"Noise", "Terrace"}, 3, {}));
    EXPECT_EQ(bench.names().toStdString(), "Smooth Noise Terrace");
    EXPECT_TRUE(drop({"Terrace"}, 1, {}));
    EXPECT_EQ(bench.names().toStdString(), "Smooth Terrace Noise");
    bench.panel.choose({bench.id("Noise")});
    bench.panel.add_group();
    bench.settle();
    EXPECT_TRUE(drop({"Smooth", "Terrace"}, -1, model.index_of(bench.id("Group"), 0)));
    EXPECT_EQ(bench.names().toStdString(), "Group >Smooth >Terrace >Noise");
    EXPECT_TRUE(drop({"Smooth"}, 2, model.index_of(bench.id("Group"), 0)));
    EXPECT_EQ(bench.names().toStdString(), "Group >Terrace >Smooth >Noise");
    EXPECT_FALSE(drop({"Group"}, 0, model.index_of(bench.id("Group"), 0))) << "into itself";
    EXPECT_TRUE(drop({"Terrace"}, -1, {}));
    EXPECT_EQ(bench.names().toStdString(), "Group >Smooth >Noise Terrace");
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(LayersPanel, SeveralLayersAreDeletedAndCollapsed) {
    Layers bench("layers-several");
    bench.selection.select(bench.id("Smooth"));
    bench.click(bench.model()->index_of(bench.id("Noise")), {}, Qt::ControlModifier);
    EXPECT_EQ(bench.panel.chosen(), (std::vector<int>{bench.id("Smooth"), bench.id("Noise")}));
    bench.panel.collapse();
    bench.settle();
    ASSERT_EQ(bench.view->state().layers.size(), 2u);
    EXPECT_EQ(bench.view->state().layers[0].kind, LayerKind::painted);
    EXPECT_EQ(bench.selection.layer(), bench.view->state().layers[0].id);
    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Smooth Noise");
    bench.panel.choose({bench.id("Terrace"), bench.id("Smooth")});
    bench.panel.remove();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Noise");
    EXPECT_EQ(bench.selection.layer(), bench.id("Noise"));
    bench.panel.rasterise();
    bench.settle();
    EXPECT_EQ(bench.layer("Noise").kind, LayerKind::painted);
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

// Whatever is done to several layers is one step, and one undo brings all back.
TEST(LayersPanel, WhatIsDoneToSeveralLayersIsOneStep) {
    Layers bench("layers-one-step");
    auto all = [&] { return std::vector<int>{bench.id("Terrace"), bench.id("Smooth"), bench.id("Noise")}; };
    auto state = [&] { return document_text(bench.view->state()); };
    auto expect_one_step = [&](const char* title, const char* after, auto act) {
        SCOPED_TRACE(title);
        std::string before = state();
        int64_t position = bench.view->position;
        act();
        bench.settle();
        EXPECT_EQ(bench.view->position, position + 1);
        EXPECT_EQ(bench.view->history.back().title, title);
        EXPECT_EQ(bench.names().toStdString(), after);
        std::string done = state();
        bench.workshop.undo();
        bench.settle();
        EXPECT_EQ(bench.view->position, position);
        EXPECT_EQ(bench.names().toStdString(), "Top Terrace Smooth Noise");
        bench.workshop.redo();
        bench.settle();
        EXPECT_EQ(state(), done);
        bench.workshop.undo();
        bench.settle();
        EXPECT_EQ(state(), before);
    };
    bench.selection.select(bench.id("Terrace"));
    bench.panel.add_operation("sharpen");
    bench.settle();
    bench.workshop.change("name", [id = bench.id("Sharpen")](Document& document, RunContext&) {
        set_layer(document, id, {{"name", "Top"}});
    });
    bench.settle();
    auto drop = [&](const std::vector<const char*>& names, int row) {
        QModelIndexList rows;
        for (const char* name : names) rows << bench.model()->index_of(bench.id(name));
        std::unique_ptr<QMimeData> data(bench.model()->mimeData(rows));
        bench.model()->dropMimeData(data.get(), Qt::MoveAction, row, 0, {});
    };
    expect_one_step("move 3 layers", "Terrace Smooth Noise Top", [&] {
        drop({"Terrace", "Smooth", "Noise"}, 0);
    });
    expect_one_step("move 2 layers", "Terrace Noise Top Smooth", [&] { drop({"Top", "Smooth"}, 4); });
    expect_one_step("move 2 layers", "Terrace Top Noise Smooth", [&] { drop({"Top", "Noise"}, 2); });
    bench.panel.choose(all());
    expect_one_step("duplicate 3 layers", "Top Terrace copy Terrace Smooth copy Smooth Noise copy Noise",
                    [&] { bench.panel.duplicate(); });
    bench.panel.choose(all());
    expect_one_step("remove 3 layers", "Top", [&] { bench.panel.remove(); });
    bench.panel.choose(all());
    expect_one_step("group 'Group'", "Top Group >Terrace >Smooth >Noise", [&] { bench.panel.add_group(); });
    bench.panel.choose(all());
    expect_one_step("set visible of 3 layers", "Top Terrace Smooth Noise",
                    [&] { bench.panel.toggle_visible(); });
    bench.panel.choose(all());
    expect_one_step("set locked of 3 layers", "Top Terrace Smooth Noise",
                    [&] { bench.panel.toggle_locked(); });
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(LayersPanel, CopiesOfPaintedLayersHaveCanvasesOfTheirOwn) {
    Layers bench("layers-copies");
    std::vector<int> painted;
    for (const char* field : {"height", "hardness"}) {
        bench.panel.add_painted(field);
        bench.settle();
        painted.insert(painted.begin(), bench.selection.layer());
    }
    bench.panel.choose({painted.back()});
    bench.panel.add_mask(0.5f);
    bench.settle();
    bench.panel.choose(painted);
    bench.panel.duplicate();
    bench.settle();
    EXPECT_EQ(bench.view->state().layers.size(), 7u);
    // Two layers and a mask, twice.
    std::vector<int> canvases = canvases_in_use(bench.view->state().layers);
    std::ranges::sort(canvases);
    EXPECT_EQ(canvases.size(), 6u);
    EXPECT_EQ(std::ranges::adjacent_find(canvases), canvases.end());
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(LayersPanel, SeveralGroupsAreDissolvedInOneStep) {
    Layers bench("layers-ungroup");
    for (const char* name : {"Noise", "Terrace"}) {
        bench.panel.choose({bench.id(name)});
        bench.panel.add_group();
        bench.settle();
    }
    EXPECT_EQ(bench.names().toStdString(), "Group >Terrace Smooth Group >Noise");
    int64_t before = bench.view->position;
    std::vector<int> layers;
    for (const Layer& layer : bench.view->state().layers) layers.insert(layers.begin(), layer.id);
    bench.panel.choose(layers);
    bench.panel.ungroup();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Terrace Smooth Noise");
    EXPECT_EQ(bench.view->position, before + 1);
    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(bench.names().toStdString(), "Group >Terrace Smooth Group >Noise");
}

TEST(LayersPanel, WhereOneOfSeveralIsLockedNothingHappens) {
    Layers bench("layers-together-locked");
    bench.click(bench.model()->index_of(bench.id("Smooth"), LayerTree::lock_column));
    int64_t before = bench.view->position;
    std::vector<int> all = {bench.id("Terrace"), bench.id("Smooth"), bench.id("Noise")};
    bench.panel.choose(all);
    bench.panel.toggle_visible();
    bench.settle();
    LayerSpot bottom;
    bottom.bottom = true;
    Q_EMIT bench.model()->dropped({bench.id("Terrace"), bench.id("Smooth")}, bottom);
    bench.settle();
    EXPECT_EQ(bench.view->position, before);
    EXPECT_EQ(bench.names().toStdString(), "Terrace Smooth Noise");
    EXPECT_TRUE(bench.layer("Terrace").visible);
    ASSERT_EQ(bench.failures.size(), 2);
    for (const QString& failure : bench.failures) EXPECT_TRUE(failure.contains("Smooth) is locked"));
}

TEST(LayersPanel, OneIsShownAloneAndAllAreAsTheyWere) {
    Layers bench("layers-solo");
    bench.selection.select(bench.id("Smooth"));
    bench.panel.toggle_visible();
    bench.settle();
    bench.selection.select(bench.id("Noise"));
    bench.panel.solo();
    bench.settle();
    EXPECT_FALSE(bench.layer("Terrace").visible);
    EXPECT_FALSE(bench.layer("Smooth").visible);
    EXPECT_TRUE(bench.layer("Noise").visible);
    bench.panel.solo();
    bench.settle();
    EXPECT_TRUE(bench.layer("Terrace").visible);
    EXPECT_FALSE(bench.layer("Smooth").visible) << "it was hidden before";
}

TEST(LayersPanel, ProblemsStandAtTheirLayer) {
    Layers bench("layers-problems");
    int id = bench.id("Terrace");
    bench.panel.set_problems({QString("layer %1 (Terrace): there is no field 'rock'").arg(id)});
    EXPECT_EQ(bench.model()->node(id)->problem, "there is no field 'rock'");
    QString tip = bench.model()->index_of(id).data(Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains("there is no field"));
    bench.panel.set_problems({});
    EXPECT_TRUE(bench.model()->node(id)->problem.isEmpty());
}

TEST(LayersPanel, NothingChangesInADocumentThatIsOnlyRead) {
    Layers bench("layers-read-only");
    auto view = std::make_shared<DocumentView>(*bench.view);
    view->read_only = true;
    bench.panel.set_document(view);
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("layers_notice")->isVisible());
    for (const char* name : {"layer_add", "layer_mask", "layer_group", "layer_duplicate", "layer_remove"})
        EXPECT_FALSE(bench.panel.findChild<QToolButton*>(name)->isEnabled()) << name;
    int64_t before = bench.view->position;
    bench.panel.remove();
    bench.panel.add_operation("noise");
    bench.settle();
    EXPECT_EQ(bench.view->position, before);
}

TEST(LayersPanel, EverythingHasATooltipAndFitsANarrowDock) {
    Layers bench("layers-narrow");
    EXPECT_LE(bench.panel.minimumSizeHint().width(), 260);
    for (QToolButton* button : bench.panel.findChildren<QToolButton*>()) {
        EXPECT_FALSE(button->toolTip().isEmpty()) << button->objectName().toStdString();
        EXPECT_FALSE(button->objectName().isEmpty());
    }
}

}  // namespace
}  // namespace caprock::editor
