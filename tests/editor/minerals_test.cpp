#include "document/commands.h"
#include "document/layer_settings.h"
#include "editor/test_folder.h"
#include "panels/minerals_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct Rocks {
    Workshop workshop;
    Selection selection;
    MineralsPanel panel{workshop, selection};
    DocumentViewPointer view;
    QStringList failures;

    explicit Rocks(const std::string& name) {
        QObject::connect(&workshop, &Workshop::changed, &panel, [this](const DocumentViewPointer& now) {
            view = now;
            panel.set_document(now);
        });
        QObject::connect(&workshop, &Workshop::failed, &panel,
                         [this](const QString& what) { failures << what; });
        std::filesystem::path path = test_folder() / (name + ".caprock");
        std::filesystem::remove(path);
        Grid grid;
        grid.extent = {0, 0, 64, 64};
        workshop.create(QString::fromStdString(path.string()), grid);
        panel.resize(280, 400);
        panel.show();
        settle();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !workshop.busy(); }, 60000));
        QCoreApplication::processEvents();
        EXPECT_TRUE(failures.isEmpty()) << failures.join("; ").toStdString();
    }
    int add(const char* operation) {
        workshop.change("add", [operation](Document& document, RunContext&) {
            std::vector<LayerOperation> operations;
            operations.emplace_back(make_operation(operation));
            add_operations(document, std::move(operations), {});
        });
        settle();
        int id = view->state().layers.back().id;
        selection.select(id);
        return id;
    }
    std::string text(const char* setting) const {
        return setting_text(layer_of(view->state(), selection.layer()), setting);
    }
};

TEST(MineralsPanel, KnowsTheScaleOfMohs) {
    const std::vector<MineralsPanel::Mineral>& minerals = MineralsPanel::minerals();
    ASSERT_EQ(minerals.size(), 11u);
    EXPECT_EQ(minerals[7].name, "quartz");
    EXPECT_NEAR(minerals[7].hardness, 100.0 / 1500, 1e-6);
    EXPECT_EQ(minerals.back().hardness, 1);
}

TEST(MineralsPanel, EditsTheTableOfATableMountain) {
    Rocks bench("minerals-table");
    bench.add("table-mountain");
    EXPECT_TRUE(bench.panel.rows().empty());
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("minerals_notice")->text().contains("rises evenly"));
    bench.panel.add_row();
    bench.settle();
    EXPECT_EQ(bench.text("table"), "0,0.25,0.5,0.75,1") << "as many as the operation has without one";
    ASSERT_EQ(bench.panel.rows().size(), 5u);
    EXPECT_EQ(bench.panel.rows()[4].mineral, "diamond");

    auto* table = bench.panel.findChild<QTableWidget*>("minerals_table");
    table->item(1, 2)->setData(Qt::UserRole, 0.3);
    bench.settle();
    EXPECT_EQ(bench.text("table"), "0,0.3,0.5,0.75,1");
    bench.panel.set_mineral(2, "corundum");
    bench.settle();
    EXPECT_EQ(bench.text("table").substr(0, 8), "0,0.3,0.");
    EXPECT_EQ(bench.panel.rows()[2].mineral, "corundum");
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("minerals_notice")->text().contains("calderas"))
        << "it is softer than 0.3";
    table->setCurrentCell(2, 1);
    bench.panel.remove_row();
    bench.settle();
    EXPECT_EQ(bench.text("table"), "0,0.3,0.75,1");
    EXPECT_EQ(bench.text("materials"), "4");
    bench.workshop.undo();
    bench.settle();
    EXPECT_EQ(bench.panel.rows().size(), 5u);
}

TEST(MineralsPanel, TakesMinerals) {
    Rocks bench("minerals-names");
    bench.add("table-mountain");
    bench.panel.fill_with_minerals();
    bench.settle();
    EXPECT_EQ(bench.text("table"), "");
    EXPECT_EQ(bench.text("minerals").substr(0, 16), "none,talc,gypsum");
    EXPECT_EQ(bench.panel.rows().size(), 11u);
    bench.panel.set_mineral(0, "calcite");
    bench.settle();
    EXPECT_EQ(bench.text("minerals").substr(0, 12), "calcite,talc");
    // A number that no mineral has makes numbers of them all.
    bench.panel.set_hardness(1, 0.44);
    bench.settle();
    EXPECT_EQ(bench.text("minerals"), "");
    EXPECT_EQ(bench.text("table").substr(0, 11), "0.006,0.44,");
    bench.panel.fill_evenly();
    bench.settle();
    EXPECT_EQ(bench.text("table").substr(0, 9), "0,0.1,0.2");
}

TEST(MineralsPanel, OffersALayerWhereThereIsNone) {
    Rocks bench("minerals-none");
    bench.add("noise");
    auto* add = bench.panel.findChild<QPushButton*>("minerals_add_layer");
    EXPECT_TRUE(add->isVisible());
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("minerals_invitation")->text().contains("noise"));
    add->click();
    bench.settle();
    const Layer& made = bench.view->state().layers.back();
    ASSERT_EQ(made.operations.size(), 2u) << "nobody has divided the rock yet";
    EXPECT_EQ(made.operations[1].operation->name(), "hardness");
    int id = made.id;
    bench.selection.select(id);
    EXPECT_FALSE(add->isVisible());
    bench.panel.add_row();
    bench.settle();
    size_t rows = bench.panel.rows().size();
    bench.panel.add_row();
    bench.settle();
    EXPECT_EQ(bench.panel.rows().size(), rows + 1);
    EXPECT_EQ(bench.text("1.count"), std::to_string(rows + 1)) << "as many rocks as the table has";
    bench.workshop.change("lock", [id](Document& document, RunContext&) {
        set_layer(document, id, {{"locked", "yes"}});
    });
    bench.settle();
    EXPECT_FALSE(bench.panel.findChild<QTableWidget*>("minerals_table")->isEnabled());
    EXPECT_TRUE(bench.panel.findChild<QLabel*>("minerals_notice")->text().contains("locked"));
}

}  // namespace
}  // namespace caprock::editor
