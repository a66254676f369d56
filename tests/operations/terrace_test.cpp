// Terraces against their rule in doubles, and what makes them terraces: level treads, upright risers, nothing turned
// upside down.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field terraced(const Terrain& terrain, double step, double sharpness, double offset = 0) {
    return applied("terrace",
                   {{"step", std::to_string(step)},
                    {"sharpness", std::to_string(sharpness)},
                    {"offset", std::to_string(offset)}},
                   terrain)
        .height();
}

// From a tread at 0 to one at 1. Below the riser half way, (1 - s) x / (1 - 2 s x); above it the same, turned round.
double rise(double x, double sharpness) {
    if (x > 0.5) return 1 - rise(1 - x, sharpness);
    return sharpness < 1 ? (1 - sharpness) * x / (1 - 2 * sharpness * x) : 0;
}

double terrace(double height, double step, double sharpness, double offset) {
    double steps = (height - offset) / step;
    return offset + step * (std::floor(steps) + rise(steps - std::floor(steps), sharpness));
}

// Slopes from -150 to 150 m, a twentieth of a metre a cell.
Terrain slopes_about_zero() {
    return terrain_of("height", {6001, 1}, 1, [](int x, int) { return float(x - 3000) * 0.05f; });
}

TEST(Terrace, FollowsItsRule) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    for (double step : {0.5, 13.0, 60.0, 1000.0})
        for (double sharpness : {0.1, 0.5, 0.9})
            for (double offset : {0.0, 7.5, -98765.4}) {
                Field after = terraced(input, step, sharpness, offset);
                for (int y = 0; y < 41; y++)
                    for (int x = 0; x < 67; x++) {
                        float height = input.height().at(x, y);
                        if (is_missing(height)) {
                            ASSERT_TRUE(is_missing(after.at(x, y)));
                            continue;
                        }
                        // Two roundings or so of a step and of a height, as often as a riser is steeper.
                        ASSERT_NEAR(after.at(x, y), terrace(height, step, sharpness, offset),
                                    (step + 200) * 0x1p-22 / (1 - sharpness))
                            << height << " in steps of " << step << ", sharpness " << sharpness;
                    }
            }
}

TEST(Terrace, WithoutSharpnessChangesNoBit) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    EXPECT_TRUE(identical(terraced(input, 60, 0), input.height()));
}

TEST(Terrace, ASlopeNeverFalls) {
    Terrain slope = slopes_about_zero();
    for (double step : {0.07, 1.0, 60.0})
        for (double sharpness : {0.0, 0.001, 0.3, 0.8, 0.99, 0.999999, 1.0}) {
            Field after = terraced(slope, step, sharpness, 3.3);
            for (int x = 1; x <= 6000; x++)
                ASSERT_GE(after.at(x, 0), after.at(x - 1, 0)) << step << ", " << sharpness << " at " << x;
        }
}

TEST(Terrace, NeighbouringFloatsStayInOrder) {
    // Around a tread, a riser, and between them: the order holds to the last bit.
    for (float from : {60.0f, 90.0f, 75.0f, 119.999f, -30.0f}) {
        Terrain close = terrain_of("height", {2001, 1}, 1, [&](int x, int) {
            float height = from;
            for (int i = 1000; i < x; i++) height = std::nextafter(height, INFINITY);
            for (int i = x; i < 1000; i++) height = std::nextafter(height, -INFINITY);
            return height;
        });
        for (double sharpness : {0.2, 0.7, 0.95, 0.999999, 1.0}) {
            Field after = terraced(close, 60, sharpness);
            for (int x = 1; x <= 2000; x++)
                ASSERT_GE(after.at(x, 0), after.at(x - 1, 0)) << from << ", " << sharpness << " at " << x;
        }
    }
}

TEST(Terrace, TreadsAreLevelAndRisersUprightWhenSharp) {
    Field after = terraced(slopes_about_zero(), 60, 1, 10);
    int risers = 0;
    for (int x = 0; x <= 6000; x++) {
        float height = after.at(x, 0);
        ASSERT_EQ(height, 10 + 60 * std::floor((height - 10) / 60 + 0.5f)) << "no tread is at " << height;
        if (x == 0 || height == after.at(x - 1, 0)) continue;
        ASSERT_EQ(height - after.at(x - 1, 0), 60);
        // Half way between two treads: -140, -80, -20, 40, 100.
        double from_riser = (double(x - 3000) * 0.05 + 140) / 60;
        ASSERT_NEAR(from_riser, std::round(from_riser), 0.06 / 60) << x;
        risers++;
    }
    EXPECT_EQ(risers, 5);
}

TEST(Terrace, MovesNothingByMoreThanHalfAStep) {
    Terrain input = rough_terrain({67, 41});
    for (double sharpness : {0.5, 0.9, 1.0}) {
        Field after = terraced(input, 30, sharpness);
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 67; x++)
                ASSERT_LE(std::fabs(after.at(x, y) - input.height().at(x, y)), 15.001) << sharpness;
    }
}

TEST(Terrace, SharperMovesHeightsNearerToTheirTreads) {
    Terrain slope = slopes_about_zero();
    Field before = slope.height();
    for (double sharpness : {0.25, 0.5, 0.75, 1.0}) {
        Field after = terraced(slope, 60, sharpness);
        for (int x = 0; x <= 6000; x++) {
            double height = slope.height().at(x, 0);
            double tread = 60 * std::round(height / 60);
            if (std::fabs(std::fabs(height - tread) - 30) < 0.1) continue;  // on a riser
            ASSERT_LE(std::fabs(after.at(x, 0) - tread), std::fabs(before.at(x, 0) - tread) + 1e-4) << height;
        }
        before = after;
    }
}

TEST(Terrace, TreadsAndRisersAreAsSteepAsStated) {
    // Within a metre of a tread at 0, and of a riser at 30, in steps of 0.05.
    Field after = terraced(slopes_about_zero(), 60, 0.8);
    EXPECT_NEAR((after.at(3001, 0) - after.at(2999, 0)) / 0.1, 0.2, 0.005);
    EXPECT_NEAR((after.at(3601, 0) - after.at(3599, 0)) / 0.1, 5, 0.05);
}

TEST(Terrace, OfOtherFieldsTheSameSharesOfTheirRange) {
    // Heights from 200 to 700 m, and the same landscape in shares of that.
    Grid grid{Rect::of({501, 1}), 1, {200, 700}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int) { return float(x + 200); }));
    input.set("hardness", made_field(grid.extent, [](int x, int) { return float(x) / 500; }));
    Parameters settings = {{"step", "90"}, {"sharpness", "0.7"}, {"offset", "35"}};
    Field height = applied("terrace", settings, input).height();
    settings.push_back({"field", "hardness"});
    Field hardness = applied("terrace", settings, input).field("hardness");
    for (int x = 0; x <= 500; x++) ASSERT_NEAR(hardness.at(x, 0) * 500 + 200, height.at(x, 0), 1e-3) << x;
}

TEST(Terrace, HeightsThatAreTooLargeForStepsStayAsTheyAre) {
    Terrain input = terrain_of("height", {5, 1}, 1, [](int x, int) {
        return x == 0 ? INFINITY : x == 1 ? -INFINITY : x == 2 ? 3e38f : x == 3 ? -1e9f : 61.0f;
    });
    Field after = terraced(input, 0.01, 1);
    for (int x = 0; x < 4; x++) EXPECT_EQ(after.at(x, 0), input.height().at(x, 0));
    EXPECT_NEAR(after.at(4, 0), 61, 0.005);
}

}  // namespace
}  // namespace caprock::test
