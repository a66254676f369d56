// Ridges and hollows, on surfaces that have or have none.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(MaskCurvature, IsTheHeightAboveTheGaussianMean) {
    // A wave smoothed by a Gaussian of deviation s is exp(-s^2 k^2 / 2) times as high. Inside, where no border is seen.
    const double wavelength = 400, cell = 5, radius = 120;
    const double k = 2 * 3.14159265358979 / wavelength;
    const double left = 1 - std::exp(-(radius / 2) * (radius / 2) * k * k / 2);
    Terrain waves = terrain_of("height", {240, 240}, cell,
                               [&](int x, int) { return float(500 + 30 * std::sin(x * cell * k)); });
    for (const char* kind : {"convex", "concave", "both"}) {
        Field mask = mask_by("mask-curvature", {{"radius", "120"}, {"height", "25"}, {"kind", kind}}, waves);
        for (int x = 60; x < 180; x++) {
            double above = 30 * left * std::sin(x * cell * k);
            double height = kind[3] == 'v' ? above : kind[3] == 'c' ? -above : std::fabs(above);
            EXPECT_NEAR(mask.at(x, 120), falloff(25 - height, 25), 0.03) << kind << " " << x;
        }
    }
}

TEST(MaskCurvature, ASlopeHasNoneUpToTheBorder) {
    Terrain plane = terrain_of("height", {120, 90}, 4, [](int x, int y) { return float(2.5 * x - 1.5 * y); });
    for (const char* radius : {"8", "40", "120"}) {
        Field mask =
            mask_by("mask-curvature", {{"kind", "both"}, {"radius", radius}, {"height", "5"}}, plane);
        EXPECT_LT(statistics(mask).high, 0.02) << radius;
    }
}

TEST(MaskCurvature, ASlopeHasLittleBesideAHole) {
    Terrain plane = terrain_of("height", {120, 90}, 4, [](int x, int y) {
        return x >= 50 && x < 65 && y >= 30 && y < 60 ? missing : float(2.5 * x - 1.5 * y);
    });
    Field mask = mask_by("mask-curvature", {{"kind", "both"}, {"radius", "40"}, {"height", "20"}}, plane);
    EXPECT_LT(statistics(mask).high, 0.15);
    EXPECT_EQ(statistics(mask).missing, 0);
    EXPECT_EQ(mask.at(55, 40), 0);
}

TEST(MaskCurvature, RidgesAndHollowsShareTheGround) {
    Terrain terrain = rough_terrain({131, 97}, Holes::some);
    Field convex = mask_by("mask-curvature", {{"kind", "convex"}, {"radius", "40"}}, terrain);
    Field concave = mask_by("mask-curvature", {{"kind", "concave"}, {"radius", "40"}}, terrain);
    Field both = mask_by("mask-curvature", {{"kind", "both"}, {"radius", "40"}}, terrain);
    for (int y = 0; y < 97; y++)
        for (int x = 0; x < 131; x++) {
            ASSERT_EQ(std::min(convex.at(x, y), concave.at(x, y)), 0);
            ASSERT_EQ(std::max(convex.at(x, y), concave.at(x, y)), both.at(x, y));
        }
}

TEST(MaskCurvature, ATopIsConvexAndAPitConcave) {
    for (double sign : {1.0, -1.0}) {
        Terrain hill = terrain_of("height", {101, 101}, 10, [&](int x, int y) {
            double away = std::hypot(x - 50, y - 50) * 10;
            return float(sign * 80 * std::exp(-away * away / 2e4));
        });
        EXPECT_EQ(mask_by("mask-curvature", {}, hill).at(50, 50) > 0.5f, sign > 0);
        EXPECT_EQ(mask_by("mask-curvature", {{"kind", "concave"}}, hill).at(50, 50) > 0.5f, sign < 0);
    }
}

}  // namespace
}  // namespace caprock::test
