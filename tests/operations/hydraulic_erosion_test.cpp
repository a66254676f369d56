// Hydraulic erosion against a plain scatter of the paper's rule in double precision, and what it promises.
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain eroded(const Terrain& input, const Parameters& parameters, RunContext context) {
    return run(*made_operation("hydraulic-erosion", parameters), input, context);
}
Terrain eroded(const Terrain& input, const Parameters& parameters) {
    return eroded(input, parameters, on_cpu());
}

struct ReferenceFlow {
    Size size;
    std::vector<double> rock, water, sediment, hardness, solubility;
    double capacity = 0.7, deposition = 0.5, dissolving = 0.5, evaporation = 0.03;

    size_t at(int x, int y) const { return size_t(y) * size_t(size.width) + size_t(x); }

    void rain(double least, double gain) {
        for (size_t i = 0; i < rock.size(); i++) water[i] += least + gain * std::max(rock[i], 0.0) / 300;
    }

    // One step, cell by cell: each sends water and sediment to the neighbours below it.
    void step() {
        std::vector<double> next_rock = rock, next_water = water, next_sediment = sediment;
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) flow_from(x, y, next_rock, next_water, next_sediment);
        for (double& wet : next_water) wet *= 1 - evaporation;
        rock = next_rock;
        water = next_water;
        sediment = next_sediment;
    }

    void flow_from(int x, int y, std::vector<double>& next_rock, std::vector<double>& next_water,
                   std::vector<double>& next_sediment) const {
        size_t here = at(x, y);
        struct Below {
            size_t there;
            double drop;
        };
        std::vector<Below> all;
        double level = rock[here] + water[here];
        double levels = level, drops = 0, lowest = rock[here];
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int nx = x + dx, ny = y + dy;
                if ((dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= size.width || ny >= size.height)
                    continue;
                size_t there = at(nx, ny);
                double drop = level - rock[there] - water[there];
                if (drop <= 0) continue;
                all.push_back({there, drop / std::sqrt(double(dx * dx + dy * dy))});
                drops += all.back().drop;
                levels += rock[there] + water[there];
                lowest = std::min(lowest, rock[there]);
            }
        if (all.empty()) {
            next_rock[here] += sediment[here];
            next_sediment[here] -= sediment[here];
            return;
        }
        double leaving = std::min(water[here] / 2, level - levels / double(all.size() + 1));
        double carried = capacity * leaving;
        double moved = sediment[here];
        if (sediment[here] > carried) {
            double deposited = deposition * (sediment[here] - carried);
            next_rock[here] += deposited;
            next_sediment[here] -= deposited;
            moved = carried;
        } else {
            double soft = dissolving * solubility[here] * (1 - hardness[here]);
            double dissolved = std::min(soft * (carried - sediment[here]), (rock[here] - lowest) / 2);
            next_rock[here] -= dissolved;
            next_sediment[here] += dissolved;
            moved += dissolved;
        }
        for (const Below& below : all) {
            next_water[here] -= leaving * below.drop / drops;
            next_water[below.there] += leaving * below.drop / drops;
            next_sediment[here] -= moved * below.drop / drops;
            next_sediment[below.there] += moved * below.drop / drops;
        }
    }
};

TEST(HydraulicErosion, FollowsThePapersRule) {
    Size size{37, 29};
    Terrain input = rough_terrain(size);
    input.set("solubility", made_field(input.rect(), [](int x, int y) { return scattered(x, y, 5); }));
    ReferenceFlow reference;
    reference.size = size;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            reference.rock.push_back(input.height().at(x, y));
            reference.hardness.push_back(input.field("hardness").at(x, y));
            reference.solubility.push_back(input.field("solubility").at(x, y));
        }
    reference.water.assign(reference.rock.size(), 0);
    reference.sediment = reference.water;
    for (int step = 0; step < 12; step++) {
        if (step % 5 == 0) reference.rain(0.2, 0.3);
        reference.step();
    }
    Terrain output =
        eroded(input, {{"steps", "12"}, {"rain-least", "0.2"}, {"rain-gain", "0.3"}, {"rain-every", "5"}});
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            size_t i = reference.at(x, y);
            // Single precision on levels of 200 m: whether a hair's breadth is a drop may fall either way.
            ASSERT_NEAR(output.height().at(x, y), reference.rock[i], 2e-3) << x << "," << y;
            ASSERT_NEAR(output.field("water").at(x, y), reference.water[i], 2e-3) << x << "," << y;
            ASSERT_NEAR(output.field("sediment").at(x, y), reference.sediment[i], 2e-3) << x << "," << y;
        }
}

TEST(HydraulicErosion, TheLedgerCloses) {
    RunContext context = on_cpu();
    std::vector<LedgerEntry> ledger;
    context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
    Terrain input = rough_terrain({120, 90}, Holes::some);
    Terrain kept = eroded(input, {{"steps", "400"}}, context);
    ASSERT_EQ(ledger.size(), 3u);
    for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-5) << entry.quantity;
    EXPECT_GT(ledger[0].moved, 1000);
    EXPECT_GT(ledger[2].in, ledger[2].after);
    // Keeping it changes nothing.
    Terrain plain = eroded(input, {{"steps", "400"}});
    for (const char* field : {"height", "water", "sediment"})
        EXPECT_TRUE(identical(kept.field(field), plain.field(field))) << field;
}

// In one step a cell of rock either loses or gains: so the heights tell what went into the water and what came out of it, and
// the book must have counted just that.
TEST(HydraulicErosion, TheLedgerCountsWhatRockGivesAndTakes) {
    for (const NamedDevice& named : all_devices()) {
        SCOPED_TRACE(named.name);
        Terrain terrain = rough_terrain({120, 90}, Holes::some);
        terrain.set("water", made_field(terrain.rect(), [](int x, int y) { return scattered(x, y, 6); }));
        terrain.set("sediment",
                    made_field(terrain.rect(), [](int x, int y) { return 0.5f * scattered(x, y, 7); }));
        LedgerEntry rock, sediment;
        RunContext context = on(named.device);
        context.enter = [&](const LedgerEntry& entry) {
            if (entry.quantity == "rock") rock = entry;
            if (entry.quantity == "sediment") sediment = entry;
        };
        Terrain output = eroded(terrain, {{"steps", "1"}}, context);
        double lost = 0, gained = 0, left = 0;
        double area = terrain.grid().cell * terrain.grid().cell;
        for (int y = 0; y < 90; y++)
            for (int x = 0; x < 120; x++) {
                if (is_missing(terrain.height().at(x, y))) continue;
                double more = double(output.height().at(x, y)) - double(terrain.height().at(x, y));
                (more < 0 ? lost : gained) += area * std::abs(more);
                left += area * double(output.field("sediment").at(x, y));
            }
        EXPECT_GT(lost, 100);
        EXPECT_GT(gained, 100);
        // Heights are rounded to the fifth digit behind the point, at each of ten thousand cells.
        EXPECT_NEAR(rock.out, lost, 1e-4 * lost);
        EXPECT_NEAR(rock.in, gained, 1e-4 * gained);
        EXPECT_NEAR(sediment.in, lost, 1e-4 * lost);
        EXPECT_NEAR(sediment.out, gained, 1e-4 * gained);
        EXPECT_NEAR(sediment.after, left, 1e-9 * left);
        EXPECT_LT(sediment.error(), 1e-5);
    }
}

TEST(HydraulicErosion, RockOfHardnessOneIsNotDissolved) {
    Terrain input = rough_terrain({60, 50});
    input.set("hardness", Field(input.rect(), 1.0f));
    Terrain output = eroded(input, {{"steps", "50"}});
    EXPECT_TRUE(identical(output.height(), input.height()));
    EXPECT_EQ(statistics(output.field("sediment")).high, 0);
}

TEST(HydraulicErosion, WithoutRainNothingHappens) {
    Terrain input = rough_terrain({40, 30});
    Terrain output = eroded(input, {{"rain-least", "0"}, {"rain-gain", "0"}});
    EXPECT_TRUE(identical(output.height(), input.height()));
    EXPECT_EQ(statistics(output.field("water")).high, 0);
}

TEST(HydraulicErosion, WaterRunsToTheLowestPlace) {
    // A bowl: after a rain, and with no evaporation, all water is at its bottom.
    Grid grid{Rect::of({41, 41}), 4, {0, 100}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) {
                  return float((x - 20) * (x - 20) + (y - 20) * (y - 20)) * 0.1f;
              }));
    Terrain output = eroded(input, {{"steps", "800"},
                                    {"rain-every", "0"},
                                    {"rain-least", "0.01"},
                                    {"rain-gain", "0"},
                                    {"evaporation", "0"},
                                    {"dissolving", "0"}});
    EXPECT_TRUE(identical(output.height(), input.height()));
    double all = 0, bottom = 0;
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 41; x++) {
            all += output.field("water").at(x, y);
            if (std::abs(x - 20) < 9 && std::abs(y - 20) < 9) bottom += output.field("water").at(x, y);
        }
    EXPECT_NEAR(all, 41 * 41 * 0.01, 1e-3);
    EXPECT_GT(bottom, 0.98 * all);
    // And its surface is level.
    double level = output.height().at(20, 20) + output.field("water").at(20, 20);
    EXPECT_NEAR(output.height().at(22, 20) + output.field("water").at(22, 20), level, 0.05);
}

TEST(HydraulicErosion, StaysWithinBoundsAtTheLimitsOfItsParameters) {
    for (const Parameters& wild :
         {Parameters{{"capacity", "10"}, {"dissolving", "1"}, {"rain-least", "10"}, {"rain-gain", "10"}},
          Parameters{{"capacity", "10"}, {"deposition", "0"}, {"evaporation", "0"}, {"rain-least", "10"}},
          Parameters{{"capacity", "10"}, {"deposition", "1"}, {"evaporation", "1"}, {"dissolving", "1"}}}) {
        Parameters parameters = wild;
        parameters.emplace_back("steps", "1000");
        Terrain input = rough_terrain({50, 40}, Holes::some);
        Terrain output = eroded(input, parameters);
        for (const char* field : {"height", "water", "sediment"}) {
            FieldStatistics s = statistics(output.field(field));
            EXPECT_EQ(s.missing, statistics(input.height()).missing) << field;
            EXPECT_GT(s.low, -1000) << field;
            EXPECT_LT(s.high, 1e6) << field;
        }
        // Rock is not made of water: none stands higher than all rock there was could pile up on a cell.
        EXPECT_NEAR(statistics(output.height()).mean + statistics(output.field("sediment")).mean,
                    statistics(input.height()).mean, 0.05);
    }
}

TEST(HydraulicErosion, GoesOnFromWaterAndSedimentThatAreThere) {
    Terrain input = rough_terrain({60, 50});
    Terrain once = eroded(input, {{"steps", "20"}});
    Terrain twice = eroded(eroded(input, {{"steps", "10"}}), {{"steps", "10"}});
    for (const char* field : {"height", "water", "sediment"})
        EXPECT_TRUE(identical(once.field(field), twice.field(field))) << field;
}

TEST(HydraulicErosion, InCellsOfItsScaleADurationIsSoManySteps) {
    for (const char* every : {"0", "1", "4"}) {
        Terrain input = rough_terrain({60, 50}, Holes::some, 8);
        Terrain steps = eroded(input, {{"steps", "30"}, {"rain-every", every}});
        Terrain duration = eroded(input, {{"duration", "30"}, {"rain-every", every}});
        for (const char* field : {"height", "water", "sediment"})
            EXPECT_TRUE(identical(steps.field(field), duration.field(field))) << field << " " << every;
    }
    Terrain input = rough_terrain({30, 20}, Holes::some, 8);
    EXPECT_TRUE(identical(eroded(input, {}).height(), eroded(input, {{"steps", "300"}}).height()));
}

// As much rain falls in cells of any size, whenever it falls.
TEST(HydraulicErosion, RainAndItsLossAreByTimeAndNotBySteps) {
    for (const char* every : {"0", "1", "7"}) {
        std::vector<double> rain, left;
        for (double cell : {2.0, 4.0, 8.0, 16.0, 27.0}) {
            Grid grid{Rect::of({40, 40}), cell, {0, 100}};
            Terrain input(grid);
            input.set("height", Field(grid.extent, 50.0f));
            RunContext context = on_cpu();
            context.enter = [&](const LedgerEntry& entry) {
                if (entry.quantity != "water") return;
                EXPECT_LT(entry.error(), 1e-5);
                rain.push_back(entry.in / (1600 * cell * cell));
                left.push_back(entry.after / (1600 * cell * cell));
            };
            eroded(input, {{"duration", "100"}, {"rain-every", every}}, context);
        }
        for (size_t i = 0; i < rain.size(); i++) {
            EXPECT_NEAR(rain[i] / rain[2], 1, 1e-4) << i << " " << every;
            EXPECT_NEAR(left[i] / left[2], 1, 0.06) << i << " " << every;
        }
    }
}

TEST(HydraulicErosion, InFinerCellsTheLedgerClosesAndHardRockIsNotDissolved) {
    for (double cell : {4.0, 1.5})
        for (Holes holes : {Holes::none, Holes::some})
            for (const char* every : {"1", "40"}) {
                SCOPED_TRACE(testing::Message() << cell << " m");
                RunContext context = on_cpu();
                std::vector<LedgerEntry> ledger;
                context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
                Terrain input = rough_terrain({90, 77}, holes, cell);
                // Water and sediment that are there already, some of it on cells that only the finest have.
                input.set("water", made_field(input.rect(), [](int x, int y) { return scattered(x, y, 6); }));
                input.set("sediment",
                          made_field(input.rect(), [](int x, int y) { return 0.3f * scattered(x, y, 7); }));
                Terrain output = eroded(input, {{"rain-every", every}}, context);
                ASSERT_EQ(ledger.size(), 3u);
                for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-5) << entry.quantity;
                EXPECT_GT(ledger[0].moved, 100);
                for (const char* field : {"height", "water", "sediment"})
                    EXPECT_EQ(statistics(output.field(field)).missing, statistics(input.height()).missing);
                EXPECT_GE(statistics(output.field("water")).low, 0);
                EXPECT_GE(statistics(output.field("sediment")).low, 0);
                for (int y = 0; y < 77; y++)
                    for (int x = 0; x < 90; x++)
                        if (input.field("hardness").at(x, y) >= 1 && !is_missing(input.height().at(x, y))) {
                            ASSERT_GE(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
                        }
            }
}

TEST(HydraulicErosion, GivesSnapshots) {
    RunContext context = on_cpu();
    std::vector<std::pair<int, Terrain>> frames;
    context.snapshot_every = 10;
    context.snapshot = [&](const Terrain& terrain, int step) { frames.emplace_back(step, terrain); };
    Terrain input = rough_terrain({60, 50});
    Terrain output = eroded(input, {{"steps", "30"}}, context);
    ASSERT_EQ(frames.size(), 3u);
    EXPECT_EQ(frames[0].first, 10);
    EXPECT_TRUE(identical(frames[0].second.height(), eroded(input, {{"steps", "10"}}).height()));
    EXPECT_TRUE(identical(frames[2].second.field("water"), output.field("water")));
}

}  // namespace
}  // namespace caprock::test
