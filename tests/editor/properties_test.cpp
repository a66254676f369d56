#include "bench.h"
#include "document/commands.h"
#include "editor/test_folder.h"
#include "operation/recipe.h"
#include "panels/properties_panel.h"
#include "support/folder.h"
#include "support/places.h"
#include "widgets/parameter_form.h"
#include "widgets/parameter_row.h"
#include "widgets/preset_gallery.h"
#include "widgets/section.h"
#include "widgets/takes_form.h"
#include "widgets/typed_edit.h"
#include "widgets/value_slider.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct PropertiesBench : Bench {
    Workshop workshop;
    Selection selection;
    PropertiesPanel panel{workshop, selection};
    DocumentViewPointer view;
    QStringList failures;

    explicit PropertiesBench(const std::string& name) {
        std::filesystem::path path = test_folder() / ("properties-" + name + ".caprock");
        for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + ending);
        QObject::connect(&workshop, &Workshop::changed, &panel, [this](const DocumentViewPointer& now) {
            view = now;
            panel.set_document(now);
        });
        QObject::connect(&workshop, &Workshop::failed, &panel,
                         [this](const QString& what) { failures << what; });
        Grid grid;
        grid.extent = {0, 0, 300, 200};
        workshop.create(QString::fromStdString(path.string()), grid);
        lay(panel, 300, 800);
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workshop.busy(); }, 60000));
        QCoreApplication::processEvents();
    }
    void add(const char* operation) {
        workshop.change("add", [operation](Document& document, RunContext&) {
            std::vector<LayerOperation> operations;
            operations.emplace_back(make_operation(operation));
            add_operations(document, std::move(operations), {});
        });
        settle();
    }
    template <typename Widget>
    Widget* find(const char* section, const char* name) {
        auto* in = panel.findChild<Section*>(section);
        EXPECT_NE(in, nullptr) << section;
        if (in) in->set_open(true);
        auto* found = in ? in->findChild<Widget*>(name) : nullptr;
        EXPECT_NE(found, nullptr) << section << " " << name;
        return found;
    }
    void type(const char* section, const char* name, const QString& text) {
        Bench::type(find<QLineEdit>(section, name), text);
        settle();
    }
    const Layer& layer(int id) { return layer_of(view->state(), id); }
    std::string value(int id, const char* name) {
        return layer(id).operations.at(0).operation->value_text(name);
    }
};

TEST(Properties, NobodyIsLeftWithAnEmptyPage) {
    PropertiesBench bench("empty");
    auto* line = bench.panel.findChild<QLabel*>("properties.empty");
    EXPECT_TRUE(line->isVisible());
    EXPECT_TRUE(line->text().contains("no layers yet"));
    bench.add("noise");
    EXPECT_TRUE(line->text().contains("Select a layer"));
    bench.selection.select(1);
    EXPECT_FALSE(line->isVisible());
    bench.panel.set_document(nullptr);
    EXPECT_TRUE(line->isVisible());
}

TEST(Properties, ValuesGoToTheLayerAndComeBackWithUndo) {
    PropertiesBench bench("values");
    bench.add("noise");
    bench.selection.select(1);
    bench.type("operation.1", "octaves.edit", "5");
    EXPECT_EQ(bench.value(1, "octaves"), "5");
    bench.type("operation.1", "octaves.edit", "77");
    EXPECT_EQ(bench.value(1, "octaves"), "5");
    EXPECT_TRUE(bench.find<QLabel>("operation.1", "octaves.refusal")->isVisible());
    bench.type("blending", "opacity.edit", "0.5");
    EXPECT_EQ(layer_opacity(bench.layer(1)), 0.5);
    bench.type("place", "move.edit", "100");
    EXPECT_TRUE(bench.find<QLabel>("place", "move.refusal")->text().contains("two numbers"));
    bench.type("place", "move.edit", "100,-50");
    EXPECT_EQ(bench.layer(1).placement.move_y, -50);
    bench.type("layer", "range.high", "70");
    EXPECT_EQ(bench.layer(1).range, (Interval{0, 70}));
    bench.type("layer", "field.edit", "hardness");
    EXPECT_EQ(bench.layer(1).field, "hardness");
    auto* name = bench.panel.findChild<TypedEdit*>("properties.name");
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, "Hills");
    QTest::keyClick(name, Qt::Key_Return);
    bench.settle();
    EXPECT_EQ(bench.layer(1).name, "Hills");
    EXPECT_EQ(bench.view->position, 7);
    for (int i = 0; i < 5; i++) bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(bench.find<QLineEdit>("blending", "opacity.edit")->text(), "1");
    EXPECT_EQ(bench.find<QLineEdit>("operation.1", "octaves.edit")->text(), "5");
    bench.workshop.undo();
    bench.settle();
    EXPECT_NE(bench.find<QLineEdit>("operation.1", "octaves.edit")->text(), "5");
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(Properties, ADragIsOneEntryOfTheHistory) {
    PropertiesBench bench("drag");
    bench.add("noise");
    bench.selection.select(1);
    int64_t before = bench.view->position;
    auto* slider = bench.find<ValueSlider>("operation.1", "hurst.slider");
    QTest::mousePress(slider, Qt::LeftButton, {}, {6, 10});
    for (int x = 8; x < slider->width(); x += 4) {
        QTest::mouseMove(slider, {x, 10});
        if (x % 16 == 0) bench.settle();
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width(), 10});
    bench.settle();
    EXPECT_EQ(bench.view->position, before + 1);
    EXPECT_FALSE(bench.view->dragging);
    EXPECT_EQ(bench.find<QLineEdit>("operation.1", "hurst.edit")->text().toStdString(),
              bench.value(1, "hurst"));
    // The next one is another.
    QTest::mousePress(slider, Qt::LeftButton, {}, {slider->width() - 6, 10});
    QTest::mouseMove(slider, {10, 10});
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {10, 10});
    bench.settle();
    EXPECT_EQ(bench.view->position, before + 2);
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

TEST(Properties, MasksComeFirstWhereTheMaskIsSelected) {
    PropertiesBench bench("mask");
    bench.add("noise");
    bench.workshop.change("mask", [](Document& document, RunContext&) {
        std::vector<LayerOperation> operations;
        operations.emplace_back(make_operation("mask-slope"));
        operations.emplace_back(make_operation("mask-feather"));
        set_mask(document, 1, std::move(operations));
    });
    bench.settle();
    bench.selection.select(1);
    auto above = [&](const char* a, const char* b) {
        QCoreApplication::processEvents();
        return bench.panel.findChild<Section*>(a)->y() < bench.panel.findChild<Section*>(b)->y();
    };
    QTest::qWait(50);
    EXPECT_TRUE(above("operation.1", "mask.1"));
    bench.selection.select(1, true);
    QTest::qWait(50);
    EXPECT_TRUE(above("mask.2", "operation.1"));
    bench.type("mask.2", "radius.edit", "33");
    std::unique_ptr<Operation> copy = bench.layer(1).mask.operations.at(1).operation->clone();
    EXPECT_EQ(copy->value_text("radius"), "33");
    QTest::mouseClick(bench.find<QWidget>("mask", "invert-mask.check"), Qt::LeftButton, {}, {5, 8});
    bench.settle();
    EXPECT_TRUE(bench.layer(1).mask.inverted);
}

TEST(Properties, WhatWasTypedGoesToTheLayerItWasTypedFor) {
    PropertiesBench bench("typed");
    bench.add("noise");
    bench.add("noise");
    bench.selection.select(1);
    bench.panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.panel.isActiveWindow(); }, 5000));
    auto* edit = bench.find<QLineEdit>("operation.1", "octaves.edit");
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, "3");
    std::string before = bench.value(2, "octaves");
    bench.selection.select(2);
    bench.settle();
    EXPECT_EQ(bench.value(1, "octaves"), "3");
    EXPECT_EQ(bench.value(2, "octaves"), before);
    EXPECT_EQ(bench.find<QLineEdit>("operation.1", "octaves.edit")->text().toStdString(), before);
}

TEST(Properties, LockedLayersSayWhyNothingCanBeChanged) {
    PropertiesBench bench("locked");
    bench.add("smooth");
    bench.workshop.change("lock", [](Document& document, RunContext&) {
        set_layer(document, 1, {{"locked", "true"}});
    });
    bench.settle();
    bench.selection.select(1);
    EXPECT_FALSE(bench.find<QLineEdit>("operation.1", "radius.edit")->isEnabled());
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("properties.why_not")->isVisible());
    QTest::mouseClick(bench.panel.findChild<QPushButton*>("properties.unlock"), Qt::LeftButton);
    bench.settle();
    EXPECT_TRUE(bench.find<QLineEdit>("operation.1", "radius.edit")->isEnabled());
    EXPECT_FALSE(bench.panel.findChild<QLabel*>("properties.why_not")->isVisible());
    // What is done to what lies below has no place of its own.
    EXPECT_EQ(bench.panel.findChild<Section*>("place"), nullptr);
}

TEST(Properties, ValuesAreCopiedPastedAndTakenFromPresets) {
    PropertiesBench bench("presets");
    bench.add("table-mountain");
    bench.add("table-mountain");
    bench.selection.select(1);
    test::Folder folder;
    const std::string rocks = folder / "rocks.json";
    test::write_text(rocks, "[0.5, 1]");
    bench.type("operation.1", "table-file.edit", QString::fromStdString(rocks));
    EXPECT_EQ(bench.value(1, "table-file"), rocks);
    QTest::mouseClick(bench.find<QToolButton>("operation.1", "table-file.reset"), Qt::LeftButton);
    bench.settle();
    EXPECT_EQ(bench.value(1, "table-file"), "");
    bench.type("operation.1", "materials.edit", "7");

    auto from_menu = [&](const char* what) {
        QTest::mouseClick(bench.find<QToolButton>("operation.1", "operation.1.more"), Qt::LeftButton);
        auto* menu = bench.panel.findChild<QMenu*>("values");
        ASSERT_NE(menu, nullptr);
        menu->findChild<QAction*>(what)->trigger();
        menu->close();
        bench.settle();
        QTest::qWait(1);
    };
    from_menu("values.copy");
    EXPECT_TRUE(QGuiApplication::clipboard()->text().contains("table-mountain"));
    bench.selection.select(2);
    from_menu("values.paste");
    EXPECT_EQ(bench.value(2, "materials"), "7");
    int64_t before = bench.view->position;

    auto* gallery = bench.panel.findChild<PresetGallery*>("presets");
    QTest::mouseClick(bench.find<QToolButton>("operation.1", "operation.1.presets"), Qt::LeftButton);
    auto* list = gallery->findChild<QListWidget*>("presets.list");
    ASSERT_GT(list->count(), 5);
    int mesa = 0;
    while (mesa + 1 < list->count() && list->item(mesa)->data(Qt::UserRole) != "butte-tower") mesa++;
    // Its picture comes while one looks.
    QImage blank = list->item(mesa)->icon().pixmap(96, 64).toImage();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return list->item(mesa)->icon().pixmap(96, 64).toImage() != blank; }, 60000));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(mesa)).center());
    bench.settle();
    EXPECT_FALSE(gallery->isVisible());
    EXPECT_EQ(bench.value(2, "butte"), "around-centre");
    EXPECT_EQ(bench.view->position, before + 1);
    from_menu("values.reset");
    EXPECT_EQ(bench.value(2, "butte"), "none");
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
}

// Every row has its room, one below the other.
void expect_rows_apart(PropertiesBench& bench, const char* when) {
    auto* page = bench.panel.findChild<QScrollArea*>("properties.scroll")->widget();
    int bottom = 0;
    int rows = 0;
    QList<QWidget*> all;
    for (auto* row : page->findChildren<ParameterRow*>()) all << row;
    for (auto* section : page->findChildren<Section*>())
        all << section->findChild<QWidget*>(section->objectName() + ".head");
    std::ranges::sort(all, {}, [&](QWidget* part) { return part->mapTo(page, QPoint(0, 0)).y(); });
    for (QWidget* part : all) {
        if (!part->isVisibleTo(page)) continue;
        int top = part->mapTo(page, QPoint(0, 0)).y();
        EXPECT_GE(top, bottom) << when << ": " << part->objectName().toStdString();
        EXPECT_GE(part->height(), part->minimumSizeHint().height())
            << when << ": " << part->objectName().toStdString();
        bottom = top + part->height();
        rows++;
    }
    EXPECT_GT(rows, 12) << when;
    EXPECT_LE(bottom, page->height()) << when;
}

// Rows of many parameters have their room whenever they were made: also while another panel lay over this one.
TEST(Properties, RowsOfManyParametersAreNotSqueezed) {
    PropertiesBench bench("rows");
    auto* scroll = bench.panel.findChild<QScrollArea*>("properties.scroll");
    bench.panel.resize(300, 400);
    bench.add("plane");
    bench.add("noise");
    bench.selection.select(2);
    bench.settle();
    expect_rows_apart(bench, "chosen");
    EXPECT_GT(scroll->verticalScrollBar()->maximum(), 0);
    bench.selection.select(1);
    bench.settle();
    bench.panel.hide();
    bench.selection.select(2);
    bench.settle();
    bench.panel.show();
    bench.settle();
    expect_rows_apart(bench, "chosen behind another panel");
    EXPECT_GT(scroll->verticalScrollBar()->maximum(), 0);
    bench.selection.select(0);
    bench.settle();
    bench.panel.hide();
    bench.selection.select(2);
    bench.panel.show();
    bench.settle();
    expect_rows_apart(bench, "after none, behind another panel");
}

TEST(Properties, FieldsAreTakenFromOtherLayers) {
    PropertiesBench bench("takes");
    bench.add("noise");
    bench.add("mask-slope");
    bench.add("gradation");
    const std::vector<Layer>& layers = bench.view->state().layers;
    const int below = layers[layers.size() - 3].id, masks = layers[layers.size() - 2].id;
    const int top = layers.back().id;
    bench.selection.select(top, false);
    bench.settle();
    bench.find<QPushButton>("takes", "takes.add")->click();
    bench.settle();
    ASSERT_EQ(bench.layer(top).takes.size(), 1u);
    EXPECT_EQ(bench.layer(top).takes[0], (LayerTake{"source", masks})) << "the nearest below";
    bench.type("takes", "takes.1.field", "hardness");
    auto choose = [&](const char* name, const QVariant& value) {
        auto* combo = bench.find<QComboBox>("takes", name);
        ASSERT_GE(combo->findData(value), 0) << name;
        combo->setCurrentIndex(combo->findData(value));
        Q_EMIT combo->activated(combo->currentIndex());
        bench.settle();
    };
    choose("takes.1.layer", below);
    choose("takes.1.of", "height");
    EXPECT_EQ(bench.layer(top).takes[0], (LayerTake{"hardness", below, "height"}));
    EXPECT_EQ(bench.find<QComboBox>("takes", "takes.1.layer")->findData(top), -1) << "not from itself";
    bench.find<QToolButton>("takes", "takes.1.remove")->click();
    bench.settle();
    EXPECT_TRUE(bench.layer(top).takes.empty());
    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(bench.layer(top).takes.size(), 1u);
    EXPECT_TRUE(bench.failures.isEmpty()) << bench.failures.join("; ").toStdString();
    // A layer within a group takes from what lies below that, but not from the group.
    auto named = [](int id, const char* name) {
        Layer layer;
        layer.id = id;
        layer.name = name;
        return layer;
    };
    Layer group = named(7, "Group");
    group.layers = {named(8, "In"), named(9, "Top")};
    const std::vector<TakesForm::Source> sources = TakesForm::sources_for({named(3, "Low"), group}, 9);
    EXPECT_EQ(sources, (std::vector<TakesForm::Source>{{8, "In"}, {3, "Low"}}));
}

}  // namespace
}  // namespace caprock::editor
