// Thermal erosion against a plain scatter of the paper's rule in double precision, and what it promises.
#include "base/mathematics.h"
#include "support/devices.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain crumbled(const Terrain& input, const Parameters& parameters) {
    return applied("thermal-erosion", parameters, input);
}

double total_height(const Field& field) {
    double sum = 0;
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++)
            if (!is_missing(field.at(x, y))) sum += field.at(x, y);
    return sum;
}

// One step as Frontier §5.4.1 states it: each cell gives Kt (1 - h) d_max / 2 to the neighbours below the
// talus angle, in proportion to their difference; or by the classic rule c e_max, in proportion to the excess e over the
// talus. Rock of hardness 1 takes nothing.
std::vector<double> reference_step(const std::vector<double>& height, const std::vector<double>& hardness,
                                   Size size, double cell, double rate, double talus, double gain,
                                   bool musgrave) {
    std::vector<double> next = height;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            size_t here = size_t(y) * size_t(size.width) + size_t(x);
            double limit = gain * hardness[here] + talus;
            double steepest = 0, total = 0;
            for (int pass = 0; pass < 2; pass++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        int nx = x + dx, ny = y + dy;
                        if ((dx == 0 && dy == 0) || nx < 0 || ny < 0 || nx >= size.width || ny >= size.height)
                            continue;
                        size_t there = size_t(ny) * size_t(size.width) + size_t(nx);
                        double drop = height[here] - height[there];
                        double stands = limit * cell * std::sqrt(double(dx * dx + dy * dy));
                        bool crumbles = drop > stands && hardness[there] < 1;
                        double measure = musgrave ? drop - stands : drop;
                        if (pass == 0) {
                            if (crumbles) steepest = std::max(steepest, measure);
                            if (crumbles) total += measure;
                        } else if (crumbles) {
                            double most = rate * (1 - hardness[here]) * steepest * (musgrave ? 1 : 0.5);
                            double moved = most * measure / total;
                            next[here] -= moved;
                            next[there] += moved;
                        }
                    }
        }
    return next;
}

TEST(ThermalErosion, FollowsThePapersRule) {
    Size size{37, 29};
    for (bool musgrave : {false, true})
        for (bool hard : {false, true}) {
            Terrain input = rough_terrain(size, Holes::none, 4);
            if (!hard) input.remove("hardness");
            std::vector<double> height, hardness;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    height.push_back(input.height().at(x, y));
                    hardness.push_back(hard ? input.field("hardness").at(x, y) : 0);
                }
            for (int step = 0; step < 5; step++)
                height =
                    reference_step(height, hardness, size, 4, 0.4, std::tan(35 * pi / 180), 0.6, musgrave);
            Terrain output = crumbled(input, {{"steps", "5"},
                                              {"rate", "0.4"},
                                              {"talus", "35"},
                                              {"talus-gain", "0.6"},
                                              {"rule", musgrave ? "musgrave" : "frontier"}});
            size_t next = 0;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++)
                    // Single precision on heights of 200 m; a slope within rounding of its limit may fall either
                    // way, but none of this terrain's does.
                    ASSERT_NEAR(output.height().at(x, y), height[next++], 2e-3) << x << "," << y;
        }
}

// Rock that takes nothing must not say how much is given: the neighbours that do take would be buried under it.
TEST(ThermalErosion, AHardCliffBesideDoesNotBuryTheOthers) {
    for (const char* rule : {"frontier", "musgrave"}) {
        Grid grid{Rect::of({4, 1}), 1, {0, 200}};
        Terrain input(grid);
        Field height(grid.extent, 100);
        height.set(0, 0, 0);
        height.set(2, 0, 98.9f);
        Field hardness(grid.extent, 0);
        hardness.set(0, 0, 1);
        input.set("height", height);
        input.set("hardness", hardness);
        Terrain output = crumbled(input, {{"steps", "50"}, {"rule", rule}});
        for (int x = 1; x < 4; x++) {
            EXPECT_GE(output.height().at(x, 0), 98.9f) << rule << " " << x;
            EXPECT_LE(output.height().at(x, 0), 100) << rule << " " << x;
        }
    }
}

TEST(ThermalErosion, MovesRockButLosesNone) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain input = rough_terrain({131, 97}, holes);
        double before = total_height(input.height());
        Terrain output = crumbled(input, {{"steps", "200"}, {"talus", "20"}});
        EXPECT_FALSE(identical(input.height(), output.height()));
        EXPECT_NEAR(total_height(output.height()) / before, 1, 1e-6);
    }
}

TEST(ThermalErosion, AConeEndsAtItsTalusAngle) {
    Grid grid{Rect::of({121, 121}), 2, {0, 300}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) {
                  return std::max(0.0f, 150 - 5.0f * std::hypot(float(x - 60), float(y - 60)));  // 68 degrees
              }));
    Terrain output = crumbled(input, {{"steps", "4000"}, {"talus", "30"}});
    double steepest = 0;
    for (int y = 1; y < 120; y++)
        for (int x = 1; x < 120; x++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx == 0 && dy == 0) continue;
                    double drop = output.height().at(x, y) - output.height().at(x + dx, y + dy);
                    steepest = std::max(steepest, drop / (2 * std::hypot(dx, dy)));
                }
    EXPECT_LE(steepest, std::tan(30 * pi / 180) * 1.02);
    // It was not flattened either: the middle still stands at about that angle.
    EXPECT_GT(output.height().at(60, 60) - output.height().at(75, 60),
              2 * 15 * std::tan(30 * pi / 180) * 0.6);
}

TEST(ThermalErosion, HardRockNeverChanges) {
    // Also where soft rock crumbles all around it.
    Terrain input = rough_terrain({67, 41});
    for (const char* rule : {"frontier", "musgrave"}) {
        Terrain output = crumbled(input, {{"steps", "60"}, {"talus", "5"}, {"rule", rule}});
        int hard = 0;
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 67; x++) {
                if (input.field("hardness").at(x, y) < 1) continue;
                hard++;
                ASSERT_EQ(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
            }
        EXPECT_GT(hard, 50);
        EXPECT_FALSE(identical(output.height(), input.height()));
        EXPECT_NEAR(total_height(output.height()) / total_height(input.height()), 1, 1e-6);
    }
}

TEST(ThermalErosion, TheLedgerClosesAndSnapshotsAreTaken) {
    RunContext context = on_cpu();
    std::vector<LedgerEntry> ledger;
    std::vector<int> frames;
    context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
    context.snapshot_every = 40;
    context.snapshot = [&](const Terrain&, int step) { frames.push_back(step); };
    run(*made_operation("thermal-erosion", {{"steps", "100"}}), rough_terrain({131, 97}, Holes::some),
        context);
    ASSERT_EQ(ledger.size(), 1u);
    EXPECT_EQ(ledger[0].quantity, "rock");
    EXPECT_LT(ledger[0].error(), 1e-5);
    EXPECT_GT(ledger[0].moved, 0);
    EXPECT_EQ(frames, (std::vector<int>{40, 80}));
}

// The duration counts steps in cells as large as the scale.
TEST(ThermalErosion, InCellsOfItsScaleADurationIsSoManySteps) {
    for (double cell : {8.0, 2.5}) {
        Terrain input = rough_terrain({67, 41}, Holes::some, cell);
        EXPECT_TRUE(identical(
            crumbled(input, {{"duration", "17"}, {"scale", std::to_string(cell)}, {"talus", "20"}}).height(),
            crumbled(input, {{"steps", "17"}, {"talus", "20"}}).height()));
    }
    // By default as many as in the first version, in cells of 8 m.
    Terrain input = rough_terrain({67, 41}, Holes::some, 8);
    EXPECT_TRUE(identical(crumbled(input, {}).height(), crumbled(input, {{"steps", "100"}}).height()));
    // In cells of twice the size a quarter.
    Terrain coarse = rough_terrain({67, 41}, Holes::some, 16);
    EXPECT_TRUE(identical(crumbled(coarse, {}).height(), crumbled(coarse, {{"steps", "25"}}).height()));
    EXPECT_TRUE(
        identical(crumbled(coarse, {{"duration", "2"}, {"rule", "musgrave"}}).height(),
                  crumbled(coarse, {{"steps", "1"}, {"rate", "0.25"}, {"rule", "musgrave"}}).height()));
    EXPECT_TRUE(identical(crumbled(input, {{"duration", "0"}}).height(), input.height()));
}

TEST(ThermalErosion, InFinerCellsRockIsMovedAndNotLostAndHardRockStays) {
    for (double cell : {4.0, 1.0, 0.3})
        for (Holes holes : {Holes::none, Holes::some})
            for (const char* rule : {"frontier", "musgrave"}) {
                SCOPED_TRACE(testing::Message() << cell << " m, " << rule);
                Terrain input = rough_terrain({90, 77}, holes, cell);
                Terrain output = crumbled(input, {{"rule", rule}, {"talus", "20"}});
                EXPECT_NEAR(total_height(output.height()) / total_height(input.height()), 1, 1e-6);
                EXPECT_EQ(statistics(output.height()).missing, statistics(input.height()).missing);
                EXPECT_GE(statistics(output.height()).low, statistics(input.height()).low - 1e-3);
                EXPECT_LE(statistics(output.height()).high, statistics(input.height()).high + 1e-3);
                EXPECT_FALSE(identical(input.height(), output.height()));
                for (int y = 0; y < 77; y++)
                    for (int x = 0; x < 90; x++)
                        if (input.field("hardness").at(x, y) >= 1 && !is_missing(input.height().at(x, y))) {
                            ASSERT_EQ(output.height().at(x, y), input.height().at(x, y)) << x << "," << y;
                        }
            }
}

// A cone that is too steep, in cells an eighth as large as the scale.
TEST(ThermalErosion, InFinerCellsNothingStandsTooSteepInTheEnd) {
    Grid grid{Rect::of({161, 161}), 1, {0, 300}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) {
                  return std::max(0.0f, 100 - 2.0f * std::hypot(float(x - 80), float(y - 80)));
              }));
    Terrain output = crumbled(input, {{"duration", "400"}, {"talus", "30"}});
    double steepest = 0;
    for (int y = 1; y < 160; y++)
        for (int x = 1; x < 160; x++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (dx != 0 || dy != 0)
                        steepest = std::max(steepest,
                                            (output.height().at(x, y) - output.height().at(x + dx, y + dy)) /
                                                std::hypot(dx, dy));
    EXPECT_LE(steepest, std::tan(30 * pi / 180) * 1.1);
    EXPECT_GT(output.height().at(80, 80), 30);
}

TEST(ThermalErosion, InFinerCellsSnapshotsAreOfTheTerrainsOwn) {
    RunContext context = on_cpu();
    std::vector<int> frames;
    Terrain input = rough_terrain({67, 41}, Holes::some, 2);
    context.snapshot_every = 10;
    context.snapshot = [&](const Terrain& seen, int step) {
        frames.push_back(step);
        EXPECT_EQ(seen.height().rect(), input.rect());
        EXPECT_NEAR(total_height(seen.height()) / total_height(input.height()), 1, 1e-6);
    };
    run(*made_operation("thermal-erosion", {{"duration", "40"}}), input, context);
    // Forty steps in cells of 8 m, and ten each in those of 4 and 2 m.
    EXPECT_EQ(frames, (std::vector<int>{10, 20, 30, 40, 50, 60}));
}

TEST(ThermalErosion, HardRockGivesNothing) {
    Terrain input = rough_terrain({67, 41});
    input.set("hardness", Field(input.rect(), 1.0f));
    Terrain output = crumbled(input, {{"steps", "50"}, {"talus", "5"}, {"talus-gain", "0"}});
    EXPECT_TRUE(identical(input.height(), output.height()));
}

TEST(ThermalErosion, GentleSlopesStayAsTheyAre) {
    Grid grid{Rect::of({40, 40}), 1, {0, 10}};
    Terrain input(grid);
    input.set("height",
              made_field(grid.extent, [](int x, int y) { return 0.3f * float(x) + 0.2f * float(y); }));
    EXPECT_TRUE(identical(input.height(), crumbled(input, {{"steps", "50"}, {"talus", "30"}}).height()));
}

TEST(ThermalErosion, AMissingCellTakesNothingAndGivesNothing) {
    Grid grid{Rect::of({9, 9}), 1, {0, 10}};
    Terrain input(grid);
    Field height(grid.extent, 0.0f);
    height.set(4, 4, 10.0f);
    height.set(5, 4, missing);
    input.set("height", height);
    Terrain output = crumbled(input, {{"steps", "100"}});
    EXPECT_EQ(statistics(output.height()).missing, 1);
    EXPECT_TRUE(is_missing(output.height().at(5, 4)));
    EXPECT_NEAR(total_height(output.height()), 10, 1e-4);
}

}  // namespace
}  // namespace caprock::test
