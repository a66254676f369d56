// Lines that have nothing to do with the land, and lines that do.
#include "operations/on_land.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Samples from 0,0 to 590,390.
const Grid sixty_by_forty{Rect::of({60, 40}), 10, {0, 100}};

LineSet lines_through(const std::vector<std::vector<LinePoint>>& all) {
    std::vector<Line> lines;
    for (const std::vector<LinePoint>& points : all) {
        Line line;
        line.points = points;
        lines.push_back(line);
    }
    return LineSet(lines);
}

TEST(OnLand, NothingIsSaidWhereOneLineComesOntoTheLand) {
    EXPECT_FALSE(beside_the_land("springs", LineSet(), sixty_by_forty));
    EXPECT_FALSE(beside_the_land("springs", lines_through({{{100, 100}}}), sixty_by_forty));
    EXPECT_FALSE(beside_the_land("springs", lines_through({{{-900, 0}}, {{590, 390}}}), sixty_by_forty));
    // Across it, with both ends beyond, and around all of it.
    EXPECT_FALSE(beside_the_land("springs", lines_through({{{-50, 200}, {700, 210}}}), sixty_by_forty));
    EXPECT_FALSE(beside_the_land(
        "reservoir", lines_through({{{-50, -50}, {700, -50}, {700, 500}, {-50, 500}}}), sixty_by_forty));
}

TEST(OnLand, WhatLiesBesideItIsNamedWithWhereTheLandIs) {
    for (const LinePoint& place :
         {LinePoint(-6, 100), LinePoint(596, 100), LinePoint(100, -6), LinePoint(100, 396)}) {
        const auto said = beside_the_land("springs", lines_through({{place}}), sixty_by_forty);
        ASSERT_TRUE(said);
        EXPECT_EQ(*said, "springs: nothing of it lies on the land, which goes from 0,0 to 590,390");
        // The cell around the last sample belongs to it, and so does what is near enough.
        EXPECT_FALSE(beside_the_land("springs", lines_through({{place}}), sixty_by_forty, 7));
    }
    EXPECT_FALSE(beside_the_land("springs", lines_through({{{594, 394}}}), sixty_by_forty));
}

}  // namespace
}  // namespace caprock::test
