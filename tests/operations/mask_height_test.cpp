// A mask by height against its definition in doubles.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(MaskHeight, IsOneBetweenAndFallsOffOutside) {
    Terrain terrain = rough_terrain({67, 41}, Holes::some);
    for (const char* softness : {"0", "0.001", "15", "100000"}) {
        Field mask = mask_by("mask-height", {{"between", "90:120"}, {"softness", softness}}, terrain);
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 67; x++) {
                double height = terrain.height().at(x, y);
                if (is_missing(float(height))) {
                    ASSERT_EQ(mask.at(x, y), 0);
                    continue;
                }
                double outside = std::max(90 - height, height - 120);
                ASSERT_NEAR(mask.at(x, y), falloff(outside, std::stod(softness)), 1e-5) << height;
            }
    }
}

TEST(MaskHeight, FallsFromOneToZeroWithoutARise) {
    Terrain ramp = terrain_of("height", {3000, 1}, 1, [](int x, int) { return float(x) * 0.1f; });
    Field mask = mask_by("mask-height", {{"between", "0:100"}, {"softness", "100"}}, ramp);
    EXPECT_EQ(mask.at(1000, 0), 1);
    EXPECT_NEAR(mask.at(1500, 0), 0.5, 1e-5);
    EXPECT_EQ(mask.at(2000, 0), 0);
    for (int x = 1; x < 3000; x++) ASSERT_LE(mask.at(x, 0), mask.at(x - 1, 0)) << x;
}

TEST(MaskHeight, WritesTheFieldItIsGivenAndNoOther) {
    Terrain terrain = rough_terrain({20, 10});
    Terrain result = applied("mask-height", {{"field", "snow"}}, terrain);
    EXPECT_EQ(result.names(), (std::vector<std::string>{"height", "hardness", "snow"}));
    EXPECT_TRUE(identical(result.height(), terrain.height()));
}

TEST(MaskHeight, InfiniteHeightsAreOutside) {
    Terrain terrain = terrain_of("height", {3, 1}, 1, [](int x, int) {
        return x == 0 ? INFINITY : x == 1 ? -INFINITY : 600.0f;
    });
    Field mask = mask_by("mask-height", {}, terrain);
    EXPECT_EQ(mask.at(0, 0), 0);
    EXPECT_EQ(mask.at(1, 0), 0);
    EXPECT_EQ(mask.at(2, 0), 1);
}

}  // namespace
}  // namespace caprock::test
