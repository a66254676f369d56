// What feathering does to edges, on the sides where it may.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// 1 to the left of the edge at 200 m.
Terrain half_plane(double cell) {
    return terrain_of("mask", {int(400 / cell), 9}, cell,
                      [&](int x, int) { return (x + 0.5) * cell < 200 ? 1.0f : 0.0f; });
}

TEST(MaskFeather, AnEdgeBecomesTheGaussianIntegral) {
    Terrain terrain = half_plane(2);
    Field mask = mask_by("mask-feather", {{"radius", "60"}}, terrain);
    for (int x = 0; x < 200; x++) {
        double from_edge = (x + 0.5) * 2 - 200;
        EXPECT_NEAR(mask.at(x, 4), 0.5 * std::erfc(from_edge / 30 / std::sqrt(2.0)), 0.01) << from_edge;
    }
}

TEST(MaskFeather, OneSideLeavesTheOtherAsItWas) {
    for (double cell : {1.0, 4.0})
        for (bool inside : {true, false}) {
            Terrain terrain = half_plane(cell);
            Field mask =
                mask_by("mask-feather", {{"radius", "80"}, {"to", inside ? "inside" : "outside"}}, terrain);
            for (int x = 0; x < mask.rect().width(); x++) {
                double from_edge = (x + 0.5) * cell - 200;
                float value = mask.at(x, 4);
                if (inside ? from_edge > 0 : from_edge < 0) {
                    EXPECT_EQ(value, inside ? 0 : 1) << from_edge;
                } else {
                    // Half way at half the radius; nearly what it was at the edge, and nearly the other at the radius.
                    double middle = inside ? -40 : 40;
                    double expected = 0.5 * std::erfc((from_edge - middle) / 20 / std::sqrt(2.0));
                    EXPECT_NEAR(value, expected, 0.02 + 0.02 * cell) << from_edge;
                }
                EXPECT_LE(value, mask.at(std::max(x - 1, 0), 4) + 1e-6f);
            }
        }
}

TEST(MaskFeather, KeepsWhatHasNoEdges) {
    Terrain grey = terrain_of("mask", {90, 70}, 3,
                              [](int x, int y) { return is_hole(x, y, Holes::some) ? missing : 0.4f; });
    for (const char* to : {"both", "inside", "outside"}) {
        Field mask = mask_by("mask-feather", {{"to", to}}, grey);
        for (int y = 0; y < 70; y++)
            for (int x = 0; x < 90; x++) {
                ASSERT_EQ(is_missing(mask.at(x, y)), is_hole(x, y, Holes::some));
                if (is_missing(mask.at(x, y))) continue;
                ASSERT_NEAR(mask.at(x, y), 0.4, 1e-6);
            }
    }
}

TEST(MaskFeather, NeverAddsInsideNorTakesAwayOutside) {
    Terrain terrain = terrain_of("mask", {120, 90}, 2, [](int x, int y) { return patchy(x, y, true); });
    Field before = terrain.field("mask");
    Field inside = mask_by("mask-feather", {{"radius", "15"}, {"to", "inside"}}, terrain);
    Field outside = mask_by("mask-feather", {{"radius", "15"}, {"to", "outside"}}, terrain);
    Field both = mask_by("mask-feather", {{"radius", "15"}}, terrain);
    for (int y = 0; y < 90; y++)
        for (int x = 0; x < 120; x++) {
            if (is_missing(before.at(x, y))) continue;
            ASSERT_LE(inside.at(x, y), before.at(x, y));
            ASSERT_GE(outside.at(x, y), before.at(x, y));
            ASSERT_GE(both.at(x, y), 0);
            ASSERT_LE(both.at(x, y), 1);
        }
}

TEST(MaskFeather, ByNothingIsNothing) {
    Terrain terrain = terrain_of("mask", {40, 30}, 2, [](int x, int y) { return patchy(x, y, true); });
    for (const char* to : {"both", "inside", "outside"})
        EXPECT_TRUE(identical(mask_by("mask-feather", {{"radius", "0"}, {"to", to}}, terrain),
                              terrain.field("mask")));
}

}  // namespace
}  // namespace caprock::test
