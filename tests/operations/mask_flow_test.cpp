// From drained areas to a mask; tests/operations/drainage_test.cpp is about the areas.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Square metres of a cell: a tenth of a hectare each.
const double cell = std::sqrt(1000.0);

Terrain plane(int length) {
    return terrain_of("height", {length, 7}, cell, [](int x, int) { return float(5000 - 2 * x); });
}

TEST(MaskFlow, RisesByFactorsOfArea) {
    Field mask = mask_by("mask-flow", {{"area", "1:100"}, {"sharing", "single"}}, plane(1200));
    for (int x = 0; x < 1200; x++) {
        double hectares = 0.1 * (x + 1);
        EXPECT_NEAR(mask.at(x, 3), falloff(1 - std::log10(hectares) / 2, 1), 1e-4) << hectares;
    }
    EXPECT_NEAR(mask.at(99, 3), 0.5, 1e-4);
}

TEST(MaskFlow, WithoutAnythingBetweenItIsAHardEdge) {
    Field mask = mask_by("mask-flow", {{"area", "20.05:20.05"}, {"sharing", "single"}}, plane(400));
    for (int x = 0; x < 400; x++) EXPECT_EQ(mask.at(x, 3), x + 1 > 200 ? 1 : 0) << x;
}

TEST(MaskFlow, ItsDefaultsShowRiversOnTheFirstTry) {
    Terrain land(Grid{Rect::of({512, 512}), 8, {0, 1000}});
    Field mask = mask_by("mask-flow", {}, applied("noise", {{"seed", "3"}}, land));
    FieldStatistics all = statistics(mask);
    EXPECT_EQ(all.low, 0);
    EXPECT_EQ(all.high, 1);
    // Neither nothing nor everywhere.
    EXPECT_GT(all.mean, 0.005);
    EXPECT_LT(all.mean, 0.1);
}

TEST(MaskFlow, FinerLandHasTheStreamsOfItsScale) {
    Terrain coarse(Grid{Rect::of({97, 81}), 8, {0, 1000}});
    Terrain fine(Grid{Rect::of({385, 321}), 2, {0, 1000}});
    for (const char* sharing : {"multiple", "single"}) {
        Field wide = mask_by("mask-flow", {{"area", "0.2:5"}, {"sharing", sharing}},
                             applied("noise", {{"seed", "3"}}, coarse));
        Field narrow = mask_by("mask-flow", {{"area", "0.2:5"}, {"sharing", sharing}},
                               applied("noise", {{"seed", "3"}}, fine));
        for (int y = 0; y < 81; y++)
            for (int x = 0; x < 97; x++) ASSERT_EQ(wide.at(x, y), narrow.at(4 * x, 4 * y)) << x << "," << y;
    }
}

TEST(MaskFlow, StreamsThatRunAslantAreWhole) {
    // A trench along the diagonal of a slope.
    Terrain land = terrain_of("height", {129, 129}, 2,
                              [](int x, int y) { return float(500 - x - y) + (x == y ? 0.0f : 20.0f); });
    Field mask = mask_by("mask-flow", {{"area", "0.05:0.5"}, {"sharing", "single"}}, land);
    for (int i = 64; i < 128; i++) EXPECT_EQ(mask.at(i, i), 1) << i;
}

TEST(MaskFlow, MissingGroundHasNoStreams) {
    Terrain terrain = rough_terrain({67, 41}, Holes::some);
    Field mask = mask_by("mask-flow", {{"area", "0:0"}}, terrain);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) ASSERT_EQ(mask.at(x, y), is_missing(terrain.height().at(x, y)) ? 0 : 1);
}

}  // namespace
}  // namespace caprock::test
