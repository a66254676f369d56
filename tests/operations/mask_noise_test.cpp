// Patches cover as much ground as they should.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field patches(const Parameters& settings, Size size, double cell = 8) {
    return mask_by("mask-noise", settings, Terrain(Grid{Rect::of(size), cell, {0, 1000}}));
}

double covered(const Field& mask) {
    int64_t count = 0;
    const Field::Rows rows = mask.rows();
    for (int y = 0; y < mask.rect().height(); y++)
        for (int x = 0; x < mask.rect().width(); x++) count += rows[y][x] >= 0.5f ? 1 : 0;
    return double(count) / double(mask.rect().cells());
}

TEST(MaskNoise, CoversWhatItShould) {
    // Ten thousand features: what chance does to the share is under a percent.
    for (const char* octaves : {"1", "3", "8"})
        for (double coverage : {0.02, 0.1, 0.3, 0.5, 0.8, 0.95})
            EXPECT_NEAR(
                covered(patches(
                    {{"coverage", std::to_string(coverage)}, {"octaves", octaves}, {"feature", "160"}},
                    {2000, 2000})),
                coverage, 0.015)
                << octaves << " octaves";
}

TEST(MaskNoise, CoversNothingAtNoneAndEverythingAtOne) {
    for (const char* softness : {"0", "0.4", "1"}) {
        EXPECT_EQ(statistics(patches({{"coverage", "0"}, {"softness", softness}}, {300, 200})).high, 0);
        EXPECT_EQ(statistics(patches({{"coverage", "1"}, {"softness", softness}}, {300, 200})).low, 1);
    }
}

TEST(MaskNoise, SoftnessWidensEdgesAndMovesNone) {
    Parameters settings = {{"softness", "0"}, {"feature", "400"}};
    Field hard = patches(settings, {400, 300});
    int64_t before = 0;
    for (const char* softness : {"0.2", "0.6", "1"}) {
        settings[0].second = softness;
        Field soft = patches(settings, {400, 300});
        int64_t between = 0;
        for (int y = 0; y < 300; y++)
            for (int x = 0; x < 400; x++) {
                float value = soft.at(x, y);
                between += value > 0 && value < 1 ? 1 : 0;
                // A threshold rounded to floats may decide a tie the other way.
                if (std::fabs(value - 0.5f) < 1e-4f) continue;
                ASSERT_EQ(value > 0.5f, hard.at(x, y) == 1);
            }
        EXPECT_GT(between, before);
        before = between;
    }
    EXPECT_EQ(statistics(hard).low, 0);
    EXPECT_EQ(statistics(hard).high, 1);
}

TEST(MaskNoise, TwiceTheResolutionHasTheSamePatches) {
    Parameters settings = {{"octaves", "3"}, {"softness", "0.5"}};
    Field coarse = patches(settings, {100, 80}, 8);
    Field fine = patches(settings, {200, 160}, 4);
    for (int y = 0; y < 80; y++)
        for (int x = 0; x < 100; x++) ASSERT_NEAR(coarse.at(x, y), fine.at(2 * x, 2 * y), 1e-3);
}

TEST(MaskNoise, AnotherSeedGivesOtherPatches) {
    EXPECT_FALSE(identical(patches({{"seed", "1"}}, {64, 64}), patches({{"seed", "2"}}, {64, 64})));
}

}  // namespace
}  // namespace caprock::test
