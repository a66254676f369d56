// One dome against its equation in doubles, and against the circular fault it is.
#include "support/devices.h"
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const Parameters off_the_grid = {{"x", "97.3"}, {"y", "51.7"}, {"radius", "66.6"}, {"height", "250"}};

double dome(double x, double y, double middle_x, double middle_y, double radius) {
    double away = (x - middle_x) * (x - middle_x) + (y - middle_y) * (y - middle_y);
    return std::sqrt(std::max(radius * radius - away, 0.0)) / radius;
}

TEST(Dome, IsItsEquation) {
    for (double cell : {0.5, 4.0, 30.0}) {
        Grid grid{Rect::of({67, 41}), cell, {0, 1000}};
        Field field = applied("dome", off_the_grid, Terrain(grid)).height();
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 67; x++) {
                double expected = dome(x * cell, y * cell, 97.3, 51.7, 66.6);
                // Towards the rim a dome is upright, and a rounding of the square counts for more.
                double tolerance = 250 * std::min(4e-7 / std::max(expected, 1e-9), 2e-3);
                ASSERT_NEAR(field.at(x, y), 250 * expected, tolerance) << x << "," << y << " of " << cell;
            }
    }
}

TEST(Dome, StandsWhereItIsPutAndNowhereElse) {
    Grid grid{Rect::of({101, 81}), 10, {-200, 1000}};
    Parameters settings = {{"x", "600"}, {"y", "300"}, {"radius", "200"}, {"height", "150"}};
    Field field = applied("dome", settings, Terrain(grid)).height();
    EXPECT_EQ(field.at(60, 30), 150);
    EXPECT_EQ(statistics(field).high, 150);
    for (int y = 0; y < 81; y++)
        for (int x = 0; x < 101; x++) {
            bool inside = (x - 60) * (x - 60) + (y - 30) * (y - 30) < 400;
            ASSERT_EQ(field.at(x, y) > 0, inside) << x << "," << y;
            if (!inside) {
                ASSERT_EQ(field.at(x, y), 0);
            }
            // The same in all eight directions, to the last bit.
            if (x < 60 - 20 || x > 60 + 20 || y < 30 - 20 || y > 30 + 20) continue;
            ASSERT_EQ(field.at(x, y), field.at(120 - x, y));
            ASSERT_EQ(field.at(x, y), field.at(60 + (y - 30), 30 + (x - 60)));
        }
}

TEST(Dome, IsTheDomeOfCircularFaults) {
    // A single one of those, wherever it was drawn, and ours in its place.
    Grid grid{Rect::of({160, 120}), 8, {0, 1000}};
    Parameters drawn = {
        {"faults", "1"}, {"radius", "300"}, {"step", "80"}, {"normalise", "false"}, {"seed", "6"}};
    Field theirs = applied("circular-faults", drawn, Terrain(grid)).height();
    int middle_x = 0, middle_y = 0;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 160; x++)
            if (theirs.at(x, y) > theirs.at(middle_x, middle_y)) {
                middle_x = x;
                middle_y = y;
            }
    ASSERT_EQ(theirs.at(middle_x, middle_y), 80);
    Parameters same = {{"x", std::to_string(middle_x * 8)},
                       {"y", std::to_string(middle_y * 8)},
                       {"radius", "300"},
                       {"height", "80"}};
    Field ours = applied("dome", same, Terrain(grid)).height();
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 160; x++) ASSERT_NEAR(ours.at(x, y), theirs.at(x, y), 2e-3) << x << "," << y;
}

TEST(Dome, BelowZeroIsABowl) {
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    Parameters bowl = off_the_grid;
    bowl.back().second = "-250";
    Field up = applied("dome", off_the_grid, Terrain(grid)).height();
    Field down = applied("dome", bowl, Terrain(grid)).height();
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) {
            ASSERT_EQ(down.at(x, y), -up.at(x, y));
            ASSERT_FALSE(down.at(x, y) == 0 && std::signbit(down.at(x, y))) << "a zero with a sign";
        }
}

TEST(Dome, MayLieFarOutside) {
    // Its middle is 100 km to the west, and the land under its eastern flank.
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    Parameters far = {{"x", "-100000"}, {"y", "80"}, {"radius", "100200"}, {"height", "5000"}};
    Field field = applied("dome", far, Terrain(grid)).height();
    for (int x = 0; x < 45; x++)
        ASSERT_NEAR(field.at(x, 20), 5000 * dome(x * 4.0, 80, -100000, 80, 100200), 0.05) << x;
    for (int x = 51; x < 67; x++) ASSERT_EQ(field.at(x, 20), 0) << x;
}

TEST(Dome, HasTheSameBitsOnEveryDeviceAndInEveryTile) {
    // As the contract has it, of a dome that is not larger than the terrain.
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    Terrain input(grid);
    auto operation = made_operation("dome", off_the_grid);
    Field expected = applied("dome", off_the_grid, input).height();
    for (const NamedDevice& named : all_devices()) {
        RunContext context = on(named.device);
        EXPECT_TRUE(identical(run(*operation, input, context).height(), expected)) << named.name;
        for (const Rect& region : {Rect{0, 0, 1, 1}, Rect{17, 5, 40, 31}, Rect{24, 0, 25, 41}})
            EXPECT_TRUE(
                identical(evaluate(*operation, input, region, context).height(), expected.cropped(region)))
                << named.name;
    }
}

}  // namespace
}  // namespace caprock::test
