// Rivers that erode, against a plain scatter of the same rules in double precision, and what they promise. How water runs is tested
// with floods.
#include "support/devices.h"
#include "support/operations.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace caprock::test {
namespace {

Terrain eroded(const Terrain& input, const Parameters& parameters, RunContext context = on_cpu()) {
    return run(*made_operation("river-erosion", parameters), input, context);
}

// Land that water runs over, in the cells of its scale.
Terrain land(Size size, Holes holes = Holes::none, double cell = 8) {
    Terrain terrain = rough_terrain(size, holes, cell);
    terrain.set("water", made_field(terrain.rect(), [](int x, int y) { return 0.6f * scattered(x, y, 6); }));
    terrain.set("sediment",
                made_field(terrain.rect(), [](int x, int y) { return 0.05f * scattered(x, y, 7); }));
    return terrain;
}

// Every pipe moves water and sediment from one of its cells to the other.
struct Reference {
    Size size;
    std::vector<double> ground, water, sediment, hardness, east, south, moved_east, moved_south;
    double cell, seconds;
    double rain = 50 / 3.6e6, evaporation = 3 / 3.6e6, friction = 0.035, deepest = 2, capacity = 50,
           dissolving = 0.001, settling = 0.02, talus = std::tan(40 * std::numbers::pi / 180);
    bool open = true;

    size_t at(int x, int y) const { return size_t(y) * size_t(size.width) + size_t(x); }
    bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < size.width && y < size.height; }
    double of(const std::vector<double>& field, int x, int y) const {
        return inside(x, y) ? field[at(x, y)] : 0;
    }

    // Along the pipe from a cell to the one at (dx, dy) from it: speeds along it and what went through.
    double new_speed(int x, int y, int dx, int dy) const {
        if (!inside(x + dx, y + dy)) return 0;
        const auto& along = dx ? east : south;
        const auto& through = dx ? moved_east : moved_south;
        const auto& across_through = dx ? moved_south : moved_east;
        const size_t here = at(x, y), there = at(x + dx, y + dy);
        const double rise = ground[there] - ground[here];
        const double top = std::max(water[here], rise + water[there]) - std::max(rise, 0.0);
        if (top <= 1e-6) return 0;
        const double speed = along[here], both = water[here] + water[there];
        double share = 0, push = 0;
        auto come = [&](double amount, double with, double mean, bool same_axis) {
            double part = std::max(amount, 0.0) / both;
            if (same_axis) part = std::min(part, std::max(mean, 0.0) * seconds / cell);
            share += part;
            push += part * (with - speed);
        };
        // Beyond the border it is as at the border.
        auto clamped = [&](const std::vector<double>& field, int cx, int cy) {
            return field[at(std::clamp(cx, 0, size.width - 1), std::clamp(cy, 0, size.height - 1))];
        };
        const double before = clamped(along, x - dx, y - dy), behind = clamped(along, x + dx, y + dy);
        come(clamped(through, x - dx, y - dy) + through[here], before, (before + speed) / 2, speed > before);
        come(-(through[here] + clamped(through, x + dx, y + dy)), behind, -(speed + behind) / 2,
             behind > speed);
        come(clamped(across_through, x - dy, y - dx) + clamped(across_through, x - dy + dx, y - dx + dy),
             clamped(along, x - dy, y - dx), 0, false);
        come(-(across_through[here] + clamped(across_through, x + dx, y + dy)),
             clamped(along, x + dy, y + dx), 0, false);
        double pushed =
            speed + push / std::max(share, 1.0) -
            9.81 * seconds / cell * std::min(deepest / top, 1.0) * (rise + water[there] - water[here]);
        const double held = 9.81 * friction * friction * seconds / std::pow(top, 4.0 / 3);
        pushed = 2 * pushed / (1 + std::sqrt(1 + 4 * held * std::abs(pushed)));
        const auto& sideways = dx ? south : east;
        const double across = (std::abs(sideways[here]) + std::abs(sideways[there]) +
                               std::abs(clamped(sideways, x - dy, y - dx)) +
                               std::abs(clamped(sideways, x - dy + dx, y - dx + dy))) /
                              4;
        return pushed * std::min((0.95 * cell / seconds - std::sqrt(2 * 9.81 * std::min(top, deepest))) /
                                     (std::abs(pushed) + across + 1e-9),
                                 1.0);
    }

    void step() {
        const size_t cells = ground.size();
        std::vector<double> next_east(cells), next_south(cells);
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                next_east[at(x, y)] = new_speed(x, y, 1, 0);
                next_south[at(x, y)] = new_speed(x, y, 0, 1);
            }
        east = next_east;
        south = next_south;
        std::vector<double> water_change(cells), sediment_change(cells), ground_change(cells), falls(cells),
            below(cells);
        // No cell gives more than it has.
        std::vector<double> gives(cells), leaves(cells);
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                const double all = std::max(east[at(x, y)], 0.0) + std::max(south[at(x, y)], 0.0) +
                                   std::max(-east[at(std::max(x - 1, 0), y)], 0.0) +
                                   std::max(-south[at(x, std::max(y - 1, 0))], 0.0);
                leaves[at(x, y)] = 1.0001 * all * seconds / cell;
                gives[at(x, y)] = 1 / std::max(leaves[at(x, y)], 1.0);
            }
        auto pipe = [&](int x, int y, int dx, int dy) {
            const size_t here = at(x, y);
            std::vector<double>& moved = dx ? moved_east : moved_south;
            moved[here] = 0;
            if (!inside(x + dx, y + dy)) return;
            const size_t there = at(x + dx, y + dy);
            const double speed = dx ? east[here] : south[here], rise = ground[there] - ground[here];
            const size_t from = speed > 0 ? here : there, to = speed > 0 ? there : here;
            const double over = std::max(speed > 0 ? rise : -rise, 0.0);
            const double stands = std::max(water[from] - over, 0.0),
                         part = std::abs(speed) * seconds / cell * gives[from];
            water_change[from] -= part * stands;
            water_change[to] += part * stands;
            moved[here] = (speed > 0 ? part : -part) * stands;
            if (water[from] > 0) {
                sediment_change[from] -= part * sediment[from] * stands / water[from];
                sediment_change[to] += part * sediment[from] * stands / water[from];
            }
            const double fall =
                -speed * std::clamp(rise + water[there] - water[here], -cell, cell) / (2 * cell);
            falls[here] += fall;
            falls[there] += fall;
            below[here] = std::min(below[here], rise);
            below[there] = std::min(below[there], -rise);
            const size_t higher = rise > 0 ? there : here, lower = rise > 0 ? here : there;
            // Sediment on its way rolls down, and what stands too steeply slumps.
            auto rolls = [&](size_t i) { return sediment[i] * leaves[i] / (2 * cell); };
            const double rolled =
                std::abs(rise) * std::min(rolls(here) + rolls(there), 0.1) * (1 - hardness[higher]);
            const double slumps = rolled + 0.05 * std::max(std::abs(rise) - talus * cell, 0.0) *
                                               (1 - hardness[higher]) *
                                               std::min(10 * (water[here] + water[there]), 1.0);
            ground_change[higher] -= slumps;
            ground_change[lower] += slumps;
        };
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                pipe(x, y, 1, 0);
                pipe(x, y, 0, 1);
            }
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                const size_t i = at(x, y);
                double leaving = 0;
                if (open && x == 0) leaving += std::max(-east[i], 0.0);
                if (open && y == 0) leaving += std::max(-south[i], 0.0);
                if (open && x == size.width - 1) leaving += std::max(of(east, x - 1, y), 0.0);
                if (open && y == size.height - 1) leaving += std::max(of(south, x, y - 1), 0.0);
                leaving = std::min(leaving * seconds / cell, 1.0);
                water[i] = (water[i] + water_change[i] + seconds * rain) * (1 - leaving);
                water[i] = std::max(water[i] - seconds * evaporation, 0.0);
                double load = (sediment[i] + sediment_change[i]) * (1 - leaving);
                const double lack = water[i] * capacity * std::max(falls[i], 0.0) - load;
                const double soft = dissolving * seconds * (1 - hardness[i]), sinks = settling * seconds;
                const double taken =
                    std::min(std::max(lack, 0.0) * soft / (soft + water[i] + 1e-9), -below[i] / 2);
                const double laid = std::max(-lack, 0.0) * sinks / (sinks + water[i] + 1e-9);
                sediment[i] = load + taken - laid;
                ground[i] += ground_change[i] + laid - taken;
            }
    }
};

TEST(RiverErosion, FollowsItsRules) {
    for (bool open : {true, false}) {
        Terrain input = land({37, 29});
        Reference reference;
        reference.size = {37, 29};
        reference.cell = 8;
        reference.open = open;
        for (int y = 0; y < 29; y++)
            for (int x = 0; x < 37; x++) {
                reference.ground.push_back(input.height().at(x, y));
                reference.water.push_back(input.field("water").at(x, y));
                reference.sediment.push_back(input.field("sediment").at(x, y));
                reference.hardness.push_back(input.field("hardness").at(x, y));
            }
        const std::vector<double> none(reference.ground.size());
        reference.east = reference.south = reference.moved_east = reference.moved_south = none;
        // Of 0.632 s at most: 32 of them.
        reference.seconds = 20.0 / 32;
        for (int step = 0; step < 32; step++) reference.step();
        const Terrain output = eroded(input, {{"duration", "20"},
                                              {"evaporation", "3"},
                                              {"border", open ? "open" : "closed"},
                                              {"acceleration", "100"},
                                              {"dissolving", "0.001"},
                                              {"spreading", "1"}});
        for (int y = 0; y < 29; y++)
            for (int x = 0; x < 37; x++) {
                const size_t i = reference.at(x, y);
                ASSERT_NEAR(output.height().at(x, y), reference.ground[i], 3e-3) << x << "," << y;
                ASSERT_NEAR(output.field("water").at(x, y), reference.water[i], 3e-3) << x << "," << y;
                ASSERT_NEAR(output.field("sediment").at(x, y), reference.sediment[i], 3e-3) << x << "," << y;
            }
    }
}

TEST(RiverErosion, TheLedgerClosesAndEveryLineIsCountedForItself) {
    for (const char* border : {"open", "closed"})
        for (double cell : {8.0, 4.0, 1.7}) {
            SCOPED_TRACE(testing::Message() << border << ", cells of " << cell << " m");
            RunContext context = on_cpu();
            std::vector<LedgerEntry> ledger;
            context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
            Terrain input = land({80, 63}, Holes::some, cell);
            const Parameters parameters = {{"duration", "200"}, {"evaporation", "4"}, {"border", border}};
            Terrain output = eroded(input, parameters, context);
            ASSERT_EQ(ledger.size(), 3u);
            const LedgerEntry &rock = ledger[0], &sediment = ledger[1], &water = ledger[2];
            for (const LedgerEntry& entry : ledger) EXPECT_LT(entry.error(), 1e-6) << entry.quantity;
            double area = 0, after = 0, carried = 0, higher = 0;
            for (int y = 0; y < 63; y++)
                for (int x = 0; x < 80; x++) {
                    if (is_missing(input.height().at(x, y))) continue;
                    area += cell * cell;
                    after += cell * cell * double(output.field("water").at(x, y));
                    carried += cell * cell * double(output.field("sediment").at(x, y));
                    higher +=
                        cell * cell * (double(output.height().at(x, y)) - double(input.height().at(x, y)));
                }
            EXPECT_NEAR(water.after, after, 1e-6 * after);
            EXPECT_NEAR(sediment.after, carried, 1e-6 * carried);
            // Heights are rounded to the fifth digit behind the point.
            EXPECT_NEAR(rock.after - rock.before, higher, 1e-6 * area + 1e-4 * std::abs(higher));
            // In larger cells no rain falls where the finest stand alone between holes.
            EXPECT_NEAR(water.in, area * 0.05 / 18, (cell < 8 ? 1e-2 : 1e-5) * water.in);
            EXPECT_EQ(rock.out, sediment.in);
            EXPECT_GT(rock.out, 0);
            EXPECT_GT(rock.in, 0);
            // What is not laid has left over the border.
            if (border == std::string("closed")) {
                EXPECT_EQ(sediment.out, rock.in);
            } else {
                EXPECT_GT(sediment.out, rock.in);
            }
            // Keeping it changes nothing.
            expect_same(eroded(input, parameters), output, "without a ledger");
        }
}

TEST(RiverErosion, RockOfHardnessOneIsNotWorn) {
    Terrain input = rough_terrain({60, 50}, Holes::none, 8);
    input.set("hardness", Field(input.rect(), 1.0f));
    Terrain output = eroded(input, {{"duration", "300"}});
    EXPECT_TRUE(identical(output.height(), input.height()));
    EXPECT_EQ(statistics(output.field("sediment")).high, 0);
    EXPECT_GT(statistics(output.field("water")).high, 0);
}

TEST(RiverErosion, WithoutWaterNothingHappens) {
    Terrain input = rough_terrain({40, 30}, Holes::some, 4);
    Terrain output = eroded(input, {{"rain", "0"}, {"duration", "600"}, {"talus", "5"}});
    EXPECT_TRUE(identical(output.height(), input.height()));
    EXPECT_EQ(statistics(output.field("water")).high, 0);
}

TEST(RiverErosion, StillWaterWearsNothing) {
    // A lake without sediment, over a bed that is level to the eye; its banks stand.
    Terrain input(Grid{Rect::of({50, 40}), 8, {0, 400}});
    auto bed = [](int x, int y) { return 300 + 2 * std::sin(float(x) * 0.4f) * std::cos(float(y) * 0.3f); };
    input.set("height", made_field(input.rect(), bed));
    input.set("water", made_field(input.rect(), [&](int x, int y) { return 305.0f - bed(x, y); }));
    Terrain output = eroded(input, {{"rain", "0"}, {"duration", "600"}, {"acceleration", "1000"}});
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 50; x++) {
            EXPECT_NEAR(output.height().at(x, y), input.height().at(x, y), 1e-4);
            EXPECT_NEAR(output.field("water").at(x, y), input.field("water").at(x, y), 1e-4);
        }
}

TEST(RiverErosion, SedimentSinksThroughStillWater) {
    // In water 2 m deep sand that sinks 0.02 m a second is down to 1 / e after 100 s.
    Terrain input(Grid{Rect::of({20, 20}), 8, {0, 400}});
    input.set("height", Field(input.rect(), 50.0f));
    input.set("water", Field(input.rect(), 2.0f));
    input.set("sediment", Field(input.rect(), 0.3f));
    Terrain output = eroded(input, {{"rain", "0"}, {"duration", "100"}, {"settling", "0.02"}});
    EXPECT_NEAR(output.field("sediment").at(9, 9), 0.3 / std::numbers::e, 0.003);
    EXPECT_NEAR(output.height().at(9, 9), 50.3 - 0.3 / std::numbers::e, 0.003);
}

TEST(RiverErosion, AStreamCutsItsBedAndLaysAFanWhereTheSlopeEnds) {
    // A slope of a fifth, and flat land below it.
    const double cell = 8;
    Terrain input(Grid{Rect::of({120, 60}), cell, {0, 400}});
    input.set("height", made_field(input.rect(), [&](int x, int y) {
                  return float(100 + std::max(60 - x, 0) * cell * 0.2) + 0.2f * scattered(x, y, 1);
              }));
    Terrain output = eroded(input, {{"rain", "0"},
                                    {"springs", "80,240"},
                                    {"discharge", "20"},
                                    {"duration", "900"},
                                    {"acceleration", "100"}});
    double upper = 0, lower = 0;
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 120; x++) {
            const double change = double(output.height().at(x, y)) - double(input.height().at(x, y));
            (x < 55 ? upper : lower) += change;
        }
    EXPECT_LT(upper, -100);
    EXPECT_GT(lower, 100);
}

TEST(RiverErosion, BanksStandAtTheirAngleUnderWater) {
    // A step of 30 m under a lake slumps until it is no steeper than 30 degrees.
    Terrain input(Grid{Rect::of({60, 5}), 4, {0, 400}});
    input.set("height", made_field(input.rect(), [](int x, int) { return x < 30 ? 130.0f : 100.0f; }));
    input.set("water", made_field(input.rect(), [](int x, int) { return x < 30 ? 10.0f : 40.0f; }));
    Terrain output = eroded(input, {{"rain", "0"},
                                    {"capacity", "0"},
                                    {"border", "closed"},
                                    {"talus", "30"},
                                    {"scale", "4"},
                                    {"duration", "900"}});
    const double most = 4 * std::tan(std::numbers::pi / 6);
    double before = 0, after = 0;
    for (int x = 0; x < 60; x++) {
        before += double(input.height().at(x, 2));
        after += double(output.height().at(x, 2));
        if (x > 0) {
            EXPECT_LT(std::abs(output.height().at(x, 2) - output.height().at(x - 1, 2)), 1.05 * most) << x;
        }
    }
    EXPECT_NEAR(after, before, 1e-3);
    EXPECT_LT(output.height().at(29, 2), 120);
}

TEST(RiverErosion, IsBoundedWhateverItsParametersSay) {
    for (const Parameters& wild :
         {Parameters{{"acceleration", "1000000"}, {"capacity", "1000"}, {"dissolving", "10"}},
          Parameters{{"acceleration", "1000000"}, {"settling", "0"}, {"rain", "10000"}, {"talus", "0"}},
          Parameters{{"deepest", "0.05"}, {"settling", "10"}, {"rain", "10000"}, {"friction", "0"}}}) {
        Parameters parameters = wild;
        parameters.emplace_back("duration", "150");
        parameters.emplace_back("border", "closed");
        Terrain input = land({50, 40}, Holes::some, 4);
        Terrain output = eroded(input, parameters);
        for (const char* field : {"height", "water", "sediment"}) {
            const FieldStatistics s = statistics(output.field(field));
            EXPECT_EQ(s.missing, statistics(input.height()).missing) << field;
            EXPECT_GT(s.low, -2000) << field;
            EXPECT_LT(s.high, 1e5) << field;
        }
        EXPECT_NEAR(statistics(output.height()).mean + statistics(output.field("sediment")).mean,
                    statistics(input.height()).mean + statistics(input.field("sediment")).mean, 0.02);
    }
}

TEST(RiverErosion, AccelerationIsMoreErosionInTheSameWater) {
    Terrain input = rough_terrain({60, 50}, Holes::none, 8);
    double before = 0;
    for (const char* times : {"1", "10"}) {
        RunContext context = on_cpu();
        double taken = 0;
        context.enter = [&](const LedgerEntry& entry) {
            if (entry.quantity == "rock") taken = entry.out;
        };
        eroded(input, {{"duration", "300"}, {"acceleration", times}}, context);
        if (before > 0) {
            EXPECT_NEAR(taken / before, 10, 1);
        }
        before = taken;
    }
}

}  // namespace
}  // namespace caprock::test
