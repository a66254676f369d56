// The light on slopes: what is looked up is what is computed, and what is computed obeys the sun.
#include "view/hillshade.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(Hillshade, TheTableIsTheLight) {
    for (bool many : {false, true}) {
        for (LightColours colours : {LightColours::white, LightColours::daylight, LightColours::printed}) {
            ShadeOptions options;
            options.many = many;
            options.colours = colours;
            options.azimuth = 290;
            Shade shade(options);
            ShadeTable table(shade);
            for (double steepness : {0.0, 0.003, 0.1, 0.45, 1.0, 2.7, 9.0, 300.0, 1e8}) {
                for (int degrees = 0; degrees < 360; degrees += 7) {
                    double angle = degrees * std::acos(-1.0) / 180;
                    Gradient slope{float(steepness * std::cos(angle)), float(steepness * std::sin(angle))};
                    for (float standing : {-1e6f, -3.0f, -0.2f, 0.0f, 0.7f, 5.0f, 1e6f}) {
                        Light exact = shade.on(slope, standing), found = table.on(slope, standing);
                        // A step of a picture's darkest tones is 0.0003 of light, of its brightest 0.009.
                        ASSERT_NEAR(found.red, exact.red, 0.004)
                            << steepness << ' ' << degrees << ' ' << standing;
                        ASSERT_NEAR(found.green, exact.green, 0.004) << steepness << ' ' << degrees;
                        ASSERT_NEAR(found.blue, exact.blue, 0.004) << steepness << ' ' << degrees;
                    }
                }
            }
        }
    }
}

TEST(Hillshade, LevelGroundHasTheLightOfOne) {
    for (bool many : {false, true}) {
        for (double elevation : {5.0, 40.0, 90.0}) {
            ShadeOptions options;
            options.many = many;
            options.elevation = elevation;
            Light light = Shade(options).on({0, 0}, 0);
            EXPECT_NEAR(light.red, 1, 1e-5);
            EXPECT_NEAR(light.green, 1, 1e-5);
            EXPECT_NEAR(light.blue, 1, 1e-5);
        }
    }
}

TEST(Hillshade, TheSunIsWhereTheCompassSays) {
    LightDirection north_east = towards(45, 0), up = towards(123, 90), west = towards(270, 60);
    EXPECT_NEAR(north_east.x, std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(north_east.y, -std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(up.z, 1, 1e-6);
    EXPECT_NEAR(west.x, -0.5, 1e-6);
    EXPECT_NEAR(west.z, std::sqrt(0.75), 1e-6);
}

TEST(Hillshade, SlopesBesideWhatIsMissing) {
    // Three metres to the right and five down for each pixel of two metres, with holes.
    Surface surface({5, 7});
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 5; x++) surface.row(y)[x] = float(3 * x + 5 * y);
    surface.row(2)[2] = surface.row(3)[2] = missing;
    Slopes slopes(surface, 2, 2);
    for (int y = 0; y < 7; y++)
        for (int x = 0; x < 5; x++) {
            if (is_missing(surface.row(y)[x])) continue;
            EXPECT_FLOAT_EQ(slopes.at(x, y).x, 1.5f) << x << ' ' << y;
            EXPECT_FLOAT_EQ(slopes.at(x, y).y, 2.5f) << x << ' ' << y;
        }
}

}  // namespace
}  // namespace caprock::test
