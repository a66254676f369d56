// A tilted plane against its equation in doubles.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain made_plane(const Parameters& settings, const Grid& grid) {
    return applied("plane", settings, Terrain(grid));
}

// The worst difference from the equation, in units of the largest term's last place.
double worst_error(const Field& field, double cell, double height, double x, double y, double grade_x,
                   double grade_y) {
    double worst = 0;
    const Rect& rect = field.rect();
    for (int row = rect.top; row < rect.bottom; row++)
        for (int column = rect.left; column < rect.right; column++) {
            double rise_x = grade_x * (column * cell - x);
            double rise_y = grade_y * (row * cell - y);
            double expected = height + rise_x + rise_y;
            double largest = std::max({std::fabs(expected), std::fabs(height), grade_x * rect.width() * cell,
                                       grade_y * rect.height() * cell});
            worst = std::max(worst, std::fabs(field.at(column, row) - expected) / (largest * 0x1p-23));
        }
    return worst;
}

TEST(Plane, IsItsEquation) {
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    Parameters tilted = {
        {"height", "120.5"}, {"x", "90.25"}, {"y", "33"}, {"grade-x", "0.3"}, {"grade-y", "0.77"}};
    EXPECT_LT(worst_error(made_plane(tilted, grid).height(), 4, 120.5, 90.25, 33, 0.3, 0.77), 3);
}

TEST(Plane, IsLevelUnlessTold) {
    Grid grid{Rect::of({67, 41}), 4, {-50, 1000}};
    FieldStatistics level = statistics(made_plane({{"x", "1e7"}, {"y", "-1e7"}}, grid).height());
    EXPECT_EQ(level.low, 0);
    EXPECT_EQ(level.high, 0);
    level = statistics(made_plane({{"height", "812.3"}}, grid).height());
    EXPECT_EQ(level.low, 812.3f);
    EXPECT_EQ(level.high, 812.3f);
}

TEST(Plane, RisesToTheEastAndToTheSouth) {
    Grid grid{Rect::of({9, 7}), 10, {0, 1000}};
    Field east = made_plane({{"grade-x", "0.5"}}, grid).height();
    EXPECT_EQ(east.at(0, 3), 0);
    EXPECT_EQ(east.at(8, 3), 40);
    Field south = made_plane({{"grade-y", "-0.5"}}, grid).height();
    EXPECT_EQ(south.at(4, 0), 0);
    EXPECT_EQ(south.at(4, 6), -30);
}

TEST(Plane, HasItsHeightAtTheAnchorToTheLastBit) {
    Grid grid{Rect::of({2000, 3}), 0.7, {0, 1000}};
    // In single precision, 1400 m at a grade of 900 would be off by centimetres.
    Field field = made_plane({{"height", "3.3"}, {"x", "1385.3"}, {"grade-x", "900"}}, grid).height();
    EXPECT_EQ(field.at(1979, 1), 3.3f);
}

TEST(Plane, AFarAnchorCostsNoPrecision) {
    Grid grid{Rect::of({67, 41}), 2, {0, 1000}};
    // 10,000 km away, but at a height that brings the plane to the terrain at about 50 m.
    Parameters far = {{"height", "-999950"}, {"x", "-1e7"}, {"grade-x", "0.1"}};
    Field field = made_plane(far, grid).height();
    for (int x = 0; x < 67; x++) ASSERT_NEAR(field.at(x, 20), 50 + 0.2 * x, 1e-5) << x;
}

TEST(Plane, TwiceTheResolutionIsTheSamePlane) {
    Parameters tilted = {
        {"height", "40"}, {"x", "64"}, {"y", "32"}, {"grade-x", "0.25"}, {"grade-y", "-0.5"}};
    Field coarse = made_plane(tilted, {Rect::of({33, 17}), 4, {0, 1000}}).height();
    Field fine = made_plane(tilted, {Rect::of({65, 33}), 2, {0, 1000}}).height();
    for (int y = 0; y < 17; y++)
        for (int x = 0; x < 33; x++) ASSERT_EQ(coarse.at(x, y), fine.at(2 * x, 2 * y));
}

TEST(Plane, WritesOtherFieldsInTheirOwnUnit) {
    Terrain terrain = rough_terrain({20, 10});
    Terrain result = applied("plane", {{"field", "hardness"}, {"height", "0.25"}}, terrain);
    EXPECT_EQ(statistics(result.field("hardness")).high, 0.25f);
    EXPECT_TRUE(identical(result.height(), terrain.height()));
}

TEST(Plane, IsTheSameOnALandscapeThatDoesNotBeginAtZero) {
    Parameters tilted = {{"height", "7"}, {"x", "30"}, {"grade-x", "0.5"}, {"grade-y", "0.125"}};
    Field whole = made_plane(tilted, {Rect{0, 0, 40, 30}, 2, {0, 1000}}).height();
    Field shifted = made_plane(tilted, {Rect{20, 10, 40, 30}, 2, {0, 1000}}).height();
    for (int y = 10; y < 30; y++)
        for (int x = 20; x < 40; x++) ASSERT_EQ(shifted.at(x, y), whole.at(x, y));
}

}  // namespace
}  // namespace caprock::test
