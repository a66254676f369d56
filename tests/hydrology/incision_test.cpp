// Rivers that cut into their beds, against what the equation says of a single river.
#include "hydrology/incision.h"

#include "support/fields.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace caprock::test {
namespace {

constexpr double cell = 100;

// A river of one row between walls, which leaves at its right end.
Field river(int length, const auto& height) {
    return made_field(Rect::of({length, 3}),
                      [&](int x, int y) { return y == 1 ? float(height(x)) : missing; });
}

Field cut(const Field& height, const Incision& incision) {
    Progress progress;
    const FlowGraph graph(height, {.leaves_at_missing = false}, progress);
    return incised(graph, incision, progress);
}

TEST(Incision, AKnickpointTravelsAtItsSpeed) {
    // A step of 100 m in a bed that falls by 0.1 %, and a river of one size: the step goes upstream at K A^m.
    const int length = 1200;
    const double speed = 0.05;  // m a year
    for (double years : {100.0, 1000.0}) {
        Field bed =
            river(length, [&](int x) { return 0.001 * cell * (length - 1 - x) + (x < 1100 ? 100 : 0); });
        const Field rate = Field(bed.rect(), float(speed * years));
        const Field before = bed;
        const int steps = int(1.2e6 / years);
        for (int step = 0; step < steps; step++) {
            bed = cut(bed, {.rate = rate, .cell = cell, .stands = 1e9f});
            // A bed that falls evenly sinks; the ground rises as quickly, but for its end.
            for (int x = 0; x + 1 < length; x++) bed.set(x, 1, float(bed.at(x, 1) + 0.001 * speed * years));
        }
        int middle = 0;
        while (bed.at(middle, 1) > 0.001 * cell * (length - 1 - middle) + 50) middle++;
        const double travelled = (1100 - middle) * cell;
        EXPECT_NEAR(travelled, speed * 1.2e6, 0.05 * speed * 1.2e6) << years << " years a step";
    }
}

TEST(Incision, ARiverAtRestFallsAsTheEquationSays) {
    // Lifted by 1 mm a year, it drains more and more ground: S = (U / K)^(1/n) A^(-m/n).
    const int length = 200;
    const double uplift = 0.001, k = 2e-5, m = 0.5, years = 50000;
    auto area = [](int x) { return 1e5 * (x + 1); };
    for (double n : {1.0, 0.7, 2.0}) {
        Field bed = river(length, [](int x) { return length - x; });
        const Field rate =
            made_field(bed.rect(), [&](int x, int) { return float(k * std::pow(area(x), m) * years); });
        for (int step = 0; step < 800; step++) {
            for (int x = 0; x + 1 < length; x++) bed.set(x, 1, float(bed.at(x, 1) + uplift * years));
            bed = cut(bed, {.rate = rate, .slope_exponent = n, .cell = cell, .stands = 1e9f});
        }
        for (int x = 0; x + 1 < length; x++) {
            const double slope = (bed.at(x, 1) - bed.at(x + 1, 1)) / cell;
            const double expected = std::pow(uplift / k, 1 / n) * std::pow(area(x), -m / n);
            ASSERT_NEAR(slope, expected, 0.02 * expected) << "n = " << n << " at " << x;
        }
    }
}

TEST(Incision, OneStepSolvesTheImplicitEquation) {
    for (double n : {0.4, 0.8, 1.0, 1.3, 2.0, 4.0}) {
        Field bed = river(60, [](int x) { return 2000 - 30 * x - 8 * std::sin(x * 0.7); });
        const Field rate = made_field(bed.rect(), [](int x, int) { return float(0.5 + 3 * x); });
        const Field after = cut(bed, {.rate = rate, .slope_exponent = n, .cell = cell, .stands = 1e9f});
        EXPECT_EQ(after.at(59, 1), bed.at(59, 1));
        for (int x = 0; x < 59; x++) {
            const double slope = (double(after.at(x, 1)) - after.at(x + 1, 1)) / cell;
            const double lost = double(bed.at(x, 1)) - after.at(x, 1);
            ASSERT_NEAR(lost, rate.at(x, 1) * std::pow(slope, n), 0.001) << n << " " << x;
        }
    }
}

TEST(Incision, SlopesStandNoSteeperThanTheyMay) {
    Field cliff = river(40, [](int x) { return x < 20 ? 900.0 + (20 - x) : 0.0 - x; });
    const Field rate(cliff.rect(), 0.0f);
    const Field after = cut(cliff, {.rate = rate, .cell = cell, .stands = 0.7f});
    for (int x = 0; x + 1 < 40; x++) EXPECT_LE(after.at(x, 1) - after.at(x + 1, 1), 70.01f) << x;
    EXPECT_EQ(after.at(30, 1), cliff.at(30, 1));
}

TEST(Incision, WhatIsHeldStaysAndLakesAreTheEndOfRivers) {
    // Down to a lake of level 50 behind a rim.
    Field ground = river(60, [](int x) {
        return x < 30 ? 100.0 - 3 * x : x < 45 ? 20.0 : x == 45 ? 50.0 : 40.0 - (x - 45);
    });
    const Field rate(ground.rect(), 1e9f);
    const Field after = cut(ground, {.rate = rate, .cell = cell, .stands = 1e9f});
    // The rim is cut down to its foot, and all that lies higher to the same; what lay deeper stays.
    for (int x = 0; x < 24; x++) EXPECT_NEAR(after.at(x, 1), 26, 0.01) << x;
    for (int x = 30; x < 45; x++) EXPECT_EQ(after.at(x, 1), 20) << x;
    // Where the rim is hard, the water is the end of rivers.
    Field hard = rate;
    for (int x = 45; x < 60; x++) hard.set(x, 1, 0);
    const Field lake = cut(ground, {.rate = hard, .cell = cell, .stands = 1e9f});
    for (int x = 0; x < 16; x++) EXPECT_NEAR(lake.at(x, 1), 50, 0.01) << x;
    for (int x = 18; x < 60; x++) EXPECT_EQ(lake.at(x, 1), ground.at(x, 1)) << x;
    Field held(ground.rect(), missing);
    held.set(10, 1, 65);
    const Field above = cut(ground, {.rate = rate, .cell = cell, .held = &held, .stands = 1e9f});
    EXPECT_EQ(above.at(10, 1), 65);
    EXPECT_NEAR(above.at(3, 1), 65, 0.01);
}

}  // namespace
}  // namespace caprock::test
