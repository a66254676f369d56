// Brushes for small lands and large ones.
#include "painting/brush_size.h"

#include "paintings.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Ten times as wide, so that no number has to be rounded: the same picture, ten times as high.
TEST(BrushForLand, PaintsTheSameOnALandOfAnotherSize) {
    for (const char* name : {"raise", "lower", "weathered", "hills", "gullies", "domes", "scarp"}) {
        auto painted = [&](double times) {
            Land land(Field(Rect{0, 0, 150, 140}, 0.0f), 8 * times);
            std::vector<PenSample> samples = line(400 * times, 500 * times, 800 * times, 620 * times);
            PaintTarget target = land.paint(brush_for_land(brush_named(name), times), samples);
            return land.painted(target);
        };
        Field usual = painted(1), small = painted(0.1);
        Field::Rows a = usual.rows(), b = small.rows();
        float most = 0, off = 0;
        for (int y = 0; y < 140; y++)
            for (int x = 0; x < 150; x++) {
                most = std::max(most, std::fabs(a[y][x]));
                off = std::max(off, std::fabs(a[y][x] - 10 * b[y][x]));
            }
        EXPECT_GT(most, 5) << name;
        // Places are rounded otherwise.
        EXPECT_LT(off, 0.002f * most) << name;
    }
}

TEST(BrushForLand, ScalesLengthsAndNothingElse) {
    auto value = [](const Brush& brush, const char* parameter) {
        std::unique_ptr<Operation> operation = brush.operation->clone();
        return operation->value_text(parameter);
    };
    Brush hills = brush_for_land(brush_named("hills"), 0.125);
    EXPECT_EQ(hills.settings.radius, 31);
    EXPECT_EQ(hills.settings.strength, 7.5);
    EXPECT_EQ(value(hills, "feature"), "50");
    EXPECT_EQ(value(hills, "octaves"), value(brush_named("hills"), "octaves"));
    // A share of the way is the same everywhere.
    Brush smooth = brush_for_land(brush_named("smooth"), 0.125);
    EXPECT_EQ(smooth.settings.strength, brush_named("smooth").settings.strength);
    EXPECT_EQ(value(smooth, "radius"), "7.5");
    EXPECT_EQ(value(brush_for_land(brush_named("river"), 0.1), "radius"), "1.5:5");
    Brush road = brush_for_land(brush_named("road"), 0.125);
    EXPECT_EQ(road.settings.radius, 50);
    EXPECT_EQ(value(road, "width"), value(brush_named("road"), "width"));
}

// Where a range ends, so does the brush; it can always be painted with.
TEST(BrushForLand, StaysInTheRanges) {
    for (const std::string& name : brush_names())
        for (double times : {1e-4, 1e4}) {
            Brush brush = brush_for_land(brush_named(name), times);
            Brush again = parse_brush(brush_text(brush), [](const std::string&) {});
            EXPECT_EQ(brush_text(again), brush_text(brush)) << name;
        }
}

}  // namespace
}  // namespace caprock::test
