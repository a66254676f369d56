// What water runs by: steps that are stable, and springs that bring what they should.
#include "operations/rivers/shallow_water.h"

#include "support/fields.h"
#include "support/operations.h"
#include "support/refusals.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Line point(double x, double y) {
    Line line;
    line.points = {LinePoint(x, y)};
    return line;
}

// Cubic metres a second.
double all_of(const Field& field, double cell) {
    double sum = 0;
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++) sum += double(field.at(x, y));
    return sum * cell * cell;
}

TEST(ShallowWater, AStepIsShorterThanAWaveTakesToTheNextCell) {
    for (double deep : {0.1, 2.0, 30.0})
        for (double cell : {0.5, 8.0, 90.0}) {
            const ShallowWater water{.deepest = deep};
            const double crossing = cell / std::sqrt(9.81 * deep);
            EXPECT_LT(water.longest_step(cell), 0.5 * crossing);
            EXPECT_GT(water.longest_step(cell), 0.2 * crossing);
            const Stage stage = water.stage_lasting(1000, cell);
            EXPECT_LE(stage.share, water.longest_step(cell) * (1 + 1e-9));
            EXPECT_NEAR(stage.lasts(), 1000, 1e-6);
        }
    EXPECT_EQ(ShallowWater{}.stage_lasting(0, 8).steps, 0);
}

TEST(ShallowWater, TimeThatNobodyWouldWaitForIsRefused) {
    const ShallowWater water{.deepest = 100};
    EXPECT_NO_THROW(water.check(3600, 8));
    const std::string told = refusal([&] { water.check(1e7, 0.01); });
    EXPECT_NE(told.find("100 m deep"), std::string::npos) << told;
    EXPECT_NE(told.find("cells of 0.01 m"), std::string::npos) << told;
}

TEST(ShallowWater, SpringsBringTheirDischargeWhereverTheyAre) {
    const Grid grid{Rect::of({60, 40}), 5, {0, 100}};
    for (double radius : {0.0, 1.0, 12.0, 60.0, 1000.0})
        for (const LinePoint& place : {LinePoint(100, 100), LinePoint(2, 3), LinePoint(297, 1)}) {
            const SpringField springs(LineSet({point(place.x, place.y)}), 30, radius, grid);
            EXPECT_NEAR(all_of(springs.on(grid.extent), 5), 30, 1e-3) << radius;
        }
    // Off the land there is nothing.
    EXPECT_TRUE(SpringField(LineSet({point(-100, 50)}), 30, 10, grid).empty());
    EXPECT_TRUE(SpringField(LineSet(), 30, 10, grid).empty());
}

TEST(ShallowWater, SpringsHaveADischargeOfTheirOwn) {
    const Grid grid{Rect::of({60, 40}), 5, {0, 100}};
    Line noted = point(100, 100), whole = point(200, 150);
    noted.attributes["discharge"] = 7.5;
    whole.attributes["discharge"] = int64_t(4);
    const SpringField springs(LineSet({noted, whole, point(50, 50)}), 2, 20, grid);
    EXPECT_NEAR(all_of(springs.on(grid.extent), 5), 13.5, 1e-3);
    EXPECT_NEAR(all_of(springs.on({15, 15, 26, 26}), 5), 7.5, 1e-3);
}

TEST(ShallowWater, SpringsOfAWindowAreThoseOfTheWhole) {
    const Grid grid{Rect::of({60, 40}), 5, {0, 100}};
    const SpringField springs(LineSet({point(100, 100), point(120, 110), point(3, 190)}), 30, 33, grid);
    const Field whole = springs.on(grid.extent);
    for (const Rect& window : {Rect{10, 10, 30, 30}, Rect{0, 30, 60, 40}, Rect{21, 19, 22, 20}})
        EXPECT_TRUE(identical(springs.on(window), whole.cropped(window)));
}

}  // namespace
}  // namespace caprock::test
