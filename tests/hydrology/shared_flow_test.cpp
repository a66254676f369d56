// Drained areas on ground where they are known, and their balance where they are not.
#include "hydrology/shared_flow.h"

#include "support/terrains.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

namespace caprock::test {
namespace {

enum class FlowSharing { multiple, single };

struct Drained {
    Drained(const Field& height, FlowSharing sharing, double cell = 1)
        : graph(height, {}, progress),
          shared(graph),
          areas(sharing == FlowSharing::single ? square_metres(graph, graph.areas(progress), cell)
                                               : square_metres(graph, shared.areas(progress), cell)) {}

    bool leaves(int x, int y) const { return graph.leaves(graph.number(x, y)); }

    // What leaves the terrain in all.
    double leaving() const {
        double sum = 0;
        const Rect& rect = areas.rect();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++)
                if (leaves(x, y)) sum += areas.at(x, y);
        return sum;
    }

    Progress progress;
    FlowGraph graph;
    SharedFlow shared;
    Field areas;
};

TEST(SharedFlow, APlaneDrainsRowByRow) {
    Field plane = made_field(Rect::of({40, 25}), [](int x, int) { return float(1000 - 3 * x); });
    Drained single(plane, FlowSharing::single, 5);
    Drained multiple(plane, FlowSharing::multiple, 5);
    for (int x = 0; x < 40; x++) {
        double column = 0;
        for (int y = 0; y < 25; y++) {
            ASSERT_EQ(single.areas.at(x, y), 25 * (x + 1)) << x << "," << y;
            column += multiple.areas.at(x, y);
        }
        // Neighbours above and below share, but nothing is lost on the way.
        ASSERT_NEAR(column, 25.0 * 25 * (x + 1), 1e-3);
    }
}

TEST(SharedFlow, ADiagonalPlaneDrainsAlongItsDiagonals) {
    Field plane = made_field(Rect::of({30, 30}), [](int x, int y) { return float(1000 - 2 * x - 2 * y); });
    Drained single(plane, FlowSharing::single);
    for (int y = 0; y < 29; y++)
        for (int x = 0; x < 29; x++) ASSERT_EQ(single.areas.at(x, y), std::min(x, y) + 1);
}

TEST(SharedFlow, AllWaterLeaves) {
    for (Holes holes : {Holes::none, Holes::some})
        for (FlowSharing sharing : {FlowSharing::single, FlowSharing::multiple}) {
            Field height = rough_terrain({211, 157}, holes).height();
            Drained drained(height, sharing, 4);
            FieldStatistics all = statistics(height);
            EXPECT_NEAR(drained.leaving(), 16.0 * double(all.cells - all.missing), 1);
            EXPECT_EQ(statistics(drained.areas).missing, all.missing);
            EXPECT_EQ(statistics(drained.areas).low, 16);
        }
}

TEST(SharedFlow, ABowlOverflowsAtItsLowestPass) {
    // Higher towards the rim, and a notch in it.
    Field bowl = made_field(Rect::of({41, 41}), [](int x, int y) {
        if (x == 40 && y == 20) return 150.0f;
        return float((x - 20) * (x - 20) + (y - 20) * (y - 20));
    });
    for (FlowSharing sharing : {FlowSharing::single, FlowSharing::multiple}) {
        Drained drained(bowl, sharing);
        // All but the corners, which fall outwards nowhere, and so drain inwards too.
        EXPECT_TRUE(drained.leaves(40, 20));
        EXPECT_EQ(drained.areas.at(40, 20), 41 * 41);
    }
}

TEST(SharedFlow, WaterOutOfAHollowFollowsItsBottom) {
    // A bent trench below level ground ends before the border; water crosses it along its floor.
    auto trench = [](int x, int y) {
        return (x == 10 && y >= 5 && y <= 30) || (y == 30 && x >= 10 && x <= 35);
    };
    Field ground = made_field(Rect::of({40, 40}), [&](int x, int y) {
        if (trench(x, y)) return 50.0f;
        // The pass is at the far end of the trench.
        return y == 30 && x > 35 ? 60.0f : 100.0f + float(39 - x) + float(39 - y) * 0.5f;
    });
    Drained drained(ground, FlowSharing::single);
    for (int x = 12; x < 35; x++) EXPECT_GE(drained.areas.at(x + 1, 30), drained.areas.at(x, 30)) << x;
    for (int y = 6; y < 28; y++) EXPECT_GE(drained.areas.at(10, y + 1), drained.areas.at(10, y)) << y;
    EXPECT_GT(drained.areas.at(35, 30), 100);
    EXPECT_TRUE(drained.leaves(39, 30));
}

TEST(SharedFlow, WaterRunsIntoHoles) {
    Field funnel = made_field(Rect::of({31, 31}), [](int x, int y) {
        if (x == 15 && y == 15) return missing;
        return float(10 * std::max(std::abs(x - 15), std::abs(y - 15)));
    });
    Drained drained(funnel, FlowSharing::multiple);
    double into = 0;
    for (int y = 14; y <= 16; y++)
        for (int x = 14; x <= 16; x++)
            if (x != 15 || y != 15) into += drained.areas.at(x, y);
    EXPECT_NEAR(into, 31 * 31 - 1, 0.01);
}

TEST(SharedFlow, LevelGroundDrainsToItsBorder) {
    Field level(Rect::of({33, 21}), 7.0f);
    for (FlowSharing sharing : {FlowSharing::single, FlowSharing::multiple})
        EXPECT_EQ(Drained(level, sharing).leaving(), 33 * 21);
}

TEST(SharedFlow, SharedWaterSpreadsEvenlyAroundACone) {
    Field cone = made_field(Rect::of({121, 121}),
                            [](int x, int y) { return 1000 - 2 * std::hypot(float(x - 60), float(y - 60)); });
    Drained drained(cone, FlowSharing::multiple);
    // Through each cell's width of a circle of radius r flows r / 2 of area, whichever way it looks; cells count as wider
    // where flow crosses them aslant.
    for (int degrees = 0; degrees < 360; degrees += 3) {
        int x = int(std::lround(60 + 45 * std::cos(degrees * 3.14159265 / 180)));
        int y = int(std::lround(60 + 45 * std::sin(degrees * 3.14159265 / 180)));
        EXPECT_GT(drained.areas.at(x, y), 22.5 * 0.7) << degrees;
        EXPECT_LT(drained.areas.at(x, y), 22.5 * 2.0) << degrees;
    }
}

TEST(SharedFlow, InfiniteHeightsBreakNothing) {
    Field ground = made_field(Rect::of({20, 20}), [](int x, int y) {
        if (scattered(x, y, 3) < 0.1f) return INFINITY;
        if (scattered(x, y, 4) < 0.1f) return -INFINITY;
        return 100 * scattered(x, y, 5);
    });
    for (FlowSharing sharing : {FlowSharing::single, FlowSharing::multiple})
        EXPECT_NEAR(Drained(ground, sharing).leaving(), 400, 1e-3);
}

TEST(SharedFlow, NotAPartIsLost) {
    for (Holes holes : {Holes::none, Holes::some})
        for (bool steps : {false, true}) {
            Field height = rough_terrain({173, 121}, holes).height();
            if (steps)
                height = made_field(height.rect(), [before = height](int x, int y) {
                    return std::floor(before.at(x, y) / 9);
                });
            Progress progress;
            const FlowGraph graph(height, {}, progress);
            const SharedFlow shared(graph);
            const std::vector<uint64_t> parts = shared.areas(progress);
            uint64_t out = 0, known = 0;
            for (size_t i = 0; i < graph.size(); i++) {
                if (!graph.is_missing(i)) known++;
                if (!graph.is_missing(i) && graph.leaves(i)) out += parts[i];
            }
            EXPECT_EQ(out, known * SharedFlow::parts);
            tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
            EXPECT_EQ(shared.areas(progress), parts);
        }
}

}  // namespace
}  // namespace caprock::test
