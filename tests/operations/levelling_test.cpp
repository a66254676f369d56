#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain levelled_in_metres(const Terrain& input, const Parameters& parameters) {
    return applied("levelling", parameters, input);
}

// As the paper has it, by whole cells.
Terrain levelled(const Terrain& input, Parameters parameters) {
    parameters.emplace_back("whole-cells", "true");
    return levelled_in_metres(input, parameters);
}

// Equation 9 in doubles: every known cell within the radius but the cell itself.
double expected(const Field& height, int x, int y, double radius, bool disc) {
    const Rect& rect = height.rect();
    double sum = 0;
    int count = 0;
    int cells = int(radius);
    for (int dy = -cells; dy <= cells; dy++)
        for (int dx = -cells; dx <= cells; dx++) {
            if ((dx == 0 && dy == 0) || !rect.contains(Rect{x + dx, y + dy, x + dx + 1, y + dy + 1}))
                continue;
            if (disc && dx * dx + dy * dy > radius * radius) continue;
            float value = height.at(x + dx, y + dy);
            if (is_missing(value)) continue;
            sum += value;
            count++;
        }
    double own = height.at(x, y);
    return count == 0 ? own : (sum / count + own) / 2;
}

void expect_levelled(const Terrain& input, double metres, bool disc) {
    SCOPED_TRACE((disc ? "disc of " : "square of ") + std::to_string(metres));
    Terrain result =
        levelled(input, {{"radius", std::to_string(metres)}, {"shape", disc ? "disc" : "square"}});
    const Rect& rect = input.rect();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) {
            if (is_missing(input.height().at(x, y))) {
                ASSERT_TRUE(is_missing(result.height().at(x, y)));
                continue;
            }
            ASSERT_NEAR(result.height().at(x, y),
                        expected(input.height(), x, y, metres / input.grid().cell, disc), 2e-4)
                << x << "," << y;
        }
}

TEST(Levelling, MovesHalfWayToTheMeanOfTheNeighbours) {
    for (Holes holes : {Holes::none, Holes::some})
        for (Size size : {Size{67, 41}, Size{1, 30}, Size{30, 1}, Size{2, 2}})
            // Cells of 4 m: one, two, five and more cells than there are.
            for (double metres : {4.0, 9.0, 20.0, 1000.0})
                for (bool disc : {false, true}) {
                    expect_levelled(rough_terrain(size, holes), metres, disc);
                    if (testing::Test::HasFatalFailure()) return;
                }
}

TEST(Levelling, ByHand) {
    Grid grid{Rect::of({3, 3}), 1, {0, 10}};
    Terrain input(grid);
    input.set("height", made_field(grid.extent, [](int x, int y) { return float(3 * y + x); }));
    Field height = levelled(input, {{"radius", "1"}}).height();
    EXPECT_EQ(height.at(1, 1), 4) << "the mean of the others is its own height";
    EXPECT_FLOAT_EQ(height.at(0, 0), (1 + 3 + 4) / 3.0f / 2);
    EXPECT_FLOAT_EQ(height.at(2, 0), ((1 + 4 + 5) / 3.0f + 2) / 2);
    Field disc = levelled(input, {{"radius", "1"}, {"shape", "disc"}}).height();
    EXPECT_FLOAT_EQ(disc.at(0, 0), (1 + 3) / 2.0f / 2) << "diagonal cells are further than one cell away";
}

TEST(Levelling, DiscsAreExactToTwentyFiveCells) {
    for (double metres : {28.0, 60.5, 100.0}) expect_levelled(rough_terrain({130, 120}), metres, true);
}

TEST(Levelling, LargeDiscsAreNearlyRound) {
    Terrain input = rough_terrain({300, 300});
    Terrain result = levelled(input, {{"radius", "480"}, {"shape", "disc"}});
    for (int y = 0; y < 300; y += 37)
        for (int x = 0; x < 300; x += 37)
            EXPECT_NEAR(result.height().at(x, y), expected(input.height(), x, y, 120, true), 0.2);
}

TEST(Levelling, KeepsWhatIsLevel) {
    for (float value : {0.0f, 17.25f, 300.0f, -80.0f, 5000.0f}) {
        Grid grid{Rect::of({40, 30}), 1, {0, 300}};
        Terrain input(grid);
        input.set("height", Field(grid.extent, value));
        for (const char* shape : {"square", "disc"}) {
            FieldStatistics s = statistics(levelled(input, {{"radius", "9"}, {"shape", shape}}).height());
            EXPECT_NEAR(s.low, value, 1e-6 * std::abs(value) + 1e-5);
            EXPECT_NEAR(s.high, value, 1e-6 * std::abs(value) + 1e-5);
        }
    }
}

TEST(Levelling, WorksFarOutsideTheHeightRange) {
    // Heights in metres on a terrain whose range is 0 to 1, as files may have it.
    Terrain input = rough_terrain({50, 40});
    input.set_range({0, 1});
    expect_levelled(input, 12, false);
}

TEST(Levelling, WorksInTheNarrowestOfRanges) {
    for (double span : {1e-30, 1e-34, 1e-36}) {
        Terrain terrain = rough_terrain({40, 30});
        terrain.set_range({0, span});
        terrain.set("height", made_field(terrain.rect(), [&](int x, int y) {
                        return float(span * double(scattered(x, y, 1)));
                    }));
        Terrain result = levelled(terrain, {{"radius", "12"}});
        for (int y = 0; y < 30; y++)
            for (int x = 0; x < 40; x++)
                ASSERT_NEAR(result.height().at(x, y), expected(terrain.height(), x, y, 3, false), span / 50)
                    << x << "," << y << " of " << span;
    }
}

TEST(Levelling, ARadiusBelowACellReachesTheNextCells) {
    Terrain input = rough_terrain({30, 20});
    EXPECT_TRUE(
        identical(levelled(input, {{"radius", "1"}}).height(), levelled(input, {{"radius", "4"}}).height()));
    EXPECT_TRUE(identical(levelled(input, {{"radius", "0"}}).height(), input.height()));
    // 0.3 / 0.1 is a little less than 3.
    Terrain fine = rough_terrain({30, 20}, Holes::none, 0.1);
    EXPECT_TRUE(identical(levelled(fine, {{"radius", "0.3"}}).height(),
                          levelled(fine, {{"radius", "0.35"}}).height()));
}

// Waves so long that a cell sees a parabola of them: over a square of half the width r the mean of cos(k x) is
// sin(k r) / (k r) of it, over a disc 2 J1(k r) / (k r), in cells of whatever size.
TEST(Levelling, IsTheSameInCellsOfAnySize) {
    const double wave = 400, k = 2 * std::acos(-1.0) / wave;
    for (bool disc : {false, true})
        for (double radius : {3.0, 10.0, 17.3, 40.0}) {
            double z = k * radius;
            // The series of both, to where it takes.
            double mean = disc ? 1 - z * z / 8 + z * z * z * z / 192 : std::sin(z) / z;
            for (double cell : {1.0, 2.0, 2.5, 4.0, 8.0, 11.0}) {
                SCOPED_TRACE(testing::Message() << (disc ? "disc" : "square") << " of " << radius
                                                << " m in cells of " << cell << " m");
                int side = int(400 / cell);
                Terrain input(Grid{Rect::of({side, side}), cell, {0, 200}});
                input.set("height", made_field(input.rect(), [&](int x, int) {
                              return float(100 + 100 * std::cos(k * x * cell));
                          }));
                Terrain result = levelled_in_metres(
                    input, {{"radius", std::to_string(radius)}, {"shape", disc ? "disc" : "square"}});
                int x = int(200 / cell);
                double before = input.height().at(x, side / 2) - 100;
                double moved = result.height().at(x, side / 2) - 100 - before;
                EXPECT_NEAR(moved, before * (mean - 1) / 2, 0.03 * std::abs(before * (mean - 1) / 2) + 1e-3);
            }
        }
}

// Waves as short as five cells, along an axis and across: over a square the mean of cos(k x) cos(k y) is that along x
// times that along y.
TEST(Levelling, IsTheSameForWavesOfAnyDirection) {
    const double wave = 40, radius = 10, k = 2 * std::acos(-1.0) / wave;
    for (bool across : {false, true})
        for (double cell : {1.0, 2.5, 4.0, 8.0}) {
            SCOPED_TRACE(testing::Message()
                         << (across ? "across" : "along") << " in cells of " << cell << " m");
            int side = int(200 / cell);
            Terrain input(Grid{Rect::of({side, side}), cell, {0, 200}});
            input.set("height", made_field(input.rect(), [&](int x, int y) {
                          double height = std::cos(k * x * cell) * (across ? std::cos(k * y * cell) : 1);
                          return float(100 + 100 * height);
                      }));
            Terrain result = levelled_in_metres(input, {{"radius", std::to_string(radius)}});
            int middle = int(120 / cell);
            double mean = std::sin(k * radius) / (k * radius);
            if (across) mean *= mean;
            EXPECT_NEAR(result.height().at(middle, middle), 200 - 100 * (1 - mean) / 2,
                        0.03 * 100 * (1 - mean) / 2);
        }
}

TEST(Levelling, InMetresItMovesHalfWayToo) {
    // Steps of a staircase as wide as the neighbourhood go half way to the mean, however fine.
    for (double cell : {0.5, 1.0}) {
        Terrain input(Grid{Rect::of({int(80 / cell) + 1, 41}), cell, {0, 100}});
        input.set("height",
                  made_field(input.rect(), [&](int x, int) { return float(x * cell < 40 ? 0 : 100); }));
        Field height = levelled_in_metres(input, {{"radius", "10"}}).height();
        EXPECT_EQ(height.at(int(20 / cell), 20), 0);
        EXPECT_EQ(height.at(int(60 / cell), 20), 100);
        EXPECT_NEAR(height.at(int(35 / cell), 20), 12.5, 1.5) << "a quarter of its neighbours is high";
    }
}

TEST(Levelling, InMetresMissingCellsTakeNoPart) {
    Terrain input = rough_terrain({67, 41}, Holes::some);
    input.set("height", made_field(input.rect(), [&](int x, int y) {
                  return is_missing(input.height().at(x, y)) ? missing : 80.0f;
              }));
    for (const char* radius : {"1", "5", "9", "30"})
        for (const char* shape : {"square", "disc"}) {
            Field height = levelled_in_metres(input, {{"radius", radius}, {"shape", shape}}).height();
            for (int y = 0; y < 41; y++)
                for (int x = 0; x < 67; x++) {
                    ASSERT_EQ(is_missing(height.at(x, y)), is_missing(input.height().at(x, y)));
                    if (!is_missing(height.at(x, y))) {
                        ASSERT_NEAR(height.at(x, y), 80, 1e-4);
                    }
                }
        }
}

TEST(Levelling, OtherFieldsToo) {
    Terrain input = rough_terrain({30, 20});
    Terrain result = levelled(input, {{"field", "hardness"}, {"radius", "8"}});
    EXPECT_TRUE(identical(result.height(), input.height()));
    EXPECT_NEAR(result.field("hardness").at(15, 10), expected(input.field("hardness"), 15, 10, 2, false),
                1e-6);
}

}  // namespace
}  // namespace caprock::test
