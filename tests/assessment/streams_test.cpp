// Measures of streams, on networks whose numbers are known.
#include "assessment/streams.h"

#include "assessment/concavity.h"
#include "assessment/hack.h"
#include "assessment/horton.h"
#include "peano_basin.h"
#include "support/fields.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace caprock::test {
namespace {

struct Drained {
    Field height;
    double cell;
    Progress progress = {};
    FlowGraph graph{height, FlowRules{}, progress};
    Streams streams{graph, cell, progress};
};

// Rough land of some size that falls to one side, so that it has streams.
Field rough_slope(Size size) {
    const Terrain terrain = rough_terrain(size, Holes::some);
    return made_field(terrain.rect(), [&](int x, int y) {
        return terrain.height().at(x, y) + 0.5f * float(x) + 0.3f * float(y);
    });
}

// Everything there is to a network, found from receivers alone. Returns the highest order.
int checked_by_hand(const Field& height) {
    Drained land{height, 4};
    const FlowGraph& graph = land.graph;
    // What drains straight to each cell.
    std::map<size_t, std::vector<size_t>> donors;
    for (size_t cell = 0; cell < graph.size(); cell++)
        if (!graph.is_missing(cell) && !graph.leaves(cell)) donors[graph.receiver(cell)].push_back(cell);
    std::vector<uint32_t> area(graph.size());
    std::vector<double> longest(graph.size());
    std::vector<int> order(graph.size());
    const std::vector<uint32_t> sequence = graph.upstream_first();
    int highest = 0;
    for (uint32_t cell : sequence) {
        area[cell] = 1;
        int best = 0, times = 0;
        for (size_t donor : donors[cell]) {
            area[cell] += area[donor];
            const int width = graph.rect().width();
            const int dx = int(donor) % width - int(cell) % width,
                      dy = int(donor) / width - int(cell) / width;
            EXPECT_DOUBLE_EQ(land.streams.step(donor), 4 * std::hypot(dx, dy));
            longest[cell] = std::max(longest[cell], longest[donor] + 4 * std::hypot(dx, dy));
            if (order[donor] > best) times = 0;
            best = std::max(best, order[donor]);
            times += order[donor] == best;
        }
        if (area[cell] >= stream_area) order[cell] = best == 0 ? 1 : times > 1 ? best + 1 : best;
        highest = std::max(highest, order[cell]);
    }
    uint64_t leaving = 0, known = 0;
    for (size_t cell = 0; cell < graph.size(); cell++) {
        EXPECT_EQ(land.streams.area(cell), area[cell]) << cell;
        EXPECT_NEAR(land.streams.longest_way(cell), longest[cell], 1e-2) << cell;
        EXPECT_EQ(land.streams.order(cell), order[cell]) << cell;
        known += !graph.is_missing(cell);
        if (graph.leaves(cell)) leaving += area[cell];
    }
    EXPECT_EQ(leaving, known) << "whatever falls on the land leaves it";
    EXPECT_EQ(land.streams.highest_order(), highest);
    return highest;
}

TEST(Streams, AreWhatTheyAreByHand) {
    EXPECT_GE(checked_by_hand(rough_slope({260, 230})), 2);
    EXPECT_EQ(checked_by_hand(PeanoBasin(4, 16).heights([](double) { return 0.01; }, 0.5)), 5);
}

TEST(Horton, OfPeanosBasin) {
    const PeanoBasin basin(4, 16);
    Drained land{basin.heights([](double) { return 0.01; }, 0.5), 1};
    const Horton made = horton(land.streams);
    const std::vector<int64_t> expected = basin.streams_of_orders();
    ASSERT_EQ(expected, (std::vector<int64_t>{171, 43, 11, 3, 1}));
    ASSERT_EQ(made.orders.size(), expected.size());
    for (size_t i = 0; i < expected.size(); i++) EXPECT_EQ(made.orders[i].streams, expected[i]) << i;
    // Four times as many, two times as long and four times as much ground from one to the next.
    EXPECT_NEAR(made.bifurcation.value(), 4, 0.4);
    EXPECT_NEAR(made.length.value(), 2, 0.3);
    EXPECT_NEAR(made.area.value(), 4, 0.5);
}

TEST(Hack, OfPeanosBasinIsAHalf) {
    const PeanoBasin basin(5, 16);
    Drained land{basin.heights([](double) { return 0.01; }, 0.5), 30};
    EXPECT_NEAR(hack(land.streams).exponent.value(), 0.5, 0.03);
}

TEST(Concavity, IsWhatSlopesWereMadeWith) {
    const PeanoBasin basin(5, 16);
    for (double theta : {0.3, 0.45}) {
        Drained land{basin.heights([&](double area) { return 0.3 * std::pow(area, -theta); }, 0.5), 1};
        const Concavity made = concavity(land.streams, land.height, land.graph.filled(), 0.01);
        EXPECT_NEAR(made.theta.value(), theta, 0.05 * theta);
    }
}

TEST(Streams, AreNoneOfLandThatIsTooSmall) {
    for (Size size : {Size{1, 1}, Size{1, 50}, Size{9, 9}}) {
        Drained land{made_field(Rect::of(size), [](int x, int y) { return float(x + 2 * y); }), 1};
        EXPECT_EQ(land.streams.highest_order(), 0);
        EXPECT_EQ(hack(land.streams).exponent.why(), "too few streams");
        EXPECT_EQ(concavity(land.streams, land.height, land.graph.filled(), 0.01).theta.why(),
                  "too few streams that fall");
        EXPECT_EQ(horton(land.streams).bifurcation.why(), "too few orders of streams");
        EXPECT_TRUE(horton(land.streams).orders.empty());
    }
}

}  // namespace
}  // namespace caprock::test
