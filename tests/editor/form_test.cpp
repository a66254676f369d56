#include "base/error.h"
#include "bench.h"
#include "widgets/curve_edit.h"
#include "widgets/parameter_form.h"
#include "widgets/parameter_row.h"
#include "widgets/typed_edit.h"
#include "widgets/value_scale.h"
#include "widgets/value_slider.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QVBoxLayout>
#include <gtest/gtest.h>

namespace caprock::editor {
namespace {

struct Everything {
    enum class Kind { sum, ridged };

    double feature = 1000;
    int octaves = 8;
    bool on = false;
    Kind kind = Kind::sum;
    double edge = 1;
    uint32_t seed = 1;
    Interval range = {0, 1};
    std::vector<double> table = {1, 2};
    std::vector<double> curve;
    std::vector<std::string> words;
    std::string text;
    std::string file;
    std::string field = "height";
    Number share = 0.5;

    void describe(Declaration& d) const {
        d.number("feature", feature).range(0.001, 1e7).slider(50, 10000).logarithmic().unit("m").help("size");
        d.integer("octaves", octaves).range(1, 32).slider(1, 12).help("layers");
        d.flag("on", on).help("whether");
        d.choice("kind", kind, {"sum", "ridged"}).help("which");
        d.number("edge", edge).range(0, 4).help("ridged: how sharp");
        d.seed("seed", seed).help("chance");
        d.interval("range", range).range(-5, 5).unit("m").help("between");
        d.table("table", table).range(0, 10).help("numbers");
        d.table("curve", curve).curve().range(0, 1).help("a curve");
        d.words("words", words).help("words");
        d.text("text", text).help("a text");
        d.file("file", file).help("a file");
        d.field("field", field).help("a field");
        d.number("share", share).range(0, 4).slider(0, 2).help("how much");
    }
};

struct FormBench : Bench {
    QWidget window;
    ParameterForm* form = new ParameterForm(&window);
    Everything values;
    QSignalSpy spy{form, &ParameterForm::edited};

    FormBench() {
        auto* all = new QVBoxLayout(&window);
        all->addWidget(form);
        all->addStretch(1);
        form->set_fields({"height", "hardness"});
        present();
        lay(window, 300, 700);
    }
    void present() { form->present(FormValues::of(values), FormValues::of(Everything())); }
    // "name text dragging" of the last edit.
    QString last() const {
        if (spy.isEmpty()) return {};
        QList<QVariant> edit = spy.last();
        return edit[0].toString() + " " + edit[1].toString() + (edit[2].toBool() ? " dragging" : "");
    }
};

TEST(Form, EveryTypeHasAControlThatSaysWhatWouldBeTyped) {
    FormBench bench;
    bench.type("octaves.edit", "12");
    EXPECT_EQ(bench.last(), "octaves 12");
    bench.type("feature.edit", "250 m");
    EXPECT_EQ(bench.last(), "feature 250");
    QTest::mouseClick(bench.find<QCheckBox>("on.check"), Qt::LeftButton, {}, {5, 8});
    EXPECT_EQ(bench.last(), "on true");
    auto* combo = bench.find<QComboBox>("kind.combo");
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Down);
    EXPECT_EQ(bench.last(), "kind ridged");
    QTest::mouseClick(bench.find<QToolButton>("seed.dice"), Qt::LeftButton);
    EXPECT_TRUE(bench.last().startsWith("seed ")) << bench.last().toStdString();
    EXPECT_EQ(bench.find<QLineEdit>("seed.edit")->text(), bench.last().mid(5));
    bench.type("range.high", "4.5");
    EXPECT_EQ(bench.last(), "range 0:4.5");
    bench.type("range.low", "2");
    EXPECT_EQ(bench.last(), "range 2:4.5");
    bench.type("table.edit", "3,4,5");
    EXPECT_EQ(bench.last(), "table 3,4,5");
    bench.type("words.edit", "talc,gypsum");
    EXPECT_EQ(bench.last(), "words talc,gypsum");
    bench.type("text.edit", "a b");
    EXPECT_EQ(bench.last(), "text a b");
    bench.type("file.edit", "/tmp/a.csv");
    EXPECT_EQ(bench.last(), "file /tmp/a.csv");
    bench.type("field.edit", "sand");
    EXPECT_EQ(bench.last(), "field sand");
    EXPECT_EQ(bench.find<QComboBox>("field.combo")->count(), 2);
    EXPECT_EQ(bench.spy.count(), 12);
}

TEST(Form, ARefusedValueIsSaidBelowAndTheOldOneStays) {
    FormBench bench;
    bench.type("octaves.edit", "99");
    EXPECT_EQ(bench.spy.count(), 0);
    EXPECT_EQ(bench.find<QLineEdit>("octaves.edit")->text(), "8");
    auto* refusal = bench.find<QLabel>("octaves.refusal");
    EXPECT_TRUE(refusal->isVisible());
    EXPECT_EQ(refusal->text(), "octaves 99: must be 1 to 32");
    bench.type("octaves.edit", "9");
    EXPECT_FALSE(refusal->isVisible());
    EXPECT_EQ(bench.last(), "octaves 9");
    bench.type("range.low", "3");
    EXPECT_TRUE(bench.form->row("range")->is_refused());
    EXPECT_EQ(bench.find<QLineEdit>("range.low")->text(), "0");
    bench.type("range.high", "4");
    EXPECT_EQ(bench.last(), "range 0:4");
    EXPECT_FALSE(bench.form->row("range")->is_refused());

    // By somebody who knows more than the declaration.
    bench.form->set_check([](const std::string&, const std::string&) { throw Error("not today"); });
    bench.type("octaves.edit", "7");
    EXPECT_EQ(refusal->text(), "not today");
    EXPECT_EQ(bench.find<QLineEdit>("octaves.edit")->text(), "9");
}

TEST(Form, ASliderTellsOfItsDragAndOfItsEnd) {
    FormBench bench;
    auto* slider = bench.find<ValueSlider>("feature.slider");
    QTest::mousePress(slider, Qt::LeftButton, {}, {10, 10});
    QTest::mouseMove(slider, {slider->width() / 2, 10});
    QTest::mouseMove(slider, {slider->width() - 2, 10});
    EXPECT_EQ(bench.last(), "feature 10000 dragging");
    // Half of the way in factors, not in metres.
    ASSERT_GE(bench.spy.count(), 2);
    double half = bench.spy.at(bench.spy.count() - 2)[1].toDouble();
    EXPECT_GT(half, 500);
    EXPECT_LT(half, 950);
    // Values from outside do not take the slider away from under the mouse.
    bench.values.feature = 60;
    bench.present();
    EXPECT_EQ(bench.find<QLineEdit>("feature.edit")->text(), "10000");
    EXPECT_TRUE(bench.form->dragging());
    QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width() - 2, 10});
    EXPECT_EQ(bench.last(), "feature 10000");
    EXPECT_FALSE(bench.form->dragging());
    bench.present();
    EXPECT_EQ(bench.find<QLineEdit>("feature.edit")->text(), "60");

    // By keys there is no drag.
    int before = bench.spy.count();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(bench.spy.count(), before + 1);
    EXPECT_EQ(bench.last(), "feature 61");
}

TEST(Form, WhatIsBeingTypedIsLeftAlone) {
    FormBench bench;
    auto* edit = bench.find<QLineEdit>("octaves.edit");
    ASSERT_TRUE(QTest::qWaitFor([&] { return bench.window.isActiveWindow(); }, 5000));
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, "1");
    bench.values.octaves = 5;
    bench.values.on = true;
    bench.present();
    EXPECT_EQ(edit->text(), "1");
    EXPECT_TRUE(edit->hasFocus());
    EXPECT_TRUE(bench.find<QCheckBox>("on.check")->isChecked());
    QTest::keyClicks(edit, "1");
    QTest::keyClick(edit, Qt::Key_Escape);
    EXPECT_EQ(edit->text(), "5");
    EXPECT_EQ(bench.spy.count(), 0);
    QTest::keyClick(edit, Qt::Key_Up);
    EXPECT_EQ(bench.last(), "octaves 6");
}

TEST(Form, ModifiedValuesHaveAWayBack) {
    FormBench bench;
    auto* reset = bench.find<QToolButton>("octaves.reset");
    EXPECT_FALSE(reset->isVisible());
    bench.type("octaves.edit", "3");
    EXPECT_TRUE(reset->isVisible());
    EXPECT_TRUE(bench.find<QLabel>("octaves.name")->font().bold());
    QTest::mouseClick(reset, Qt::LeftButton);
    EXPECT_EQ(bench.last(), "octaves 8");
    EXPECT_FALSE(reset->isVisible());
    EXPECT_FALSE(bench.find<QLabel>("octaves.name")->font().bold());
    EXPECT_TRUE(bench.form->row("octaves")->toolTip().contains("1 to 32"));
    // A text goes back to none, which nobody could type.
    bench.type("file.edit", "x.csv");
    QTest::mouseClick(bench.find<QToolButton>("file.reset"), Qt::LeftButton);
    EXPECT_EQ(bench.last(), "file ");
    EXPECT_FALSE(bench.form->is_modified());
}

TEST(Form, RowsThatHaveNoEffectAreAway) {
    FormBench bench;
    EXPECT_FALSE(bench.form->row("edge")->isVisible());
    bench.values.kind = Everything::Kind::ridged;
    bench.present();
    EXPECT_TRUE(bench.form->row("edge")->isVisible());
}

TEST(Form, CurvesAreDrawnWithTheMouse) {
    FormBench bench;
    auto* curve = bench.find<CurveEdit>("curve.curve");
    QPoint middle = curve->rect().center();
    QTest::mouseClick(curve, Qt::LeftButton, {}, middle);
    EXPECT_EQ(curve->curve().size(), 3u);
    EXPECT_NEAR(curve->curve()[1], 0.5, 0.05);
    EXPECT_TRUE(bench.last().startsWith("curve 0,0.")) << bench.last().toStdString();
    // The point is moved, up to the top.
    QTest::mousePress(curve, Qt::LeftButton, {}, curve->place_of(1).toPoint());
    QTest::mouseMove(curve, {middle.x(), 0});
    EXPECT_EQ(bench.last(), "curve 0,1,1 dragging");
    QTest::mouseRelease(curve, Qt::LeftButton, {}, {middle.x(), 0});
    EXPECT_EQ(bench.last(), "curve 0,1,1");
    QTest::mouseClick(curve, Qt::RightButton, {}, curve->place_of(1).toPoint());
    EXPECT_EQ(bench.last(), "curve 0,1");
    QTest::mouseClick(bench.find<QToolButton>("curve.none"), Qt::LeftButton);
    EXPECT_EQ(bench.last(), "curve ");
    EXPECT_TRUE(curve->curve().empty());
}

TEST(Form, ANumberBecomesAMapAndANumberAgain) {
    FormBench bench;
    bench.type("share.edit", "1.5");
    EXPECT_EQ(bench.last(), "share 1.5");
    bench.values.share = 1.5;
    bench.present();
    auto* map = bench.find<QToolButton>("share.map");
    QTest::mouseClick(map, Qt::LeftButton);
    // A field that is no height, over what the slider spans.
    EXPECT_EQ(bench.last(), "share @hardness:0..2");
    bench.values.share = NumberMap::parsed("@hardness:0..2");
    bench.present();
    EXPECT_TRUE(map->isChecked());
    EXPECT_FALSE(bench.find<ValueSlider>("share.slider")->isVisible());
    bench.type("share.map-high", "3");
    EXPECT_EQ(bench.last(), "share @hardness:0..3");
    bench.type("share.field-edit", "sand");
    EXPECT_EQ(bench.last(), "share @sand:0..3");
    bench.values.share = NumberMap::parsed("@sand");
    bench.present();
    EXPECT_EQ(bench.find<QLineEdit>("share.map-low")->text(), "");
    // The number that it was.
    QTest::mouseClick(map, Qt::LeftButton);
    EXPECT_EQ(bench.last(), "share 1.5");
    bench.values.share = 1.5;
    bench.present();
    EXPECT_TRUE(bench.find<ValueSlider>("share.slider")->isVisible());
    EXPECT_FALSE(map->isChecked());
}

TEST(Form, FitsANarrowPanel) {
    FormBench bench;
    for (const std::string& name : operation_names()) {
        ParameterForm form;
        form.present(*make_operation(name));
        EXPECT_LE(form.minimumSizeHint().width(), 240) << name;
        std::unique_ptr<Operation> by_maps = make_operation(name);
        for (const Parameter& parameter : by_maps->schema().parameters())
            if (parameter.varies()) by_maps->set_text(parameter, "@hardness");
        form.present(*by_maps);
        EXPECT_LE(form.minimumSizeHint().width(), 240) << name << " by maps";
    }
    EXPECT_LE(bench.form->minimumSizeHint().width(), 240);
}

TEST(Form, ScalesGiveNumbersThatPeopleWouldChoose) {
    ValueScale share;
    EXPECT_EQ(share.value_at(0.3), 0.3);
    EXPECT_EQ(share.stepped(0.3, 1), 0.31);
    ValueScale metres;
    metres.soft = {5, 1000};
    metres.logarithmic = true;
    EXPECT_EQ(metres.value_at(0), 5);
    EXPECT_EQ(metres.value_at(1), 1000);
    EXPECT_NEAR(metres.value_at(0.5), 70.7, 1e-9);
    EXPECT_NEAR(metres.place_of(70.7), 0.5, 0.001);
    EXPECT_EQ(metres.place_of(1e6), 1);
    EXPECT_EQ(metres.place_of(0), 0);
    EXPECT_EQ(metres.stepped(120, 1), 130);
    ValueScale whole;
    whole.soft = {1, 12};
    whole.hard = Interval{1, 32};
    whole.whole = true;
    EXPECT_EQ(whole.value_at(0.5), 7);
    EXPECT_EQ(whole.stepped(32, 1), 32);
}

}  // namespace
}  // namespace caprock::editor
