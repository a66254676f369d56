// What is cut out, and what is not.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain with_mask(const std::string& name, Holes holes) {
    Terrain terrain = rough_terrain({67, 41}, holes);
    terrain.set(name, made_field(terrain.rect(), [](int x, int y) { return patchy(x, y, true); }));
    return terrain;
}

TEST(CutOut, HeightsGoWhereTheMaskIsAtLeastTheThreshold) {
    Terrain input = with_mask("cut", Holes::some);
    for (double threshold : {0.0, 0.25, 0.5, 1.0}) {
        Field after = applied("cut-out", {{"threshold", std::to_string(threshold)}}, input).height();
        int cut = 0;
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 67; x++) {
                float height = input.height().at(x, y);
                bool goes = double(input.field("cut").at(x, y)) >= threshold;  // of a missing cell: no
                ASSERT_EQ(is_missing(after.at(x, y)), goes || is_missing(height)) << x << "," << y;
                if (!is_missing(after.at(x, y))) {
                    ASSERT_EQ(after.at(x, y), height);
                }
                cut += goes && !is_missing(height);
            }
        EXPECT_GT(cut, 100) << threshold;
        EXPECT_LT(cut, 67 * 41) << threshold;
    }
}

TEST(CutOut, TakesTheMaskItIsGivenAndChangesNothingElse) {
    Terrain input = with_mask("lake", Holes::none);
    Terrain after = applied("cut-out", {{"mask", "lake"}}, input);
    EXPECT_EQ(after.names(), input.names());
    EXPECT_GT(statistics(after.height()).missing, 0);
    for (const char* other : {"hardness", "lake"})
        EXPECT_TRUE(identical(after.field(other), input.field(other))) << other;
}

TEST(CutOut, NeedsItsMask) {
    Terrain input = rough_terrain({20, 10});
    EXPECT_ANY_THROW(applied("cut-out", {}, input));
}

TEST(CutOut, WhatIsCutCanBeFilled) {
    Terrain input = with_mask("cut", Holes::none);
    Terrain filled = applied("fill-holes", {}, applied("cut-out", {}, input));
    EXPECT_EQ(statistics(filled.height()).missing, 0);
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++)
            if (!(input.field("cut").at(x, y) >= 0.5f)) {
                ASSERT_EQ(filled.height().at(x, y), input.height().at(x, y));
            }
}

}  // namespace
}  // namespace caprock::test
