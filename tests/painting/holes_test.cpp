// Strokes over ground that is missing: only brushes that are there to fill it do.
#include "base/error.h"
#include "paintings.h"
#include "support/test_names.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

bool is_gap(int x, int y) { return x >= 70 && x < 84 && y >= 40 && y < 110; }

Field with_gap(const Field& ground) {
    return made_field(ground.rect(), [&](int x, int y) { return is_gap(x, y) ? missing : ground.at(x, y); });
}

// From known ground across the gap and back on known ground.
const std::vector<PenSample> across = line(150, 300, 500, 300);

class OverHoles : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Brushes, OverHoles, testing::ValuesIn(brush_names()), test_name);

TEST_P(OverHoles, WhatIsMissingStaysMissing) {
    Brush brush = brush_with(GetParam(), {{"radius", "70"}});
    if (GetParam() == "mask" || GetParam() == "cut") return;  // of other things
    if (brush.settings.towards == BrushSettings::Towards::copy) brush.settings.from = {50, 480};
    const Field ground = with_gap(rough_ground(160, 150));
    for (const char* mode : {"add", "lerp"}) {
        Land land(ground);
        const std::string& field = brush.settings.field;
        int layer =
            add_painted(*land.document, field, layer_with("Painted", field == "material" ? "replace" : mode));
        // Something to be erased.
        if (GetParam() == "erase") land.paint({layer, field}, brush_with("raise"), across);
        land.paint({layer, field}, brush, across);
        Field after = land.height();
        bool filled = brush.fills_missing() && std::string(mode) == "lerp" && field == "height";
        for (int y = 0; y < 150; y++)
            for (int x = 0; x < 160; x++) {
                if (filled && is_gap(x, y)) continue;
                ASSERT_EQ(is_missing(after.at(x, y)), is_gap(x, y)) << mode << " at " << x << "," << y;
                ASSERT_LT(std::abs(is_gap(x, y) ? 0 : after.at(x, y)), 5000)
                    << mode << " at " << x << "," << y;
            }
        EXPECT_EQ(is_missing(after.at(77, 75)), !filled) << mode;
    }
}

// A plane through what is known under the brush, not through 0 where nothing is.
TEST(Holes, FlatGroundBesideAHoleStaysAsItIs) {
    const Field ground = with_gap(made_field(
        {0, 0, 160, 150}, [](int x, int y) { return 200.0f + 0.5f * float(x) - 0.25f * float(y); }));
    for (const char* name : {"flatten", "slope"}) {
        Land land(ground);
        land.paint(brush_with(name, {{"radius", "60"}}), across);
        EXPECT_LT(largest_difference(land.height(), ground), 0.05) << name;
    }
    // The height where the stroke began, although the pen came down just inside.
    Land land(with_gap(Field({0, 0, 160, 150}, 90)));
    land.paint(brush_with("level", {{"radius", "60"}}), line(77 * 4, 300, 500, 300));
    EXPECT_LT(largest_difference(land.height(), with_gap(Field({0, 0, 160, 150}, 90))), 1e-3);
}

TEST(Holes, AStrokeThatGoesByItsBeginningBeginsOnGround) {
    Land land(with_gap(rough_ground(160, 150)));
    Field before = land.height();
    for (const char* name : {"level", "slope"}) {
        try {
            land.paint(brush_with(name, {{"radius", "16"}}), line(77 * 4, 300, 500, 300));
            ADD_FAILURE() << name << " had nothing to go by";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("missing where the stroke begins"), std::string::npos)
                << error.what();
        }
        EXPECT_TRUE(identical(before, land.height())) << name;
    }
}

// What was added over a hole is there when the hole is filled below it.
TEST(Holes, WhatIsAddedWaitsForItsGround) {
    Land land(with_gap(Field({0, 0, 160, 150}, 90)));
    PaintTarget target = land.paint(brush_with("raise", {{"radius", "70"}}), across);
    EXPECT_TRUE(is_missing(land.height().at(77, 75)));
    fill_holes(*land.document, land.ground);
    EXPECT_GT(land.height().at(77, 75), 100);
    EXPECT_EQ(statistics(land.height()).missing, 0);
    EXPECT_GT(target.layer, 0);
}

}  // namespace
}  // namespace caprock::test
