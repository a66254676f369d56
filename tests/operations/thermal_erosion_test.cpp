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

constexpr const char* rules[] = {"smooth", "frontier", "musgrave"};

// One step of the smooth rule: over each side a part of the difference, as much as the ground at both ends of that side is steeper
// than the talus of what gives. Of four cells around a corner the steeper side counts, across and down.
std::vector<double> smooth_reference_step(const std::vector<double>& height,
                                          const std::vector<double>& hardness, Size size, double cell,
                                          double rate, double talus, double gain) {
    std::vector<double> next = height;
    auto at = [&](int x, int y) { return size_t(y) * size_t(size.width) + size_t(x); };
    auto is_soft = [&](int x, int y) {
        return x >= 0 && y >= 0 && x < size.width && y < size.height && hardness[at(x, y)] < 1;
    };
    auto drop = [&](int x, int y, int u, int v) {
        return is_soft(x, y) && is_soft(u, v) ? std::abs(height[at(x, y)] - height[at(u, v)]) : 0;
    };
    // Around the corner to the north-west of a cell.
    auto steepness = [&](int x, int y) {
        return std::hypot(std::max(drop(x - 1, y - 1, x, y - 1), drop(x - 1, y, x, y)),
                          std::max(drop(x - 1, y - 1, x - 1, y), drop(x, y - 1, x, y))) /
               cell;
    };
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            for (bool across : {true, false}) {
                const int u = across ? x + 1 : x, v = across ? y : y + 1;
                if (!is_soft(x, y) || !is_soft(u, v)) continue;
                const double rise = height[at(u, v)] - height[at(x, y)];
                const size_t from = rise > 0 ? at(u, v) : at(x, y);
                const double stands = gain * hardness[from] + talus;
                double part = 0;
                for (const double steep :
                     {steepness(u, v), across ? steepness(u, v + 1) : steepness(u + 1, v)})
                    if (steep > stands) part += 0.5 * (1 - stands / steep);
                const double moved = rate * (1 - hardness[from]) * 0.25 * part * rise;
                next[at(x, y)] += moved;
                next[at(u, v)] -= moved;
            }
    return next;
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

TEST(ThermalErosion, FollowsItsRules) {
    Size size{37, 29};
    for (const std::string rule : rules)
        for (bool hard : {false, true}) {
            SCOPED_TRACE(rule);
            Terrain input = rough_terrain(size, Holes::none, 4);
            if (!hard) input.remove("hardness");
            std::vector<double> height, hardness;
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    height.push_back(input.height().at(x, y));
                    hardness.push_back(hard ? input.field("hardness").at(x, y) : 0);
                }
            const double talus = std::tan(35 * pi / 180);
            for (int step = 0; step < 5; step++)
                height = rule == "smooth"
                             ? smooth_reference_step(height, hardness, size, 4, 0.4, talus, 0.6)
                             : reference_step(height, hardness, size, 4, 0.4, talus, 0.6, rule == "musgrave");
            Terrain output = crumbled(
                input,
                {{"steps", "5"}, {"rate", "0.4"}, {"talus", "35"}, {"talus-gain", "0.6"}, {"rule", rule}});
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
    for (const char* rule : rules) {
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
    for (const char* rule : rules)
        for (Holes holes : {Holes::none, Holes::some}) {
            Terrain input = rough_terrain({131, 97}, holes);
            double before = total_height(input.height());
            Terrain output = crumbled(input, {{"steps", "200"}, {"talus", "20"}, {"rule", rule}});
            EXPECT_FALSE(identical(input.height(), output.height())) << rule;
            EXPECT_NEAR(total_height(output.height()) / before, 1, 1e-6) << rule;
        }
}

// In a step a cell comes between those around it: nothing is there from which ripples could grow.
TEST(ThermalErosion, BySmoothStepsCellsStayBetweenTheirNeighbours) {
    for (bool hard : {false, true}) {
        Terrain land = rough_terrain({61, 47}, Holes::some, 4);
        if (!hard) land.remove("hardness");
        for (int step = 0; step < 5; step++) {
            const Field before = land.height();
            land = crumbled(land, {{"steps", "1"}, {"talus", "15"}});
            for (int y = 0; y < 47; y++)
                for (int x = 0; x < 61; x++) {
                    if (is_missing(before.at(x, y))) continue;
                    float low = before.at(x, y), high = low;
                    for (const auto& [dx, dy] : {std::pair(1, 0), {-1, 0}, {0, 1}, {0, -1}}) {
                        if (!before.rect().contains(x + dx, y + dy)) continue;
                        if (is_missing(before.at(x + dx, y + dy))) continue;
                        low = std::min(low, before.at(x + dx, y + dy));
                        high = std::max(high, before.at(x + dx, y + dy));
                    }
                    // Heights of 200 m have steps of 1.5e-5.
                    ASSERT_GE(land.height().at(x, y), low - 1e-4f) << x << "," << y;
                    ASSERT_LE(land.height().at(x, y), high + 1e-4f) << x << "," << y;
                }
        }
    }
}

// A heap of sand is round, and as steep in every direction.
TEST(ThermalErosion, TalusStandsAtOneAngleInAllDirections) {
    Grid grid{Rect::of({121, 121}), 8, {0, 600}};
    Terrain heap(grid);
    heap.set("height", made_field(grid.extent, [](int x, int y) {
                 return std::max(0.0f, 300 - 9.6f * std::hypot(float(x - 60), float(y - 60)));  // 50 degrees
             }));
    heap = crumbled(heap, {{"steps", "2000"}, {"talus", "30"}});
    double gentlest = 90, steepest = 0;
    for (int y = 20; y < 101; y++)
        for (int x = 20; x < 101; x++) {
            const double far = std::hypot(x - 60, y - 60);
            if (far < 15 || far > 35) continue;
            const double slope = std::hypot(heap.height().at(x + 1, y) - heap.height().at(x - 1, y),
                                            heap.height().at(x, y + 1) - heap.height().at(x, y - 1)) /
                                 16;
            gentlest = std::min(gentlest, std::atan(slope) * 180 / pi);
            steepest = std::max(steepest, std::atan(slope) * 180 / pi);
        }
    EXPECT_NEAR(gentlest, 30, 1);
    EXPECT_NEAR(steepest, 30, 1);
}

// How often it goes up and down from cell to cell along the rows of a slope that was too steep, as a share of its cells.
double share_of_ripples(const Terrain& land) {
    const Field& height = land.height();
    const Rect& rect = height.rect();
    int ripples = 0, cells = 0;
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x + 4 < rect.right; x++) {
            auto bend = [&](int at) {
                return height.at(at, y) - 2 * height.at(at + 1, y) + height.at(at + 2, y);
            };
            // A tenth of a metre on cells of 8 m is seen in the light.
            const bool to_and_fro = bend(x) * bend(x + 1) < 0 && bend(x + 1) * bend(x + 2) < 0;
            ripples += to_and_fro && std::abs(bend(x) - bend(x + 1)) > 0.1f;
            cells++;
        }
    return double(ripples) / cells;
}

TEST(ThermalErosion, TalusHasNoRipplesUnlessAskedFor) {
    // Hills whose sides are too steep, and so even that all ripples are of erosion.
    Grid grid{Rect::of({160, 120}), 8, {0, 600}};
    Terrain hills(grid);
    hills.set("height", made_field(grid.extent, [](int x, int y) {
                  return 250 + 200 * std::sin(float(x) * 0.13f + 0.4f * std::sin(float(y) * 0.09f)) *
                                   std::sin(float(y) * 0.11f);
              }));
    ASSERT_LT(share_of_ripples(hills), 0.001);
    EXPECT_LT(share_of_ripples(crumbled(hills, {{"talus", "20"}})), 0.002);
    EXPECT_LT(share_of_ripples(crumbled(hills, {{"talus", "20"}, {"duration", "400"}})), 0.005);
    // The measure sees them where they are.
    EXPECT_GT(share_of_ripples(crumbled(hills, {{"talus", "20"}, {"rule", "frontier"}})), 0.1);
}

TEST(ThermalErosion, AConeEndsAtItsTalusAngle) {
    Grid grid{Rect::of({61, 61}), 2, {0, 300}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) {
                  return std::max(0.0f, 75 - 5.0f * std::hypot(float(x - 30), float(y - 30)));  // 68 degrees
              }));
    Terrain output = crumbled(input, {{"steps", "2400"}, {"talus", "30"}});
    double steepest = 0;
    for (int y = 1; y < 60; y++)
        for (int x = 1; x < 60; x++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    if (dx == 0 && dy == 0) continue;
                    double drop = output.height().at(x, y) - output.height().at(x + dx, y + dy);
                    steepest = std::max(steepest, drop / (2 * std::hypot(dx, dy)));
                }
    EXPECT_LE(steepest, std::tan(30 * pi / 180) * 1.02);
    // It was not flattened either: the middle still stands at about that angle.
    EXPECT_GT(output.height().at(30, 30) - output.height().at(37, 30), 2 * 7 * std::tan(30 * pi / 180) * 0.6);
}

TEST(ThermalErosion, HardRockNeverChanges) {
    // Also where soft rock crumbles all around it.
    Terrain input = rough_terrain({67, 41});
    for (const char* rule : rules) {
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
                  crumbled(coarse, {{"steps", "1"}, {"rate", "0.5"}, {"rule", "musgrave"}}).height()));
    EXPECT_TRUE(identical(crumbled(input, {{"duration", "0"}}).height(), input.height()));
}

TEST(ThermalErosion, InFinerCellsRockIsMovedAndNotLostAndHardRockStays) {
    for (double cell : {4.0, 1.0, 0.3})
        for (Holes holes : {Holes::none, Holes::some})
            for (const char* rule : rules) {
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
