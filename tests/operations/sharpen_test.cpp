// Sharpening against h + amount (h - Gaussian of h), in double precision.
#include "gaussian_reference.h"
#include "support/devices.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain plane(Size size, double cell, float east, float south) {
    Terrain terrain(Grid{Rect::of(size), cell, {0, 1000}});
    terrain.set("height", made_field(terrain.rect(), [&](int x, int y) {
                    return 300 + float(cell) * (east * float(x) + south * float(y));
                }));
    return terrain;
}

TEST(Sharpen, AddsWhatStandsAboveTheGaussian) {
    Terrain input = rough_terrain({221, 187}, Holes::none, 2);
    for (double amount : {0.5, 1.0, 4.0})
        for (double radius : {6.0, 30.0}) {
            Terrain output = applied(
                "sharpen", {{"radius", std::to_string(radius)}, {"amount", std::to_string(amount)}}, input);
            for (int y = 80; y < 107; y += 3)
                for (int x = 80; x < 141; x += 4) {
                    double before = input.height().at(x, y);
                    double expected =
                        before + amount * (before - gaussian_at(input.height(), x, y, radius / 2 / 2));
                    // Smoothing is as near to the Gaussian as its own test says: a hundredth of the span.
                    EXPECT_NEAR(output.height().at(x, y), expected, amount * 1.8) << x << "," << y;
                }
        }
}

TEST(Sharpen, InsideItIsExactlyTheDifferenceFromSmooth) {
    Terrain input = rough_terrain({221, 187}, Holes::none, 2);
    Terrain smooth = applied("smooth", {{"radius", "16"}}, input);
    Terrain output = applied("sharpen", {{"radius", "16"}, {"amount", "2"}}, input);
    for (int y = 40; y < 147; y++)
        for (int x = 40; x < 181; x++) {
            float before = input.height().at(x, y);
            EXPECT_EQ(output.height().at(x, y), before + 2.0f * (before - smooth.height().at(x, y)));
        }
}

TEST(Sharpen, LeavesAPlaneAloneUpToTheBorderAndAroundHoles) {
    for (bool hole : {false, true}) {
        Terrain input = plane({201, 141}, 4, 0.3f, -0.2f);
        if (hole) {
            Field height = input.height();
            for (int y = 60; y < 80; y++)
                for (int x = 90; x < 110; x++) height.set(x, y, missing);
            input.set("height", height);
        }
        Terrain output = applied("sharpen", {{"radius", "80"}, {"amount", "1"}}, input);
        double worst = 0;
        for (int y = 0; y < 141; y++)
            for (int x = 0; x < 201; x++) {
                ASSERT_EQ(is_missing(output.height().at(x, y)), is_missing(input.height().at(x, y)));
                if (is_missing(input.height().at(x, y))) continue;
                worst =
                    std::max(worst, std::fabs(double(output.height().at(x, y) - input.height().at(x, y))));
            }
        // Unmended, a slope of 0.3 would be drawn up by a third of the radius times it: 10 m.
        EXPECT_LT(worst, 1.2);
    }
}

TEST(Sharpen, MakesAnEdgeSteeperAndNothingElse) {
    Terrain input = plane({160, 40}, 2, 0, 0);
    input.set("height", made_field(input.rect(), [](int x, int) { return x < 80 ? 100.0f : 140.0f; }));
    Terrain output = applied("sharpen", {{"radius", "20"}}, input);
    EXPECT_LT(output.height().at(79, 20), 90);
    EXPECT_GT(output.height().at(80, 20), 150);
    EXPECT_NEAR(output.height().at(10, 20), 100, 1e-3);
    EXPECT_NEAR(output.height().at(150, 20), 140, 1e-3);
}

TEST(Sharpen, ByNothingIsNothing) {
    Terrain input = rough_terrain({40, 30}, Holes::some);
    EXPECT_TRUE(identical(applied("sharpen", {{"amount", "0"}}, input).height(), input.height()));
    EXPECT_TRUE(identical(applied("sharpen", {{"radius", "0"}}, input).height(), input.height()));
}

TEST(Sharpen, OtherFieldsToo) {
    Terrain input = rough_terrain({60, 50});
    Terrain output = applied("sharpen", {{"field", "hardness"}}, input);
    EXPECT_TRUE(identical(output.height(), input.height()));
    EXPECT_FALSE(identical(output.field("hardness"), input.field("hardness")));
}

}  // namespace
}  // namespace caprock::test
