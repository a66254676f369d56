// Masks of materials.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain banded() {
    return terrain_of("material", {80, 40}, 2,
                      [](int x, int y) { return is_hole(x, y, Holes::some) ? missing : float(x / 10 % 5); });
}

TEST(MaskMaterial, IsOneWhereTheMaterialIsListed) {
    Terrain terrain = banded();
    Field mask = mask_by("mask-material", {{"materials", "1,3,700"}}, terrain);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 80; x++) {
            float material = terrain.field("material").at(x, y);
            ASSERT_EQ(mask.at(x, y), material == 1 || material == 3 ? 1 : 0);
        }
}

TEST(MaskMaterial, OfNoneIsNothing) {
    FieldStatistics none = statistics(mask_by("mask-material", {{"materials", ""}}, banded()));
    EXPECT_EQ(none.high, 0);
    EXPECT_EQ(none.missing, 0);
}

TEST(MaskMaterial, SoftensAsFeatheringDoes) {
    Terrain terrain = banded();
    Terrain hard = applied("mask-material", {{"materials", "2"}}, terrain);
    Field soft = mask_by("mask-material", {{"materials", "2"}, {"softness", "9"}}, terrain);
    EXPECT_TRUE(identical(soft, mask_by("mask-feather", {{"radius", "9"}}, hard)));
    EXPECT_FALSE(identical(soft, hard.field("mask")));
}

}  // namespace
}  // namespace caprock::test
