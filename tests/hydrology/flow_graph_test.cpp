// The flow graph against water followed cell by cell.
#include "hydrology/flow_graph.h"

#include "flow_reference.h"
#include "support/terrains.h"

#include <gtest/gtest.h>
#include <string>
#include <tbb/global_control.h>

namespace caprock::test {
namespace {

// Land of many kinds, in sizes that are odd.
struct Land {
    std::string name;
    Field height;
};

std::vector<Land> lands() {
    std::vector<Land> all;
    auto add = [&](const std::string& name, Size size, const auto& made) {
        all.push_back({name, made_field(Rect::of(size), made)});
    };
    add("rough", {97, 71}, [](int x, int y) { return 100 * scattered(x, y, 1); });
    add("few heights", {83, 91}, [](int x, int y) { return std::floor(5 * scattered(x, y, 2)); });
    add("two heights", {64, 65}, [](int x, int y) { return scattered(x, y, 3) < 0.6f ? 1.0f : 0.0f; });
    add("level", {50, 41}, [](int, int) { return 7.0f; });
    add("plateau", {60, 60}, [](int x, int y) {
        const int out = std::min({x, y, 59 - x, 59 - y});
        return float(std::min(out, 12));
    });
    add("plain with a rim", {60, 60}, [](int x, int y) {
        const int out = std::min({x, y, 59 - x, 59 - y});
        return out == 3 ? 9.0f : 2.0f;
    });
    add("bowls within a bowl", {90, 90}, [](int x, int y) {
        const float far = std::hypot(float(x - 45), float(y - 45));
        return far * far * 0.02f + 6 * std::sin(float(x) * 0.4f) * std::sin(float(y) * 0.33f);
    });
    all.push_back({"hills", rough_terrain({101, 67}).height()});
    all.push_back({"hills with holes", rough_terrain({101, 67}, Holes::some).height()});
    add("rough with holes", {77, 60},
        [](int x, int y) { return scattered(x, y, 8) < 0.2f ? missing : 50 * scattered(x, y, 4); });
    add("infinite heights", {40, 40}, [](int x, int y) {
        if (scattered(x, y, 3) < 0.1f) return INFINITY;
        if (scattered(x, y, 4) < 0.1f) return -INFINITY;
        return 100 * scattered(x, y, 5);
    });
    add("zeros of both signs", {33, 21},
        [](int x, int y) { return scattered(x, y, 6) < 0.5f ? 0.0f : -0.0f; });
    add("missing", {9, 9}, [](int, int) { return missing; });
    for (Size size : {Size{1, 1}, Size{1, 7}, Size{7, 1}, Size{2, 2}, Size{2, 9}, Size{3, 3}})
        add("small", size, [](int x, int y) { return 10 * scattered(x, y, 7); });
    return all;
}

std::vector<FlowRules> all_rules() {
    return {{}, {.leaves_at_missing = false}, {.scatter = 5}, {.leaves_at_missing = false, .scatter = 9}};
}

template <typename Check>
void on_all_land(const Check& check) {
    for (const Land& land : lands())
        for (const FlowRules& rules : all_rules()) {
            SCOPED_TRACE(land.name + (rules.scatter ? ", scattered" : "") +
                         (rules.leaves_at_missing ? "" : ", walled in"));
            Progress progress;
            check(land.height, rules, FlowGraph(land.height, rules, progress));
        }
}

TEST(FlowGraph, AllWaterLeavesTheLandAndNoneGoesInACircle) {
    on_all_land([](const Field& height, const FlowRules& rules, const FlowGraph& graph) {
        const PlainLand plain(height);
        for (size_t i = 0; i < graph.size(); i++) {
            ASSERT_EQ(graph.is_missing(i), std::isnan(plain.cells[i]));
            if (graph.is_missing(i)) continue;
            size_t cell = i;
            size_t steps = 0;
            while (!graph.leaves(cell)) {
                const size_t next = graph.receiver(cell);
                ASSERT_LT(next, graph.size());
                ASSERT_LE(std::abs(plain.column(next) - plain.column(cell)), 1);
                ASSERT_LE(std::abs(plain.row(next) - plain.row(cell)), 1);
                ASSERT_NE(next, cell);
                ASSERT_FALSE(graph.is_missing(next));
                cell = next;
                ASSERT_LE(++steps, graph.size()) << "from cell " << i;
            }
            // Walled in, it may have nowhere to go.
            if (rules.leaves_at_missing) {
                ASSERT_TRUE(plain.may_leave(cell));
            }
        }
    });
}

TEST(FlowGraph, WaterRisesNoHigherThanItHasTo) {
    on_all_land([](const Field& height, const FlowRules& rules, const FlowGraph& graph) {
        const PlainLand plain(height);
        const std::vector<float> level = plain.spill_levels(rules.leaves_at_missing);
        const Field filled = graph.filled();
        for (size_t i = 0; i < graph.size(); i++) {
            if (graph.is_missing(i)) {
                ASSERT_TRUE(std::isnan(filled.at(plain.column(i), plain.row(i))));
                continue;
            }
            // Where walls leave no way out, water stays on the ground that is lowest.
            if (!std::isnan(level[i])) {
                ASSERT_EQ(graph.level(i), level[i]) << i;
            }
            ASSERT_EQ(filled.at(plain.column(i), plain.row(i)), graph.level(i));
            float highest = plain.cells[i];
            for (size_t cell = i; !graph.leaves(cell); cell = graph.receiver(cell))
                highest = std::max(highest, plain.cells[graph.receiver(cell)]);
            if (!std::isnan(level[i])) {
                ASSERT_EQ(highest, level[i]) << i;
            }
        }
    });
}

TEST(FlowGraph, OutsideOfHollowsItFollowsTheSteepestSlope) {
    for (const Land& land : lands()) {
        // All ways down to what is infinitely low are as steep.
        if (land.name == "infinite heights") continue;
        SCOPED_TRACE(land.name);
        Progress progress;
        const FlowGraph graph(land.height, {}, progress);
        const PlainLand plain(land.height);
        const std::vector<float> level = plain.spill_levels();
        int compared = 0;
        for (size_t i = 0; i < graph.size(); i++) {
            if (graph.is_missing(i) || graph.basin(i) != 0) continue;
            const std::optional<size_t> steepest = plain.steepest(i);
            if (!steepest) continue;
            ASSERT_EQ(graph.receiver(i), *steepest) << i;
            compared++;
        }
        // Within a hollow, all but the way from its bottom to its pass.
        for (size_t i = 0; i < graph.size(); i++) {
            if (graph.is_missing(i) || graph.leaves(i)) continue;
            if (plain.cells[graph.receiver(i)] < plain.cells[i] &&
                graph.basin(graph.receiver(i)) == graph.basin(i)) {
                ASSERT_EQ(graph.receiver(i), *plain.steepest(i)) << i;
            }
        }
        if (land.name == "hills") {
            EXPECT_GT(compared, 800);
        }
    }
}

TEST(FlowGraph, AreasAddUpToTheCells) {
    on_all_land([](const Field&, const FlowRules&, const FlowGraph& graph) {
        Progress progress;
        const std::vector<uint32_t> areas = graph.areas(progress);
        // Each cell's water followed all the way.
        std::vector<uint32_t> followed(graph.size(), 0);
        size_t known = 0;
        for (size_t i = 0; i < graph.size(); i++) {
            if (graph.is_missing(i)) continue;
            known++;
            for (size_t cell = i;; cell = graph.receiver(cell)) {
                followed[cell]++;
                if (graph.leaves(cell)) break;
            }
        }
        ASSERT_EQ(areas, followed);
        size_t out = 0;
        for (size_t i = 0; i < graph.size(); i++)
            if (graph.leaves(i)) out += areas[i];
        ASSERT_EQ(out, known);
    });
}

TEST(FlowGraph, TheOrderHasEveryCellBehindThoseThatDrainToIt) {
    on_all_land([](const Field&, const FlowRules&, const FlowGraph& graph) {
        const std::vector<uint32_t> order = graph.upstream_first();
        std::vector<size_t> place(graph.size(), SIZE_MAX);
        for (size_t i = 0; i < order.size(); i++) {
            ASSERT_EQ(place[order[i]], SIZE_MAX);
            place[order[i]] = i;
        }
        for (size_t i = 0; i < graph.size(); i++) {
            if (graph.is_missing(i)) continue;
            ASSERT_NE(place[i], SIZE_MAX);
            if (!graph.leaves(i)) {
                ASSERT_LT(place[i], place[graph.receiver(i)]);
            }
        }
    });
}

TEST(FlowGraph, LevelGroundDrainsByTheShortestWay) {
    // A plateau with two edges: each cell goes towards the nearer one.
    Field ground = made_field(Rect::of({60, 9}), [](int x, int y) {
        if (y == 0 || y == 8) return 9.0f;
        return x < 10 ? 1.0f : x > 50 ? 1.5f : 5.0f;
    });
    Progress progress;
    const FlowGraph graph(ground, {}, progress);
    for (int x = 10; x <= 50; x++) EXPECT_EQ(graph.way(graph.number(x, 4)), x <= 30 ? 6 : 2) << x;
}

TEST(FlowGraph, TheSeaTakesWhatComesThere) {
    Field coast = made_field(Rect::of({50, 30}), [](int x, int y) {
        // A deep basin inland lies below the sea's level too.
        return float(20 - x) + 2 * scattered(x, y, 1);
    });
    Progress progress;
    const FlowGraph graph(coast, {.sea = 0.0f}, progress);
    for (size_t i = 0; i < graph.size(); i++) {
        if (graph.height(i) <= 0) {
            EXPECT_TRUE(graph.leaves(i)) << i;
        }
    }
    for (int y = 0; y < 30; y++) EXPECT_EQ(graph.level(graph.number(30, y)), coast.at(30, y));
}

TEST(FlowGraph, NothingDependsOnThreads) {
    Terrain noise =
        applied("noise", {{"seed", "4"}, {"feature", "200"}}, Terrain(grid_of({700, 500}, 5, {0, 900})));
    for (bool coarse : {false, true}) {
        Field height = made_field(noise.rect(), [rows = noise.height().rows(), coarse](int x, int y) {
            return coarse ? std::floor(rows[y][x] / 40) : rows[y][x];
        });
        for (const FlowRules& rules : all_rules()) {
            auto ways = [&](size_t threads) {
                tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
                Progress progress;
                const FlowGraph graph(height, rules, progress);
                return std::pair(std::vector<uint8_t>(graph.ways().begin(), graph.ways().end()),
                                 graph.areas(progress));
            };
            const auto one = ways(1);
            for (int again = 0; again < 3; again++) EXPECT_EQ(one, ways(4));
        }
    }
}

TEST(FlowGraph, ItIsTheSameWhereverTheLandLies) {
    Field here = rough_terrain({90, 70}).height();
    Progress progress;
    const FlowGraph graph(here, {}, progress);
    const FlowGraph moved(here.moved(-1000, 4000), {}, progress);
    for (size_t i = 0; i < graph.size(); i++) ASSERT_EQ(graph.way(i), moved.way(i));
}

TEST(FlowGraph, ScatteredWaterGoesWhereTheSlopePoints) {
    // On planes that fall to any side, the way from the middle is straight on the whole, not along one of eight directions.
    for (int degrees = 5; degrees < 360; degrees += 25) {
        const double angle = degrees * 3.14159265358979 / 180;
        Field plane = made_field(Rect::of({401, 401}), [&](int x, int y) {
            return float(-0.3 * (std::cos(angle) * x + std::sin(angle) * y));
        });
        double east = 0, south = 0;
        for (uint32_t seed = 0; seed < 24; seed++) {
            Progress progress;
            const FlowGraph graph(plane, {.scatter = seed}, progress);
            size_t cell = graph.number(200, 200);
            for (int step = 0; step < 150; step++) cell = graph.receiver(cell);
            east += graph.x_of(cell) - 200;
            south += graph.y_of(cell) - 200;
        }
        const double off = std::remainder(std::atan2(south, east) - angle, 2 * 3.14159265358979);
        EXPECT_LT(std::abs(off), 0.035) << degrees;
    }
}

TEST(FlowGraph, IsCancelled) {
    Field height = rough_terrain({300, 300}).height();
    Progress progress;
    progress.cancel();
    EXPECT_THROW(FlowGraph(height, {}, progress), Cancelled);
}

}  // namespace
}  // namespace caprock::test
