// The operation; tests/hydrology/lakes_test.cpp is about where the water stands.
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain two_bowls() {
    return terrain_of("height", {60, 30}, 10, [](int x, int y) {
        const float left = std::hypot(float(x - 15), float(y - 15));
        const float right = std::hypot(float(x - 44), float(y - 15));
        return std::min({left, right, 12.0f}) + (x == 59 && y == 15 ? -1.0f : 0.0f);
    });
}

TEST(Lakes, RainIsInMillimetres) {
    const Terrain after = applied("lakes", {{"rain", "1000"}}, two_bowls());
    double water = 0;
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 60; x++) water += after.field("water").at(x, y);
    // A metre on every cell of the bowls, and none of what fell on the border, which has left.
    EXPECT_GT(water, 0.7 * 60 * 30);
    EXPECT_LE(water, 60 * 30);
    EXPECT_TRUE(identical(after.height(), two_bowls().height()));
}

TEST(Lakes, ItMayRainHereAndNotThere) {
    Terrain land = two_bowls();
    land.set("rain", made_field(land.rect(), [](int x, int) { return x < 30 ? 0.5f : 0.0f; }));
    const Field water = applied("lakes", {{"rain", "@rain:0..1000"}}, land).field("water");
    EXPECT_GT(water.at(15, 15), 1);
    EXPECT_EQ(water.at(44, 15), 0);
}

TEST(Lakes, TheSurfaceIsGroundAndWater) {
    const Terrain after = applied("lakes", {{"rain", "400"}, {"surface", "true"}}, two_bowls());
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 60; x++)
            ASSERT_EQ(after.field("water-level").at(x, y),
                      after.height().at(x, y) + after.field("water").at(x, y));
    EXPECT_NEAR(after.field("water-level").at(15, 15), after.field("water-level").at(16, 14), 1e-5);
}

}  // namespace
}  // namespace caprock::test
