#include "support/devices.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain normalised(const Terrain& input, const std::string& field = "height") {
    return applied("normalise", {{"field", field}}, input);
}

TEST(Normalise, BothEndsAreExact) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    for (Interval range : {Interval{0, 1}, Interval{-123.4, 987.6}, Interval{0.1, 0.3}}) {
        input.set_range(range);
        FieldStatistics s = statistics(normalised(input).height());
        EXPECT_EQ(s.low, float(range.low));
        EXPECT_EQ(s.high, float(range.high));
    }
}

TEST(Normalise, KeepsTheOrderAndTheShape) {
    Terrain input = rough_terrain({67, 41});
    FieldStatistics before = statistics(input.height());
    Terrain output = normalised(input);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) {
            double share =
                (double(input.height().at(x, y)) - before.low) / (double(before.high) - before.low);
            ASSERT_NEAR(output.height().at(x, y), 300 * share, 1e-4);
        }
}

TEST(Normalise, AFlatFieldBecomesTheLowEnd) {
    Grid grid{Rect::of({9, 7}), 1, {5, 10}};
    Terrain input(grid);
    input.set("height", Field(grid.extent, 77.0f));
    FieldStatistics s = statistics(normalised(input).height());
    EXPECT_EQ(s.low, 5);
    EXPECT_EQ(s.high, 5);
    EXPECT_EQ(s.missing, 0);
}

TEST(Normalise, OtherFieldsSpanZeroToOne) {
    Terrain input = rough_terrain({67, 41});
    FieldStatistics s = statistics(normalised(input, "hardness").field("hardness"));
    EXPECT_EQ(s.low, 0);
    EXPECT_EQ(s.high, 1);
}

}  // namespace
}  // namespace caprock::test
