// Equation 5 of Table mountains: rounding to the nearest of the levels, ties downwards.
#include "base/error.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

Terrain classified(const Terrain& input, const Parameters& parameters) {
    return applied("materials", parameters, input);
}

// A row of cells of these heights.
Terrain row_of(const std::vector<float>& heights, Interval range) {
    Terrain terrain({Rect::of({int(heights.size()), 1}), 1, range});
    terrain.set("height", made_field(terrain.rect(), [&](int x, int) { return heights[size_t(x)]; }));
    return terrain;
}

std::vector<float> materials_of(const std::vector<float>& heights, Interval range, int count) {
    Terrain output = classified(row_of(heights, range), {{"count", std::to_string(count)}});
    std::vector<float> materials;
    for (int x = 0; x < int(heights.size()); x++) materials.push_back(output.field("material").at(x, 0));
    return materials;
}

TEST(Materials, WorkedOutByHand) {
    // 4 G is 0, 0.4, 0.5, 0.504, 2, 3.5, 3.6 and 4.
    EXPECT_EQ(materials_of({0, 0.1f, 0.125f, 0.126f, 0.5f, 0.875f, 0.9f, 1}, {0, 1}, 5),
              (std::vector<float>{0, 0, 0, 1, 2, 3, 4, 4}));
    // 2 G is 0, 0.5, 0.6, 1, 1.5, 1.502 and 2, on a range that does not begin at 0.
    EXPECT_EQ(materials_of({-200, -75, -50, 50, 175, 175.5f, 300}, {-200, 300}, 3),
              (std::vector<float>{0, 0, 1, 1, 1, 2, 2}));
}

TEST(Materials, FollowEquation5) {
    Size size{67, 41};
    Terrain input = rough_terrain(size);  // heights of 40 to 212 m
    for (Interval range : {Interval{0, 300}, Interval{-200, 300}, Interval{100, 150}, Interval{0.1, 217.3}})
        for (int count : {1, 2, 3, 5, 9, 16, 1000}) {
            input.set_range(range);
            Terrain output = classified(input, {{"count", std::to_string(count)}});
            int compared = 0;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    double unit = (double(input.height().at(x, y)) - range.low) / range.span();
                    double level = (count - 1) * std::min(std::max(unit, 0.0), 1.0);
                    // Within rounding of a tie a cell may fall either way.
                    if (std::abs(level - std::floor(level) - 0.5) < 1e-6 * count) continue;
                    compared++;
                    ASSERT_EQ(output.field("material").at(x, y), std::floor(std::ceil(2 * level) / 2))
                        << x << "," << y << " of " << count << " in " << range.low << ":" << range.high;
                }
            EXPECT_GT(compared, 0.99 * size.width * size.height);
        }
}

TEST(Materials, TiesGoDownwards) {
    // Levels are two metres apart, and odd heights lie exactly between two of them.
    for (int last = 1; last <= 300; last++) {
        std::vector<float> ties, above, lower, upper;
        for (int k = 0; k < last; k++) {
            ties.push_back(float(2 * k + 1));
            above.push_back(float(2 * k + 1) + 0.01f);
            lower.push_back(float(k));
            upper.push_back(float(k + 1));
        }
        ASSERT_EQ(materials_of(ties, {0, 2.0 * last}, last + 1), lower);
        ASSERT_EQ(materials_of(above, {0, 2.0 * last}, last + 1), upper);
    }
    EXPECT_EQ(materials_of({-150, -50, 50, 150, 250}, {-200, 300}, 6), (std::vector<float>{0, 1, 2, 3, 4}));
    // The next float above a tie.
    float more = std::nextafter(0.125f, 1.0f);
    EXPECT_EQ(materials_of({0.125f, more}, {0, 1}, 5), (std::vector<float>{0, 1}));
}

TEST(Materials, IndicesGoFromZeroToTheLast) {
    for (int count : {1, 2, 3, 7, 256, 4097, 65536})
        for (Interval range : {Interval{0, 1}, Interval{-200, 300}, Interval{0.1, 0.3}})
            EXPECT_EQ(materials_of({float(range.low), float(range.high)}, range, count),
                      (std::vector<float>{0, float(count - 1)}));
}

TEST(Materials, ValuesOutsideTheRangeBelongToItsEnds) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    std::vector<float> heights = {-infinite, -1e30f, -201, 301, 1e30f, infinite};
    EXPECT_EQ(materials_of(heights, {-200, 300}, 4), (std::vector<float>{0, 0, 0, 3, 3, 3}));
    EXPECT_EQ(materials_of(heights, {-200, 300}, 1), std::vector<float>(6, 0.0f));
}

TEST(Materials, RangesAtTheEdgeOfFloatsMakeNothingMissing) {
    EXPECT_EQ(materials_of({-1, 0, 1}, {0, 1e-60}, 5), (std::vector<float>{0, 0, 4}));
    EXPECT_EQ(materials_of({0, 3e38f}, {0, 3e38}, 65536), (std::vector<float>{0, 65535}));
}

TEST(Materials, ZeroIsNeverNegative) {
    std::vector<float> heights = {0.0f, -0.0f, -5, 1e-30f, -1e-30f, -1e30f, 0.1f};
    for (const NamedDevice& named : all_devices())
        for (const char* count : {"1", "2", "5"}) {
            RunContext context = on(named.device);
            Terrain output =
                run(*made_operation("materials", {{"count", count}}), row_of(heights, {0, 1}), context);
            for (int x = 0; x < int(heights.size()); x++) {
                float index = output.field("material").at(x, 0);
                EXPECT_EQ(index, 0) << heights[size_t(x)];
                EXPECT_FALSE(std::signbit(index)) << heights[size_t(x)] << " on " << named.name;
            }
        }
}

TEST(Materials, AMissingCellHasNoMaterial) {
    for (const char* count : {"1", "5"})
        for (Holes holes : {Holes::some, Holes::all}) {
            Terrain input = rough_terrain({67, 41}, holes);
            Terrain output = classified(input, {{"count", count}});
            for (int y = 0; y < 41; y++)
                for (int x = 0; x < 67; x++)
                    ASSERT_EQ(is_missing(output.field("material").at(x, y)), is_hole(x, y, holes));
        }
}

TEST(Materials, AnotherSurfaceMayDecide) {
    Terrain input = rough_terrain({67, 41});
    Terrain output = classified(input, {{"from", "hardness"}, {"count", "3"}});
    EXPECT_TRUE(identical(input.height(), output.height()));
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) {
            // On 0..1, whatever the height range is.
            float value = input.field("hardness").at(x, y);
            ASSERT_EQ(output.field("material").at(x, y), value <= 0.25f ? 0 : value <= 0.75f ? 1 : 2);
        }
    // The materials themselves as well: a field that is read is not yet written.
    input.set("material", input.field("hardness"));
    Terrain again = classified(input, {{"from", "material"}, {"count", "3"}});
    EXPECT_TRUE(identical(again.field("material"), output.field("material")));
}

TEST(Materials, NeedTheFieldTheyAreMadeFrom) {
    try {
        classified(rough_terrain({4, 4}), {{"from", "strata"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "materials: needs the field 'strata'; the terrain has height and hardness");
    }
}

}  // namespace
}  // namespace caprock::test
