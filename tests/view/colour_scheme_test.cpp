// Colour schemes: what their tables promise to the eye, and what of a field they span.
#include "view/colour_scheme.h"

#include "base/error.h"
#include "support/refusals.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace caprock::test {
namespace {

double lightness(const Bytes& colour) { return lab_of(light_of(colour)).lightness; }

double difference(const Bytes& a, const Bytes& b) {
    Lab x = lab_of(light_of(a)), y = lab_of(light_of(b));
    return std::hypot(std::hypot(x.lightness - y.lightness, x.a - y.a), x.b - y.b);
}

TEST(Colour, BytesComeBackFromLight) {
    for (int i = 0; i < 256; i++) {
        Bytes grey{uint8_t(i), uint8_t(i), uint8_t(255 - i)};
        EXPECT_EQ(bytes_of(light_of(grey)), grey) << i;
    }
    // Published values of sRGB and OKLab.
    EXPECT_NEAR(light_of(Bytes{188, 0, 0}).red, 0.5029, 1e-3);
    EXPECT_NEAR(lightness({255, 255, 255}), 1, 1e-4);
    Lab red = lab_of(Light{1, 0, 0});
    EXPECT_NEAR(red.lightness, 0.62796, 1e-4);
    EXPECT_NEAR(red.a, 0.22486, 1e-4);
    EXPECT_NEAR(red.b, 0.12585, 1e-4);
}

TEST(Colour, LabsAndLightAreOneAnother) {
    for (const Bytes& colour : {Bytes{10, 200, 90}, Bytes{255, 0, 255}, Bytes{1, 2, 3}})
        EXPECT_EQ(bytes_of(light_of(lab_of(light_of(colour)))), colour);
}

TEST(ColourScheme, EverySchemeIsFoundByItsName) {
    std::vector<std::string> names = colour_scheme_names();
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (const char* needed :
         {"grey", "red", "green", "blue", "rgb", "earth", "verdant", "diverging", "hypsometric"})
        EXPECT_TRUE(std::ranges::count(names, needed)) << needed;
    for (const std::string& name : names) {
        EXPECT_EQ(colour_scheme(name).name, name);
        EXPECT_FALSE(colour_scheme(name).layers.empty()) << name;
        EXPECT_FALSE(colour_scheme(name).summary.empty()) << name;
    }
}

TEST(ColourScheme, AWrongNameIsToldTheNearest) {
    std::string message = refusal([] { colour_scheme("verdnat"); });
    EXPECT_NE(message.find("'verdnat'"), std::string::npos) << message;
    EXPECT_NE(message.find("'verdant'?"), std::string::npos) << message;
    EXPECT_NE(message.find("hypsometric"), std::string::npos) << message;
}

TEST(ColourScheme, FrontiersChannels) {
    struct {
        const char* name;
        const char* field;
        Bytes full;
    } cases[] = {{"red", "height", {255, 0, 0}},
                 {"green", "hardness", {0, 255, 0}},
                 {"blue", "solubility", {0, 0, 255}}};
    const ColourScheme& all = colour_scheme("rgb");
    ASSERT_EQ(all.layers.size(), 3u);
    for (size_t i = 0; i < 3; i++) {
        const ColourScheme& scheme = colour_scheme(cases[i].name);
        EXPECT_EQ(scheme.layers[0].field, cases[i].field);
        EXPECT_EQ(scheme.layers[0].table[0], Bytes{});
        EXPECT_EQ(scheme.layers[0].table[255], cases[i].full);
        EXPECT_EQ(all.layers[i].field, cases[i].field);
        EXPECT_EQ(all.layers[i].table, scheme.layers[0].table);
    }
    // Shares of 0..1 in equal steps of the byte, as Frontier's images have them.
    for (int i = 0; i < 256; i++) EXPECT_EQ(colour_scheme("grey").layers[0].table[size_t(i)].green, i);
}

TEST(ColourScheme, VerdantRisesInEqualSteps) {
    const ColourTable& table = colour_scheme("verdant").layers[0].table;
    double rise = lightness(table[255]) - lightness(table[0]);
    EXPECT_GT(rise, 0.6);
    // Over sixteen entries, for a single one may be a rounding of bytes.
    for (size_t i = 16; i < 256; i++) {
        double step = lightness(table[i]) - lightness(table[i - 16]);
        EXPECT_NEAR(step, rise * 16 / 255, 0.008) << i;
        EXPECT_GT(difference(table[i], table[i - 16]), 0.03) << i;
    }
}

TEST(ColourScheme, DivergingIsAsDarkOnBothSides) {
    const ColourTable& table = colour_scheme("diverging").layers[0].table;
    for (size_t i = 0; i < 128; i++) {
        EXPECT_NEAR(lightness(table[i]), lightness(table[255 - i]), 0.01) << i;
        if (i > 8) {
            EXPECT_GT(lightness(table[i]), lightness(table[i - 8])) << i;
        }
    }
    EXPECT_GT(lightness(table[127]), 0.93);
    EXPECT_GT(table[0].blue, table[0].red);
    EXPECT_GT(table[255].red, table[255].blue);
}

TEST(ColourScheme, WaterIsBlueAndDoesNotBlendIntoLand) {
    for (const char* name : {"earth", "swiss", "hypsometric"}) {
        const ColourLayer& layer = colour_scheme(name).layers[0];
        ASSERT_TRUE(layer.seam) << name;
        for (size_t i = 0; i < 128; i++) EXPECT_GT(layer.table[i].blue, layer.table[i].red) << name << i;
        EXPECT_EQ(bytes_of(layer.at(0.5 - 1e-9)), layer.table[127]) << name;
        EXPECT_EQ(bytes_of(layer.at(0.5)), layer.table[128]) << name;
        EXPECT_GT(layer.table[128].green, layer.table[128].blue) << name;
    }
}

TEST(ColourScheme, BetweenEntriesLightIsMixed) {
    const ColourLayer& grey = colour_scheme("grey").layers[0];
    EXPECT_FLOAT_EQ(grey.at(0).red, 0);
    EXPECT_FLOAT_EQ(grey.at(1).red, 1);
    EXPECT_FLOAT_EQ(grey.at(7).red, 1);
    float low = light_of(Bytes{100, 100, 100}).red, high = light_of(Bytes{101, 101, 101}).red;
    EXPECT_NEAR(grey.at(100.25 / 255).red, low + 0.25f * (high - low), 1e-6);
}

TEST(ColourRange, StraightOnEachSideOfTheMiddle) {
    ColourRange range{-200, 0, 1000};
    for (const auto& [value, share] :
         {std::pair{-200.0, 0.0}, {-100.0, 0.25}, {0.0, 0.5}, {500.0, 0.75}, {1000.0, 1.0}}) {
        EXPECT_DOUBLE_EQ(range.share(value), share);
        EXPECT_DOUBLE_EQ(range.value_at(share), value);
    }
    EXPECT_EQ(range.share(-1e9), 0);
    EXPECT_EQ(range.share(1e9), 1);
    EXPECT_EQ((ColourRange{5, 5, 5}.share(5)), 0.5);
    // Land without a sea has the upper half.
    EXPECT_EQ((ColourRange{100, 100, 300}.share(50)), 0.5);
    EXPECT_EQ((ColourRange{100, 100, 300}.share(200)), 0.75);
}

TEST(ColourRange, ByTheRuleOfTheLayer) {
    auto rule = [](RangeRule of) { return ColourLayer{"", of, {}}; };
    FieldExtent extent{{0, 1000}, {-50, 800}, {-40, 790}, 0.9};
    ColourRange terrain = colour_range(rule(RangeRule::terrain), extent);
    EXPECT_EQ((std::array{terrain.low, terrain.middle, terrain.high}), (std::array{0.0, 500.0, 1000.0}));
    ColourRange values = colour_range(rule(RangeRule::values), extent);
    EXPECT_EQ((std::array{values.low, values.middle, values.high}), (std::array{-50.0, 375.0, 800.0}));
    ColourRange zero = colour_range(rule(RangeRule::around_zero), extent);
    EXPECT_EQ((std::array{zero.low, zero.middle, zero.high}), (std::array{-800.0, 0.0, 800.0}));
    // No value below 0: nothing to be on the other side of.
    extent.values = {200, 800};
    EXPECT_EQ(colour_range(rule(RangeRule::around_zero), extent).middle, 500);
}

TEST(ColourRange, TheSeaIsWhereTheRangeBeginsBelowIt) {
    ColourLayer layer{"height", RangeRule::shore, {}, true};
    ColourRange sea = colour_range(layer, {{-300, 900}, {-250, 850}, {-240, 840}, 1});
    EXPECT_EQ((std::array{sea.low, sea.middle, sea.high}), (std::array{-300.0, 0.0, 900.0}));
    ColourRange land = colour_range(layer, {{0, 900}, {20, 850}, {30, 840}, 1});
    EXPECT_EQ((std::array{land.low, land.middle, land.high}), (std::array{0.0, 0.0, 900.0}));
    // Another level of the sea floods it.
    ColourRange flooded = colour_range(layer, {{0, 900}, {20, 850}, {30, 840}, 1}, 400);
    EXPECT_EQ((std::array{flooded.low, flooded.middle, flooded.high}), (std::array{0.0, 400.0, 900.0}));
    // Heights that use little of the range are shown in all the colours.
    ColourRange little = colour_range(layer, {{0, 9000}, {100, 400}, {110, 390}, 1});
    EXPECT_EQ((std::array{little.low, little.middle, little.high}), (std::array{110.0, 110.0, 390.0}));
}

TEST(ColourScheme, WhichFieldIsDrawn) {
    const ColourScheme& any = colour_scheme("verdant");
    EXPECT_EQ(any.field_of(any.layers[0], ""), "height");
    EXPECT_EQ(any.field_of(any.layers[0], "hardness"), "hardness");
    const ColourScheme& red = colour_scheme("red");
    EXPECT_EQ(red.field_of(red.layers[0], ""), "height");
    EXPECT_EQ(red.field_of(red.layers[0], "height"), "height");
    std::string message = refusal([&] { red.field_of(red.layers[0], "water"); });
    EXPECT_NE(message.find("'red'"), std::string::npos) << message;
    EXPECT_NE(message.find("'water'"), std::string::npos) << message;
    EXPECT_NE(message.find("verdant"), std::string::npos) << message;
}

}  // namespace
}  // namespace caprock::test
