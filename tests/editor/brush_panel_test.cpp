#include "panels/brush_panel.h"

#include "base/error.h"
#include "base/text_file.h"
#include "bench.h"
#include "editor/test_folder.h"
#include "painting/brush_text.h"
#include "support/places.h"
#include "widgets/curve_edit.h"
#include "widgets/parameter_form.h"
#include "widgets/section.h"
#include "widgets/value_slider.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QToolButton>
#include <filesystem>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct BrushBench : Bench {
    BrushKit kit;
    BrushPanel panel{kit};

    BrushBench() {
        lay(panel, 300, 900);
        for (auto* section : panel.findChildren<Section*>()) section->set_open(true);
    }
    static QString file(const char* name) { return QString::fromStdString((test_folder() / name).string()); }
};

TEST(BrushPanel, ShowsAndChangesTheBrushInTheHand) {
    BrushBench bench;
    bench.type("radius.edit", "250");
    EXPECT_EQ(bench.kit.brush().settings.radius, 250);
    EXPECT_TRUE(bench.find<QToolButton>("brush.reset")->isEnabled());
    // By keys elsewhere.
    bench.kit.change([](Brush& brush) { brush.settings.radius = 44; });
    EXPECT_EQ(bench.find<QLineEdit>("radius.edit")->text(), "44");
    auto* slider = bench.find<ValueSlider>("falloff.slider");
    QTest::mousePress(slider, Qt::LeftButton, {}, {slider->width() - 4, 10});
    QTest::mouseMove(slider, {slider->width() / 2, 10});
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width() / 2, 10});
    EXPECT_NEAR(bench.kit.brush().settings.falloff, 0.5, 0.06);
    QTest::mouseClick(bench.find<CurveEdit>("pressure-radius.curve"), Qt::LeftButton, {}, {40, 30});
    EXPECT_EQ(bench.kit.brush().settings.pressure_radius.size(), 3u);
    bench.type("symmetry-centre.edit", "1,2,3");
    EXPECT_TRUE(bench.find<QLabel>("symmetry-centre.refusal")->text().contains("give x,y"));
    EXPECT_TRUE(bench.kit.brush().settings.symmetry_centre.empty());
    QTest::mouseClick(bench.find<QToolButton>("brush.reset"), Qt::LeftButton);
    EXPECT_FALSE(bench.kit.is_modified());
    EXPECT_FALSE(bench.find<QToolButton>("radius.reset")->isVisible());
}

TEST(BrushPanel, EveryBrushCanBeTakenAndShown) {
    BrushBench bench;
    auto* combo = bench.find<QComboBox>("brush.combo");
    EXPECT_EQ(combo->count(), int(brush_names().size()));
    for (int i = 0; i < combo->count(); i++) {
        combo->setCurrentIndex(i);
        Q_EMIT combo->activated(i);
        EXPECT_EQ(bench.kit.name(), combo->itemData(i).toString());
        EXPECT_FALSE(combo->itemData(i, Qt::ToolTipRole).toString().isEmpty());
        EXPECT_FALSE(bench.find<QLabel>("brush.trouble")->isVisible())
            << bench.kit.name().toStdString() << ": "
            << bench.find<QLabel>("brush.trouble")->text().toStdString();
        EXPECT_FALSE(bench.find<QToolButton>("brush.reset")->isEnabled()) << bench.kit.name().toStdString();
        EXPECT_LE(bench.panel.minimumSizeHint().width(), 260);
    }
}

TEST(BrushPanel, TheOperationsParametersAreThere) {
    BrushBench bench;
    bench.kit.take("hills");
    auto* form = bench.find<ParameterForm>("operation.form");
    EXPECT_EQ(form->row("field"), nullptr);
    Bench::type(form->findChild<QLineEdit*>("octaves.edit"), "3");
    std::unique_ptr<Operation> copy = bench.kit.brush().operation->clone();
    EXPECT_EQ(copy->value_text("octaves"), "3");
    bench.kit.take("scarp");
    auto* note = form->findChild<QLabel*>("angle.note");
    ASSERT_NE(note, nullptr);
    EXPECT_TRUE(note->isVisible());
    EXPECT_TRUE(note->text().contains("direction"));
    // The strength is a share of the way where nothing is added.
    bench.kit.take("smooth");
    bench.type("strength.edit", "3");
    EXPECT_TRUE(bench.find<QLabel>("strength.refusal")->isVisible());
    EXPECT_LE(bench.kit.brush().settings.strength, 1);
}

TEST(BrushPanel, BrushesGoToFilesAndComeBack) {
    BrushBench bench;
    bench.kit.take("ridges");
    bench.type("radius.edit", "321");
    bench.panel.save_to(BrushBench::file("mine.json"));
    bench.kit.take("raise");
    bench.panel.load_from(BrushBench::file("mine.json"));
    EXPECT_EQ(bench.kit.name(), "mine");
    EXPECT_EQ(bench.kit.brush().settings.radius, 321);
    EXPECT_FALSE(bench.find<QToolButton>("brush.reset")->isEnabled());
    auto* combo = bench.find<QComboBox>("brush.combo");
    EXPECT_EQ(combo->currentData().toString(), "mine");
    bench.type("radius.edit", "99");
    QTest::mouseClick(bench.find<QToolButton>("radius.reset"), Qt::LeftButton);
    EXPECT_EQ(bench.kit.brush().settings.radius, 321);
    write_whole_text("no brush", BrushBench::file("broken.json").toStdString());
    EXPECT_THROW(bench.panel.load_from(BrushBench::file("broken.json")), Error);
    EXPECT_THROW(bench.panel.save_to(BrushBench::file("nowhere/mine.json")), Error);
    EXPECT_EQ(bench.kit.name(), "mine");
}

TEST(BrushPanel, TipsAreReadBesideTheWindow) {
    BrushBench bench;
    QImage picture(8, 8, QImage::Format_Grayscale8);
    picture.fill(128);
    QString file = BrushBench::file("tip.png");
    ASSERT_TRUE(picture.save(file));
    bench.type("tip.edit", file);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !bench.kit.brush().tip.rect().empty(); }, 10000));
    bench.type("tip.edit", BrushBench::file("no-such.png"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return bench.find<QLabel>("tip.refusal")->isVisible(); }, 10000));
    EXPECT_EQ(bench.kit.brush().settings.tip, file.toStdString());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !bench.kit.brush().tip.rect().empty(); }, 10000));
    QTest::mouseClick(bench.find<QToolButton>("tip.reset"), Qt::LeftButton);
    EXPECT_TRUE(bench.kit.brush().settings.tip.empty());
    EXPECT_TRUE(bench.kit.brush().tip.rect().empty());
}

}  // namespace
}  // namespace caprock::editor
