// Mountains: what they come to rest as, against the equation; tests/hydrology/incision_test.cpp is about single rivers.
#include "hydrology/flow_graph.h"
#include "operation/evaluate.h"
#include "support/devices.h"
#include "support/refusals.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace caprock::test {
namespace {

Terrain level_land(Size size, double cell) {
    Terrain terrain(grid_of(size, cell, {0, 1000}));
    terrain.set("height", Field(terrain.rect(), 0.0f));
    return terrain;
}

TEST(StreamPower, ARangeAtRestObeysTheEquation) {
    // S = (U / K)^(1/n) A^(-m/n), where nothing creeps or slides.
    for (const auto& [n, k] : {std::pair{"1", "2e-5"}, std::pair{"1.5", "5e-6"}}) {
        const Terrain after = applied("stream-power",
                                      {{"age", "1e8"},
                                       {"steps", "400"},
                                       {"uplift", "0.5"},
                                       {"erodibility", k},
                                       {"area-exponent", "0.45"},
                                       {"slope-exponent", n},
                                       {"diffusivity", "0"},
                                       {"channel-area", "0"},
                                       {"talus", "89"},
                                       {"scatter", "false"}},
                                      level_land({64, 57}, 200));
        Progress progress;
        const FlowGraph graph(after.height(), {}, progress);
        const std::vector<uint32_t> areas = graph.areas(progress);
        int cells = 0, close = 0;
        for (size_t i = 0; i < graph.size(); i++) {
            const int x = graph.x_of(i), y = graph.y_of(i);
            if (x == 0 || y == 0 || x == 63 || y == 56) continue;
            const double run = FlowGraph::is_diagonal(graph.way(i)) ? 200 * std::sqrt(2.0) : 200;
            const double slope = (graph.height(i) - graph.height(graph.receiver(i))) / run;
            const double exponent = std::stod(n);
            const double expected = std::pow(0.0005 / std::stod(k), 1 / exponent) *
                                    std::pow(areas[i] * 200.0 * 200.0, -0.45 / exponent);
            cells++;
            close += std::abs(slope - expected) < 0.02 * expected;
        }
        // A few on divides still change sides.
        EXPECT_GT(close, 0.97 * cells) << "n = " << n;
    }
}

TEST(StreamPower, LeavesNoHollows) {
    const Terrain after = applied("stream-power", {{"age", "4e6"}}, level_land({200, 160}, 30));
    Progress progress;
    const FlowGraph graph(after.height(), {}, progress);
    const FieldStatistics all = statistics(after.height());
    int deep = 0;
    for (size_t i = 0; i < graph.size(); i++)
        deep += graph.level(i) - graph.height(i) > 0.001f * (all.high - all.low);
    EXPECT_LT(deep, int(0.002 * double(graph.size())));
    EXPECT_GT(all.high, 100);
}

TEST(StreamPower, SlopesEndAtTheirTalus) {
    const Terrain after =
        applied("stream-power", {{"age", "3e6"}, {"uplift", "1"}, {"talus", "30"}}, level_land({80, 80}, 50));
    // Of the steepest way down from each cell.
    int steep = 0;
    const Field height = after.height();
    for (int y = 1; y < 79; y++)
        for (int x = 1; x < 79; x++) {
            double slope = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        slope = std::max(slope, (height.at(x, y) - height.at(x + dx, y + dy)) /
                                                    (50 * std::hypot(double(dx), double(dy))));
            steep += slope > std::tan(33 * 3.14159265 / 180);
        }
    EXPECT_LT(steep, 0.05 * 78 * 78);
}

TEST(StreamPower, HardRockIsNotCut) {
    Terrain land = level_land({80, 60}, 40);
    land.set("hardness", made_field(land.rect(), [](int x, int) { return x < 40 ? 1.0f : 0.0f; }));
    const Terrain after =
        applied("stream-power", {{"age", "1e6"}, {"diffusivity", "0"}, {"talus", "89"}}, land);
    double hard = 0, soft = 0;
    for (int y = 10; y < 50; y++)
        for (int x = 5; x < 75; x++) (x < 40 ? hard : soft) += after.height().at(x, y);
    EXPECT_NEAR(hard / (35 * 40), 500, 1);
    EXPECT_GT(hard, 1.8 * soft);
}

TEST(StreamPower, TheEdgeIsWhatIsAskedFor) {
    Terrain land = applied("noise", {{"seed", "5"}}, Terrain(grid_of({70, 70}, 30, {0, 100})));
    const Parameters young = {{"age", "200000"}, {"steps", "10"}, {"roughness", "0"}};
    auto with = [&](Parameters more) {
        more.insert(more.end(), young.begin(), young.end());
        return applied("stream-power", more, land).height();
    };
    const Field fixed = with({});
    const Field falling = with({{"edge", "falling"}, {"fall", "0.1"}});
    const Field open = with({{"edge", "open"}});
    int risen = 0;
    for (int x = 0; x < 70; x++) {
        EXPECT_EQ(fixed.at(x, 0), land.height().at(x, 0));
        EXPECT_NEAR(falling.at(x, 0), land.height().at(x, 0) - 20, 0.01);
        risen += open.at(x, 0) > land.height().at(x, 0) + 50;
    }
    EXPECT_GT(risen, 20);
    EXPECT_NE(refusal([&] { with({{"edge", "falling"}, {"fall", "0"}}); }).find("fall"), std::string::npos);
}

TEST(StreamPower, AnIslandRisesOutOfTheSea) {
    Terrain land = level_land({90, 90}, 100);
    land.set("height", Field(land.rect(), -200.0f));
    land.set("uplift", made_field(land.rect(), [](int x, int y) {
                 return std::max(1.0f - std::hypot(float(x - 45), float(y - 45)) / 35, 0.0f);
             }));
    const Terrain after =
        applied("stream-power", {{"age", "2e6"}, {"sea", "0"}, {"uplift", "@uplift:0..1"}}, land);
    EXPECT_GT(after.height().at(45, 45), 50);
    EXPECT_LT(after.height().at(5, 45), -100);
    EXPECT_LT(after.height().at(85, 85), -100);
}

// A sea to the west stands above the ground; to the east there is none.
TEST(StreamPower, TheSeaMayHaveItsOwnLevelEverywhere) {
    Grid grid{Rect::of({90, 80}), 60, {0, 200}};
    Terrain land(grid);
    land.set("height", Field(grid.extent, 10.0f));
    land.set("level",
             made_field(grid.extent, [](int x, int) { return x < 45 ? 0.55f : 0.0f; }));  // 100 m and -1000 m
    const Terrain after = applied("stream-power",
                                  {{"age", "1e5"},
                                   {"sea", "@level:-1000..1000"},
                                   {"uplift", "0.5"},
                                   {"erodibility", "1e-4"},
                                   {"diffusivity", "0"}},
                                  land);
    double lowest = 1e30;
    for (int y = 20; y < 60; y++) {
        for (int x = 20; x < 44; x++) ASSERT_NEAR(after.height().at(x, y), 60, 1.1) << x << "," << y;
        for (int x = 50; x < 70; x++) lowest = std::min(lowest, double(after.height().at(x, y)));
    }
    EXPECT_LT(lowest, 40);
}

TEST(StreamPower, TheLedgerAddsUp) {
    const Terrain land = applied("noise", {{"seed", "2"}}, Terrain(grid_of({210, 190}, 20, {0, 300})));
    std::vector<LedgerEntry> entries;
    RunContext context = on_cpu();
    context.enter = [&](const LedgerEntry& entry) { entries.push_back(entry); };
    // In few stages of creep and in many, in cells of one size and of several.
    for (const Parameters& more : {Parameters{}, Parameters{{"diffusivity", "0.1"}},
                                   Parameters{{"diffusivity", "0.1"}, {"scale", "20"}}}) {
        entries.clear();
        Parameters all = {{"age", "1e6"}, {"steps", "40"}};
        all.insert(all.end(), more.begin(), more.end());
        run(*made_operation("stream-power", all), land, context);
        ASSERT_EQ(entries.size(), 1u);
        EXPECT_GT(entries[0].in, 0);
        EXPECT_GT(entries[0].out, 0);
        EXPECT_LT(entries[0].error(), 1e-6);
    }
}

TEST(StreamPower, LevelGroundDoesNotCreep) {
    Terrain land(Grid{Rect::of({60, 50}), 30, {0, 2000}});
    land.set("height", Field(land.rect(), 1234.567f));
    const Terrain after = applied(
        "stream-power",
        {{"age", "1e7"}, {"uplift", "0"}, {"erodibility", "0"}, {"roughness", "0"}, {"diffusivity", "0.05"}},
        land);
    EXPECT_TRUE(identical(after.height(), land.height()));
}

// Cells that are worked on first are no larger than the scale says, and the same land where that changes nothing.
TEST(StreamPower, TheScaleEndsHowLargeCellsAre) {
    const Terrain land = applied("noise", {{"seed", "3"}}, Terrain(grid_of({200, 200}, 30, {0, 200})));
    auto with = [&](const char* scale) {
        return fingerprint(
            applied("stream-power", {{"age", "3e5"}, {"steps", "20"}, {"scale", scale}}, land).height());
    };
    const auto largest = with("0");
    EXPECT_EQ(with("60"), largest);
    EXPECT_EQ(with("1000"), largest);
    EXPECT_NE(with("30"), largest);
    EXPECT_EQ(with("59"), with("30"));
}

TEST(StreamPower, TwiceTheResolutionIsTheSameRange) {
    auto made = [](int side, double cell) {
        return applied("stream-power", {{"age", "4e6"}}, level_land({side, side}, cell)).height();
    };
    const Field coarse = made(193, 30);
    const Field fine = made(385, 15);
    const FieldStatistics all = statistics(coarse);
    double squares = 0;
    for (int y = 0; y < 193; y++)
        for (int x = 0; x < 193; x++) {
            const double off = coarse.at(x, y) - fine.at(2 * x, 2 * y);
            squares += off * off;
        }
    EXPECT_LT(std::sqrt(squares / (193.0 * 193)), 0.06 * (all.high - all.low));
}

}  // namespace
}  // namespace caprock::test
