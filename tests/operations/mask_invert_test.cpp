// The opposite of a mask.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(MaskInvert, IsOneLess) {
    Terrain terrain = terrain_of("mask", {40, 30}, 1, [](int x, int y) { return patchy(x, y, true); });
    const Field& before = terrain.field("mask");
    Field after = mask_by("mask-invert", {}, terrain);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) {
            ASSERT_EQ(is_missing(after.at(x, y)), is_missing(before.at(x, y)));
            if (is_missing(before.at(x, y))) continue;
            ASSERT_EQ(after.at(x, y), 1 - before.at(x, y));
        }
}

TEST(MaskInvert, TakesWhatIsNoMaskForTheNearestOne) {
    Terrain terrain = terrain_of("mask", {2, 1}, 1, [](int x, int) { return x == 0 ? -3.0f : 250.0f; });
    Field after = mask_by("mask-invert", {}, terrain);
    EXPECT_EQ(after.at(0, 0), 1);
    EXPECT_EQ(after.at(1, 0), 0);
}

}  // namespace
}  // namespace caprock::test
