// Where rain stands, against water that is poured out cell by cell.
#include "hydrology/lakes.h"

#include "support/terrains.h"

#include <gtest/gtest.h>
#include <vector>

namespace caprock::test {
namespace {

Lakes rained(const Field& height, double metres, const Field* rain = nullptr, FlowRules rules = {}) {
    Progress progress;
    const FlowGraph graph(height, rules, progress);
    return lakes_after_rain(graph, height, rules, metres, rain, progress);
}

double sum(const Field& field) {
    double all = 0;
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++)
            if (!is_missing(field.at(x, y))) all += field.at(x, y);
    return all;
}

// Between walls, so that water is not lost at the sides: a profile.
Field profile(const std::vector<float>& heights) {
    return made_field(Rect::of({int(heights.size()), 3}),
                      [&](int x, int y) { return y == 1 ? heights[size_t(x)] : missing; });
}
const FlowRules walled = {.leaves_at_missing = false};

TEST(Lakes, AHollowFillsAndSpillsIntoTheNext) {
    // From left to right: a border, a hollow of 3 cells that is 2 deep, a rim of 5, a hollow of 2 cells that is 4 deep, a rim of 4.
    Field land = profile({9, 3, 3, 3, 5, 0, 0, 4, -1});
    // Each of the upper three cells sheds 1: its share of the rim's 2 is not reached.
    Field rain = made_field(land.rect(), [](int x, int) { return x >= 1 && x <= 3 ? 1.0f : 0.0f; });
    Lakes some = rained(land, 0, &rain, walled);
    for (int x = 1; x <= 3; x++) EXPECT_FLOAT_EQ(some.depth.at(x, 1), 1) << x;
    EXPECT_EQ(some.depth.at(5, 1), 0);
    EXPECT_EQ(some.left, 0);
    // 9 of them: 6 stay, 3 run over into the lower one.
    rain = made_field(land.rect(), [](int x, int) { return x >= 1 && x <= 3 ? 3.0f : 0.0f; });
    Lakes over = rained(land, 0, &rain, walled);
    for (int x = 1; x <= 3; x++) EXPECT_FLOAT_EQ(over.depth.at(x, 1), 2) << x;
    for (int x = 5; x <= 6; x++) EXPECT_FLOAT_EQ(over.depth.at(x, 1), 1.5f) << x;
    EXPECT_EQ(over.left, 0);
    // 30: both are full, and the rest has left.
    rain = made_field(land.rect(), [](int x, int) { return x >= 1 && x <= 3 ? 10.0f : 0.0f; });
    Lakes all = rained(land, 0, &rain, walled);
    for (int x = 5; x <= 6; x++) EXPECT_FLOAT_EQ(all.depth.at(x, 1), 4) << x;
    EXPECT_DOUBLE_EQ(all.left, 30 - 6 - 8);
}

TEST(Lakes, TwoThatAreFullBecomeOne) {
    // A low rim of 3 between two hollows, within a rim of 8.
    Field land = profile({9, 1, 3, 0, 8, -5});
    auto on = [&](float left, float right) {
        Field rain = made_field(land.rect(), [&](int x, int) {
            return x == 1 ? left : x == 3 ? right : 0.0f;
        });
        return rained(land, 0, &rain, walled);
    };
    // 1 in the left one alone, then 2 are full and go over into the right one, which has room for 3.
    EXPECT_FLOAT_EQ(on(1, 0).depth.at(1, 1), 1);
    EXPECT_FLOAT_EQ(on(4, 0).depth.at(1, 1), 2);
    EXPECT_FLOAT_EQ(on(4, 0).depth.at(3, 1), 2);
    // 5 fill both; 3 more make it one lake, a metre higher over three cells.
    Lakes one = on(8, 0);
    EXPECT_FLOAT_EQ(one.depth.at(1, 1), 3);
    EXPECT_FLOAT_EQ(one.depth.at(2, 1), 1);
    EXPECT_FLOAT_EQ(one.depth.at(3, 1), 4);
    // It does not matter where it fell.
    for (int x = 1; x <= 3; x++) EXPECT_FLOAT_EQ(on(0, 8).depth.at(x, 1), one.depth.at(x, 1));
    // And above 8 it leaves: 7 + 5 + 8 stay.
    EXPECT_NEAR(on(60, 0).left, 40, 1e-9);
}

// Land with hollows within hollows.
Field rough_land(uint32_t purpose, Holes holes = Holes::none) {
    return made_field(Rect::of({83, 71}), [&](int x, int y) {
        if (is_hole(x, y, holes)) return missing;
        return 12 * scattered(x / 9, y / 9, purpose) + 6 * scattered(x / 3, y / 3, purpose + 50) +
               2 * scattered(x, y, purpose + 99);
    });
}

TEST(Lakes, NoWaterIsLostAndEveryLakeIsLevel) {
    for (Holes holes : {Holes::none, Holes::some})
        for (uint32_t purpose : {1u, 2u})
            for (double rain : {0.0, 0.01, 0.2, 1.0, 5.0, 1e4}) {
                SCOPED_TRACE(rain);
                Field land = rough_land(purpose, holes);
                Lakes lakes = rained(land, rain);
                const FieldStatistics all = statistics(land);
                const double fell = rain * double(all.cells - all.missing);
                EXPECT_NEAR(lakes.left + sum(lakes.depth), fell, 1e-6 * fell + 1e-3);
                EXPECT_NEAR(lakes.stands, sum(lakes.depth), 1e-6 * fell + 1e-6);
                Progress progress;
                const FlowGraph graph(land, {}, progress);
                for (size_t i = 0; i < graph.size(); i++) {
                    if (graph.is_missing(i)) continue;
                    const int x = graph.x_of(i), y = graph.y_of(i);
                    const float depth = lakes.depth.at(x, y);
                    ASSERT_GE(depth, 0);
                    ASSERT_LE(land.at(x, y) + depth, graph.level(i) + 1e-4f);
                    if (rain == 1e4) {
                        ASSERT_NEAR(land.at(x, y) + depth, graph.level(i), 1e-4);
                    }
                    if (depth == 0) continue;
                    // To the millimetre, and no dry ground beside it lies lower than the water.
                    graph.each_neighbour(i, [&](size_t there, int) {
                        if (graph.is_missing(there)) return;
                        const float ground = land.at(graph.x_of(there), graph.y_of(there));
                        const float water = lakes.depth.at(graph.x_of(there), graph.y_of(there));
                        if (water > 0) {
                            EXPECT_NEAR(ground + water, land.at(x, y) + depth, 1e-3);
                        } else {
                            EXPECT_GE(ground, land.at(x, y) + depth - 1e-3);
                        }
                    });
                }
            }
}

TEST(Lakes, MoreRainNeverMakesALakeLower) {
    Field land = rough_land(7);
    Field before = rained(land, 0.01).depth;
    for (double rain : {0.05, 0.1, 0.3, 0.8, 2.0}) {
        Field now = rained(land, rain).depth;
        for (int y = 0; y < 71; y++)
            for (int x = 0; x < 83; x++) ASSERT_GE(now.at(x, y), before.at(x, y) - 1e-4f) << rain;
        before = now;
    }
}

TEST(Lakes, LandWithinWallsKeepsAllOfIt) {
    Field walls = made_field(Rect::of({30, 30}), [](int x, int y) {
        if (x < 2 || y < 2 || x > 27 || y > 27) return missing;
        return 20 * scattered(x / 4, y / 4, 3) + scattered(x, y, 4);
    });
    Lakes lakes = rained(walls, 50, nullptr, walled);
    EXPECT_EQ(lakes.left, 0);
    EXPECT_NEAR(sum(lakes.depth), 50.0 * 26 * 26, 1);
    const float level = walls.at(10, 10) + lakes.depth.at(10, 10);
    for (int y = 2; y < 28; y++)
        for (int x = 2; x < 28; x++) EXPECT_NEAR(walls.at(x, y) + lakes.depth.at(x, y), level, 1e-3);
}

}  // namespace
}  // namespace caprock::test
