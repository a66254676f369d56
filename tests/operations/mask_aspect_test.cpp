// Which way slopes face, on surfaces that face known ways.
#include "base/mathematics.h"
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Of two azimuths, at most 180.
double apart(double a, double b) {
    double turn = std::fabs(std::fmod(a - b, 360));
    return std::min(turn, 360 - turn);
}

TEST(MaskAspect, TheSidesOfAConeFaceAwayFromItsTop) {
    Terrain cone = terrain_of("height", {201, 201}, 3, [](int x, int y) {
        return float(1000 - 3 * 0.8 * std::hypot(x - 100, y - 100));
    });
    for (double direction : {0.0, 90.0, 180.0, 270.0, 33.0, -120.0}) {
        Field mask =
            mask_by("mask-aspect",
                    {{"direction", std::to_string(direction)}, {"width", "40"}, {"softness", "50"}}, cone);
        for (int y = 1; y < 200; y++)
            for (int x = 1; x < 200; x++) {
                double away = std::hypot(x - 100, y - 100);
                if (away < 10) continue;
                double faces = std::atan2(x - 100, 100 - y) / degree;
                // Central differences turn a cone's gradient by less than a degree at ten cells.
                ASSERT_NEAR(mask.at(x, y), falloff(apart(faces, direction) - 40, 50), 0.03)
                    << x << "," << y << " to " << direction;
            }
    }
}

TEST(MaskAspect, NorthIsUpAndEastIsRight) {
    auto plane = [](double east, double south) {
        return terrain_of("height", {7, 7}, 2,
                          [&](int x, int y) { return float(500 + 2 * (x * east + y * south)); });
    };
    auto faces = [&](const Terrain& terrain, const char* direction) {
        return mask_by("mask-aspect", {{"direction", direction}, {"width", "10"}, {"softness", "0"}}, terrain)
            .at(3, 3);
    };
    EXPECT_EQ(faces(plane(0, 1), "0"), 1) << "it falls to the north";
    EXPECT_EQ(faces(plane(0, 1), "180"), 0);
    EXPECT_EQ(faces(plane(-1, 0), "90"), 1) << "it falls to the east";
    EXPECT_EQ(faces(plane(-1, 0), "270"), 0);
    EXPECT_EQ(faces(plane(0, -1), "180"), 1);
    EXPECT_EQ(faces(plane(1, 0), "-90"), 1);
}

TEST(MaskAspect, FlatGroundFacesNowhereAndGentleSlopesLittle) {
    for (double degrees : {0.0, 2.0, 4.5, 6.0, 20.0}) {
        Terrain plane = terrain_of("height", {9, 9}, 10, [&](int x, int) {
            return float(100 - 10 * x * std::tan(degrees * degree));
        });
        Field mask = mask_by("mask-aspect", {{"direction", "90"}, {"flat", "3"}}, plane);
        double low = std::tan(3 * degree), high = std::tan(6 * degree);
        double outside = high - std::tan(degrees * degree);
        EXPECT_NEAR(mask.at(4, 4), falloff(outside, high - low), 2e-3) << degrees;
        // Even where every slope counts, level ground has none.
        Field any = mask_by("mask-aspect", {{"direction", "90"}, {"flat", "0"}, {"width", "180"}}, plane);
        EXPECT_EQ(any.at(4, 4), degrees > 0 ? 1 : 0);
    }
}

TEST(MaskAspect, OppositeHalvesAreAWhole) {
    Terrain terrain = rough_terrain({67, 41}, Holes::some);
    Parameters half = {{"direction", "70"}, {"width", "90"}, {"softness", "0"}, {"flat", "0"}};
    Field one = mask_by("mask-aspect", half, terrain);
    half[0].second = "250";
    Field other = mask_by("mask-aspect", half, terrain);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++)
            ASSERT_EQ(one.at(x, y) + other.at(x, y), is_missing(terrain.height().at(x, y)) ? 0 : 1);
}

}  // namespace
}  // namespace caprock::test
