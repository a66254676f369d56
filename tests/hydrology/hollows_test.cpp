// Filled, carved and breached: what is left holds no water, and what was done is as little as can be.
#include "hydrology/hollows.h"

#include "flow_reference.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field bumpy(Size size, uint32_t purpose = 1) {
    return made_field(Rect::of(size), [&](int x, int y) {
        return 40 * scattered(x, y, purpose) + 30 * std::sin(float(x) * 0.2f) * std::cos(float(y) * 0.23f);
    });
}

// Whether from every cell water can go on without rising.
void expect_no_hollows(const Field& height) {
    const PlainLand plain(height);
    const std::vector<float> level = plain.spill_levels();
    for (size_t i = 0; i < plain.count(); i++) {
        if (std::isnan(plain.cells[i])) continue;
        ASSERT_EQ(plain.cells[i], level[i]) << plain.column(i) << "," << plain.row(i);
    }
}

TEST(Hollows, FilledWithASlopeEveryCellHasALowerNeighbour) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Field height = rough_terrain({90, 70}, holes).height();
        for (const Field& land : {height, bumpy({80, 75})}) {
            Progress progress;
            const FlowGraph graph(land, {}, progress);
            const Field filled = filled_hollows(graph, 4, 0.001);
            const Field level = filled_hollows(graph, 4, 0);
            const PlainLand plain(filled), before(land), full(level);
            expect_no_hollows(level);
            expect_no_hollows(filled);
            for (size_t i = 0; i < plain.count(); i++) {
                if (std::isnan(plain.cells[i])) continue;
                ASSERT_GE(plain.cells[i], full.cells[i]);
                // Rising a millimetre a metre from the rim, it is soon there.
                ASSERT_LE(plain.cells[i], full.cells[i] + 0.001f * 4 * 400);
                if (!plain.may_leave(i)) {
                    ASSERT_TRUE(plain.steepest(i)) << i;
                }
            }
        }
    }
}

TEST(Hollows, CarvedLandIsNowhereHigherThanUpstream) {
    Field land = bumpy({81, 66});
    Progress progress;
    const FlowGraph graph(land, {}, progress);
    const Field carved = carved_hollows(graph);
    expect_no_hollows(carved);
    for (size_t i = 0; i < graph.size(); i++) {
        const float here = carved.at(graph.x_of(i), graph.y_of(i));
        ASSERT_LE(here, graph.height(i));
        if (graph.leaves(i)) continue;
        const size_t next = graph.receiver(i);
        ASSERT_LE(carved.at(graph.x_of(next), graph.y_of(next)), here);
    }
}

TEST(Hollows, BreachedLandHoldsNoWater) {
    for (uint32_t purpose : {1u, 2u, 3u}) {
        Field land = bumpy({70, 64}, purpose);
        Progress progress;
        const FlowGraph graph(land, {}, progress);
        const Field breached = breached_hollows(graph, {}, 5, {}, progress);
        expect_no_hollows(breached);
        for (size_t i = 0; i < graph.size(); i++)
            ASSERT_LE(breached.at(graph.x_of(i), graph.y_of(i)), graph.height(i));
    }
}

TEST(Hollows, ADamIsCutThroughWhereItIsThinnest) {
    // A valley behind a dam of 10 m that is two cells thick in one place and six elsewhere; its lowest place is elsewhere too.
    Field valley = made_field(Rect::of({60, 31}), [](int x, int y) {
        const float side = float(std::abs(y - 15)) * 0.2f + (std::abs(y - 15) > 6 ? 20.0f : 0.0f);
        const bool dam = x >= 30 && x < (y == 19 ? 32 : 36);
        return 100 - float(x) * 0.1f + side + (dam ? (y == 9 ? 8.0f : 10.0f) : 0.0f);
    });
    Progress progress;
    const FlowGraph graph(valley, {}, progress);
    const Field breached = breached_hollows(graph, {}, 1, {}, progress);
    expect_no_hollows(breached);
    // Aslant from the middle of the valley to where the dam ends the soonest: two of its cells.
    int through = 0, cut = 0;
    for (int y = 0; y < 31; y++)
        for (int x = 0; x < 60; x++) {
            through += breached.at(x, y) < valley.at(x, y) - 5;
            cut += breached.at(x, y) < valley.at(x, y);
        }
    EXPECT_EQ(through, 2);
    EXPECT_LE(cut, 8);
    for (int x = 32; x < 36; x++) EXPECT_LT(breached.at(x, 19), valley.at(x, 19)) << x;
    // Too deep for what is allowed, it stays.
    const Field kept = breached_hollows(graph, {}, 1, {.deepest = 2}, progress);
    EXPECT_TRUE(identical(kept, valley));
    const Field near = breached_hollows(graph, {}, 1, {.longest = 2}, progress);
    EXPECT_TRUE(identical(near, valley));
}

}  // namespace
}  // namespace caprock::test
