// Ledges against the formula of Editor, section 8.2, in doubles.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field ledged(const Terrain& terrain, double amount, double limit, double softness) {
    return applied("ledge",
                   {{"amount", std::to_string(amount)},
                    {"limit", std::to_string(limit)},
                    {"softness", std::to_string(softness)}},
                   terrain)
        .height();
}

double ledge(double height, double amount, double limit, double softness) {
    double beyond = amount < 0 ? limit - height : height - limit;
    return height + amount * (1 - std::min(std::max(beyond / softness, 0.0), 1.0));
}

// From -100 to 300 m, a tenth of a metre a cell.
Terrain long_slope() {
    return terrain_of("height", {4001, 1}, 1, [](int x, int) { return float(x - 1000) * 0.1f; });
}

TEST(Ledge, FollowsItsFormula) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    for (double amount : {-200.0, -15.0, 0.0, 15.0, 200.0})
        for (double softness : {0.01, 20.0, 5000.0}) {
            Field after = ledged(input, amount, 110, softness);
            for (int y = 0; y < 41; y++)
                for (int x = 0; x < 67; x++) {
                    float height = input.height().at(x, y);
                    if (is_missing(height)) {
                        ASSERT_TRUE(is_missing(after.at(x, y)));
                        continue;
                    }
                    // A rounding of the height counts as often as the change is steep.
                    ASSERT_NEAR(after.at(x, y), ledge(height, amount, 110, softness),
                                1e-4 + 1e-5 * std::fabs(amount) / softness)
                        << height << " by " << amount << " over " << softness;
                }
        }
}

TEST(Ledge, WhatLiesBeyondKeepsEveryBit) {
    Terrain slope = long_slope();
    Field raised = ledged(slope, 70, 100, 40);
    Field lowered = ledged(slope, -70, 100, 40);
    for (int x = 0; x <= 4000; x++) {
        float before = slope.height().at(x, 0);
        if (before >= 140) {
            ASSERT_EQ(raised.at(x, 0), before);
        } else {
            ASSERT_GT(raised.at(x, 0), before);
        }
        if (before <= 60) {
            ASSERT_EQ(lowered.at(x, 0), before);
        } else {
            ASSERT_LT(lowered.at(x, 0), before);
        }
    }
}

TEST(Ledge, RaisesNothingAboveTheLedge) {
    // What is moved ends no higher than the limit and the larger of amount and softness.
    Terrain slope = long_slope();
    for (double amount : {5.0, 60.0, 400.0})
        for (double softness : {0.01, 60.0, 150.0}) {
            double highest = 100 + std::max(amount, softness);
            Field raised = ledged(slope, amount, 100, softness);
            Field lowered = ledged(slope, -amount, 100, softness);
            for (int x = 0; x <= 4000; x++) {
                float before = slope.height().at(x, 0);
                if (raised.at(x, 0) != before) {
                    ASSERT_LE(raised.at(x, 0), highest + 1e-3) << before;
                }
                if (lowered.at(x, 0) != before) {
                    ASSERT_GE(lowered.at(x, 0), 200 - highest - 1e-3) << before;
                }
            }
        }
}

TEST(Ledge, KeepsTheOrderOfHeightsUnlessTheAmountExceedsTheSoftness) {
    Terrain slope = long_slope();
    for (double amount : {-80.0, -79.0, -10.0, 10.0, 79.0, 80.0}) {
        Field after = ledged(slope, amount, 100, 80);
        for (int x = 1; x <= 4000; x++)
            ASSERT_GE(after.at(x, 0), after.at(x - 1, 0) - 1e-4) << amount << " at " << x;
    }
}

TEST(Ledge, AnAmountLikeTheSoftnessMakesALevelShelf) {
    Terrain slope = long_slope();
    Field after = ledged(slope, 80, 100, 80);
    for (int x = 2000; x <= 2800; x++) ASSERT_NEAR(after.at(x, 0), 180, 1e-3) << x;
    EXPECT_NEAR(after.at(1990, 0), 179, 1e-3);
    EXPECT_NEAR(after.at(2810, 0), 181, 1e-3);
}

TEST(Ledge, ANegativeAmountIsTheSameUpsideDown) {
    Terrain slope = long_slope();
    Terrain turned = terrain_of("height", {4001, 1}, 1, [](int x, int) { return float(1000 - x) * 0.1f; });
    Field raised = ledged(slope, 45, 70, 60);
    Field lowered = ledged(turned, -45, -70, 60);
    for (int x = 0; x <= 4000; x++) ASSERT_EQ(raised.at(x, 0), -lowered.at(x, 0)) << x;
}

TEST(Ledge, OfNothingChangesNoBit) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    EXPECT_TRUE(identical(ledged(input, 0, 110, 20), input.height()));
}

TEST(Ledge, OfOtherFieldsTheSameSharesOfTheirRange) {
    Grid grid{Rect::of({501, 1}), 1, {200, 700}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int) { return float(x + 200); }));
    input.set("hardness", made_field(grid.extent, [](int x, int) { return float(x) / 500; }));
    Parameters settings = {{"amount", "90"}, {"limit", "350"}, {"softness", "120"}};
    Field height = applied("ledge", settings, input).height();
    settings.push_back({"field", "hardness"});
    Field hardness = applied("ledge", settings, input).field("hardness");
    for (int x = 0; x <= 500; x++) ASSERT_NEAR(hardness.at(x, 0) * 500 + 200, height.at(x, 0), 1e-3) << x;
}

}  // namespace
}  // namespace caprock::test
