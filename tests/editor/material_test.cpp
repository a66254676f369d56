#include "base/error.h"
#include "editor/test_folder.h"
#include "panels/material_panel.h"
#include "panels/material_panel_layer.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QTest>
#include <QToolButton>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct Materials {
    Look look;
    MaterialPanel panel{look};

    Materials() {
        panel.resize(300, 700);
        panel.show();
        QCoreApplication::processEvents();
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        return panel.findChild<Widget*>(name);
    }
    const MaterialSet& shown() const { return look.settings().materials; }
};

TEST(MaterialPanel, ASetOfTheLibraryIsTaken) {
    Materials bench;
    auto* choice = bench.find<QComboBox>("material_set");
    EXPECT_EQ(choice->currentData().toString(), QString::fromUtf8(default_material_set.data()));
    bench.panel.take_set("desert");
    EXPECT_EQ(bench.shown(), material_set("desert"));
    EXPECT_EQ(bench.find<QListWidget>("material_layers")->count(), int(bench.shown().layers.size()));
    EXPECT_EQ(choice->currentData().toString(), "desert");
    // From elsewhere, too.
    bench.look.change([](LookSettings& settings) { settings.materials = material_set("alpine"); });
    EXPECT_EQ(bench.panel.materials(), material_set("alpine"));
    EXPECT_EQ(choice->currentData().toString(), "alpine");
}

TEST(MaterialPanel, ChangesAreSeenAtOnce) {
    Materials bench;
    bench.panel.choose_layer(5);
    ASSERT_EQ(bench.shown().layers[5].name, "rock");
    bench.find<QDoubleSpinBox>("material_slope_from")->setValue(50);
    EXPECT_DOUBLE_EQ(bench.shown().layers[5].slope->from, 50);
    EXPECT_TRUE(std::isinf(bench.shown().layers[5].slope->to));
    EXPECT_EQ(bench.find<QDoubleSpinBox>("material_slope_to")->text(), "any");
    QTest::mouseClick(bench.find<QCheckBox>("material_height"), Qt::LeftButton, {}, QPoint(8, 8));
    ASSERT_TRUE(bench.shown().layers[5].height);
    EXPECT_TRUE(bench.find<QDoubleSpinBox>("material_height_fade")->isVisible());
    bench.find<QDoubleSpinBox>("material_height_from")->setValue(0.25);
    EXPECT_DOUBLE_EQ(bench.shown().layers[5].height->from, 0.25);
    bench.find<QDoubleSpinBox>("material_opacity")->setValue(60);
    EXPECT_DOUBLE_EQ(bench.shown().layers[5].opacity, 0.6);
    bench.find<QDoubleSpinBox>("material_noise_amount")->setValue(0.5);
    EXPECT_DOUBLE_EQ(bench.shown().layers[5].noise.amount, 0.5);
    auto* texture = bench.find<QComboBox>("material_texture");
    texture->setCurrentIndex(texture->findData("mud"));
    Q_EMIT texture->activated(texture->currentIndex());
    EXPECT_EQ(bench.shown().layers[5].texture, MaterialKind::mud);
    bench.find<QDoubleSpinBox>("material_macro_size")->setValue(333);
    EXPECT_DOUBLE_EQ(bench.shown().macro.size, 333);
    EXPECT_EQ(bench.find<QComboBox>("material_set")->currentIndex(), -1) << "it is nobody's set any more";
    EXPECT_TRUE(bench.panel.error().isEmpty());
    // What nobody touched is as it was, to the last bit.
    EXPECT_EQ(bench.shown().layers[7], material_set("temperate").layers[7]);
}

TEST(MaterialPanel, ABandsEndMayBeAnywhere) {
    Materials bench;
    bench.panel.choose_layer(5);
    auto* from = bench.find<BandEnd>("material_slope_from");
    from->setFocus();
    from->selectAll();
    QTest::keyClicks(from, "any");
    QTest::keyClick(from, Qt::Key_Return);
    EXPECT_TRUE(std::isinf(bench.shown().layers[5].slope->from));
    from->selectAll();
    QTest::keyClicks(from, "12.5");
    QTest::keyClick(from, Qt::Key_Return);
    EXPECT_DOUBLE_EQ(bench.shown().layers[5].slope->from, 12.5);
}

TEST(MaterialPanel, WhatIsWrongIsSaidAndNotShown) {
    Materials bench;
    MaterialSet before = bench.shown();
    bench.panel.choose_layer(5);
    bench.find<QDoubleSpinBox>("material_slope_to")->setValue(10);
    EXPECT_EQ(bench.shown(), before);
    EXPECT_TRUE(bench.panel.error().contains("it must not end before it begins"))
        << bench.panel.error().toStdString();
    EXPECT_TRUE(bench.find<QLabel>("material_error")->isVisible());
    bench.find<QDoubleSpinBox>("material_slope_to")->setValue(80);
    EXPECT_TRUE(bench.panel.error().isEmpty());
    EXPECT_DOUBLE_EQ(bench.shown().layers[5].slope->to, 80);
}

TEST(MaterialPanel, LayersComeGoAndMove) {
    Materials bench;
    bench.panel.take_set("temperate");
    EXPECT_FALSE(bench.find<QToolButton>("material_add")->isEnabled()) << "eight are all";
    bench.panel.choose_layer(1);
    bench.panel.remove_layer();
    ASSERT_EQ(bench.shown().layers.size(), 7u);
    bench.panel.choose_layer(0);
    bench.panel.add_layer();
    ASSERT_EQ(bench.shown().layers.size(), 8u);
    EXPECT_EQ(bench.shown().layers[1].name, "rock 2");
    EXPECT_EQ(bench.find<QLineEdit>("material_name")->text(), "rock 2") << "the new one is chosen";
    bench.panel.move_layer(1);
    EXPECT_EQ(bench.shown().layers[2].name, "rock 2");
    // Children follow their parent's name.
    bench.panel.choose_layer(0);
    auto* name = bench.find<QLineEdit>("material_name");
    name->setText("meadow");
    Q_EMIT name->editingFinished();
    EXPECT_EQ(bench.shown().layers[0].name, "meadow");
    EXPECT_EQ(bench.shown().layers[1].parent, "meadow");
    EXPECT_FALSE(bench.find<QComboBox>("material_parent")->isEnabled()) << "the first one covers everything";
    EXPECT_TRUE(bench.find<QLabel>("material_first")->isVisible());
}

TEST(MaterialPanel, SetsAreSavedAndLoaded) {
    Materials bench;
    bench.panel.take_set("wetland");
    bench.find<QDoubleSpinBox>("material_macro_amount")->setValue(0.75);
    std::filesystem::path path = test_folder() / "own.json";
    bench.panel.save(QString::fromStdString(path.string()));
    MaterialSet saved = bench.shown();
    bench.panel.take_set("desert");
    bench.panel.load(QString::fromStdString(path.string()));
    EXPECT_EQ(bench.shown(), saved);
    EXPECT_THROW(bench.panel.load("/nowhere/materials.json"), Error);
    EXPECT_EQ(bench.shown(), saved);
}

TEST(MaterialPanel, OffersToShowMaterials) {
    Materials bench;
    auto* show = bench.find<QPushButton>("material_show");
    EXPECT_FALSE(show->isVisible());
    bench.look.change([](LookSettings& settings) { settings.scheme = "earth"; });
    ASSERT_TRUE(show->isVisible());
    show->click();
    EXPECT_EQ(bench.look.settings().scheme, "materials");
    EXPECT_LE(bench.panel.minimumSizeHint().width(), 260);
    for (int layer = 0; layer < int(bench.shown().layers.size()); layer++) {
        bench.panel.choose_layer(layer);
        QCoreApplication::processEvents();
        // Less the scroll bar.
        EXPECT_LE(bench.panel.findChild<QScrollArea*>()->widget()->minimumSizeHint().width(), 246) << layer;
    }
    for (QWidget* widget : bench.panel.findChildren<QWidget*>()) {
        bool control = qobject_cast<QDoubleSpinBox*>(widget) || qobject_cast<QComboBox*>(widget) ||
                       qobject_cast<QToolButton*>(widget);
        EXPECT_FALSE(control && widget->toolTip().isEmpty()) << widget->objectName().toStdString();
    }
}

}  // namespace
}  // namespace caprock::editor
