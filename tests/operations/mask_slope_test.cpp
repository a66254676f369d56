// Slopes of surfaces whose slopes are known.
#include "base/mathematics.h"
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// The mask fades from the slope 0 to 90: what it is says how steep it took the ground for.
double degrees_seen(float mask) {
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        double t = (low + high) / 2;
        (t * t * (3 - 2 * t) < mask ? low : high) = t;
    }
    return 90 * low;
}
const Parameters whole_fade = {{"between", "90:90"}, {"softness", "90"}};

TEST(MaskSlope, APlaneIsAsSteepEverywhere) {
    for (double degrees : {5.0, 30.0, 45.0, 70.0})
        for (double azimuth : {0.0, 37.0, 90.0, 200.0}) {
            double rise = std::tan(degrees * degree);
            Terrain plane = terrain_of("height", {23, 17}, 5, [&](int x, int y) {
                return float(5 * rise * (x * std::sin(azimuth * degree) - y * std::cos(azimuth * degree)));
            });
            Field mask = mask_by("mask-slope", whole_fade, plane);
            // At the border differences are one-sided, which on a plane is the same.
            for (int y = 0; y < 17; y++)
                for (int x = 0; x < 23; x++) ASSERT_NEAR(degrees_seen(mask.at(x, y)), degrees, 0.02);
        }
}

TEST(MaskSlope, AConeIsAsSteepAllAround) {
    double rise = std::tan(40 * degree);
    Terrain cone = terrain_of("height", {201, 201}, 3, [&](int x, int y) {
        return float(1000 - 3 * rise * std::hypot(x - 100, y - 100));
    });
    Field mask = mask_by("mask-slope", whole_fade, cone);
    for (int y = 0; y < 201; y++)
        for (int x = 0; x < 201; x++) {
            double away = std::hypot(x - 100, y - 100);
            // A difference over two cells of a curved surface is off by about (1 / r)^2.
            if (away <= 3) continue;

            ASSERT_NEAR(degrees_seen(mask.at(x, y)), 40, 60 / (away * away) + 0.6) << x << "," << y;
        }
}

TEST(MaskSlope, IsItsDefinitionAlsoBesideMissingCells) {
    Terrain terrain = rough_terrain({67, 41}, Holes::some);
    Field mask = mask_by("mask-slope", {{"between", "60:75"}, {"softness", "12"}, {"scale", "0"}}, terrain);
    const Field& height = terrain.height();
    auto at = [&](int x, int y) {
        return height.rect().contains(x, y) ? double(height.at(x, y)) : double(missing);
    };
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) {
            if (std::isnan(at(x, y))) {
                ASSERT_EQ(mask.at(x, y), 0);
                continue;
            }
            auto along = [&](double before, double after) {
                if (std::isnan(before) && std::isnan(after)) return 0.0;
                if (std::isnan(before)) return (after - at(x, y)) / 4;
                if (std::isnan(after)) return (at(x, y) - before) / 4;
                return (after - before) / 8;
            };
            double slope =
                std::atan(std::hypot(along(at(x - 1, y), at(x + 1, y)), along(at(x, y - 1), at(x, y + 1)))) /
                degree;
            ASSERT_NEAR(mask.at(x, y), falloff(std::max(60 - slope, slope - 75), 12), 1e-4);
        }
}

TEST(MaskSlope, LevelGroundIsAtTheLowerEnd) {
    Terrain level = terrain_of("height", {5, 4}, 1, [](int, int) { return 17.0f; });
    EXPECT_EQ(mask_by("mask-slope", {{"between", "0:10"}}, level).at(2, 2), 1);
    EXPECT_EQ(mask_by("mask-slope", {}, level).at(2, 2), 0);
}

}  // namespace
}  // namespace caprock::test
