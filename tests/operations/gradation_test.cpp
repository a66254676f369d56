// Equations 6 to 8 of Table mountains, in metres of the height range.
#include "base/error.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

using Row = std::vector<float>;

Terrain graded(const Terrain& input, const Parameters& parameters) {
    return applied("gradation", parameters, input);
}

Row heights_of(const Row& heights, const Row& hardness, Interval range, const Parameters& parameters) {
    Terrain input({Rect::of({int(heights.size()), 1}), 1, range});
    input.set("height", made_field(input.rect(), [&](int x, int) { return heights[size_t(x)]; }));
    input.set("hardness", made_field(input.rect(), [&](int x, int) { return hardness[size_t(x)]; }));
    Terrain output = graded(input, parameters);
    Row result;
    for (int x = 0; x < int(heights.size()); x++) result.push_back(output.height().at(x, 0));
    return result;
}

TEST(Gradation, WorkedOutByHand) {
    EXPECT_EQ(heights_of({1, 0.5f, 0.75f, 0.25f}, {1, 0.5f, 0, 0}, {0, 1}, {{"erosion", "0.5"}}),
              (Row{1, 0.25f, 0.25f, -0.25f}));
    // 0.25 of 400 m; 1, a half, a quarter and nothing of it.
    EXPECT_EQ(heights_of({200, 0, -150, -200}, {0, 0.5f, 0.75f, 1}, {-200, 200}, {{"erosion", "0.25"}}),
              (Row{100, -50, -175, -200}));
}

TEST(Gradation, FollowsTheEquations) {
    Size size{67, 41};
    for (Interval range : {Interval{0, 300}, Interval{-200, 300}, Interval{100, 110}})
        for (double erosion : {0.0, 0.33, 0.5, 1.0})
            for (bool caprock : {false, true}) {
                Terrain input = rough_terrain(size);
                input.set_range(range);
                Terrain output = graded(
                    input, {{"erosion", std::to_string(erosion)}, {"caprock", caprock ? "true" : "false"}});
                int tops = 0;
                for (int y = 0; y < size.height; y++)
                    for (int x = 0; x < size.width; x++) {
                        double hardness = input.field("hardness").at(x, y);
                        double unit = (input.height().at(x, y) - range.low) / range.span();
                        unit -= erosion * (1 - hardness);
                        if (caprock && hardness == 1) unit = 1;
                        tops += hardness == 1;
                        ASSERT_NEAR(output.height().at(x, y), range.low + unit * range.span(), 1e-4);
                    }
                EXPECT_GT(tops, 50) << "nothing of hardness 1 was tried";
                EXPECT_TRUE(identical(input.field("hardness"), output.field("hardness")));
            }
}

TEST(Gradation, NothingIsCutOffBelowTheRange) {
    EXPECT_EQ(heights_of({0, 10}, {0, 0}, {0, 1000}, {{"erosion", "1"}}), (Row{-1000, -990}));
}

TEST(Gradation, NoErosionChangesNothing) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    EXPECT_TRUE(identical(input.height(), graded(input, {{"erosion", "0"}}).height()));
    input.set("hardness", Field(input.rect(), 1.0f));
    EXPECT_TRUE(identical(input.height(), graded(input, {{"erosion", "1"}}).height()));
}

TEST(Gradation, CaprockIsFlatAndOnlyOfHardnessOne) {
    constexpr float nearly = 0.9999f;
    Row heights = {-100, 250, 400, 250};
    Row hardness = {1, 1, 1, nearly};
    Row capped = heights_of(heights, hardness, {-200, 300}, {{"caprock", "true"}});
    Row bare = heights_of(heights, hardness, {-200, 300}, {});
    for (size_t x : {0u, 1u, 2u}) {
        EXPECT_EQ(capped[x], 300);
        EXPECT_EQ(bare[x], heights[x]);
    }
    EXPECT_NEAR(capped[3], 250 - 0.5 * 500 * 0.0001, 1e-4);
    EXPECT_EQ(capped[3], bare[3]);
    // Exactly the upper end, also where that is no float.
    EXPECT_EQ(heights_of({0.2f}, {1}, {0.1, 0.3}, {{"caprock", "true"}}), (Row{float(0.3)}));
}

TEST(Gradation, AMissingHeightStaysMissingAndNothingElseBecomesSo) {
    Row heights = {missing, missing, 0.75f, 0.75f};
    Row hardness = {1, missing, missing, 1};
    for (const char* caprock : {"false", "true"}) {
        Row result = heights_of(heights, hardness, {0, 1}, {{"caprock", caprock}});
        EXPECT_TRUE(is_missing(result[0]));
        EXPECT_TRUE(is_missing(result[1]));
        EXPECT_EQ(result[2], 0.25f) << "rock of unknown hardness erodes freely";
    }
}

TEST(Gradation, HardnessOutsideItsRangeIsThatOfItsEnds) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    EXPECT_EQ(heights_of({0.75f, 0.75f, 0.75f, 0.75f}, {-3, 7, -infinite, infinite}, {0, 1}, {}),
              (Row{0.25f, 0.75f, 0.25f, 0.75f}));
}

// Fig. 18: where hardness never falls with the height, higher ground stays higher; where it does, a hollow.
TEST(Gradation, RisingHardnessKeepsTheOrderOfHeights) {
    auto falls_after = [](const char* table) {
        Terrain slope({Rect::of({1001, 1}), 1, {0, 1000}});
        slope.set("height", made_field(slope.rect(), [](int x, int) { return float(x); }));
        RunContext context = on_cpu();
        slope = run(*made_operation("materials", {{"count", "5"}}), slope, context);
        slope = run(*made_operation("hardness", {{"table", table}}), slope, context);
        slope = graded(slope, {{"caprock", "true"}});
        int falls = 0;
        for (int x = 1; x <= 1000; x++) falls += slope.height().at(x, 0) < slope.height().at(x - 1, 0);
        return falls;
    };
    for (const char* rising : {"0,0.25,0.5,0.75,1", "0,0.25,0.25,0.25,1", "0.1,0.2,0.3,0.9,1"})
        EXPECT_EQ(falls_after(rising), 0) << rising;
    EXPECT_GT(falls_after("0,0.25,1,0.5,0.9"), 0);
}

TEST(Gradation, NeedsToKnowHowHardRockIs) {
    Terrain input = rough_terrain({4, 4});
    input.remove("hardness");
    try {
        graded(input, {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "gradation: needs the field 'hardness'; the terrain has height");
    }
}

}  // namespace
}  // namespace caprock::test
