// One fault against its equation in doubles.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Field fault(const Grid& grid, const std::string& angle, const std::string& width, double x, double y,
            const std::string& height = "100") {
    Parameters settings = {{"x", std::to_string(x)},
                           {"y", std::to_string(y)},
                           {"angle", angle},
                           {"height", height},
                           {"width", width}};
    return applied("fault", settings, Terrain(grid)).height();
}

// How far to the right of the line, in metres: the determinant of Hardness, eq. 4, for a direction of length 1.
double to_the_right(double x, double y, double degrees) {
    double ahead_x = std::sin(degrees * M_PI / 180);
    double ahead_y = -std::cos(degrees * M_PI / 180);
    return ahead_x * y - ahead_y * x;
}

TEST(Fault, IsItsEquation) {
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    for (const char* angle : {"-360", "-77", "0", "33.3", "90", "135", "200", "359"})
        for (const char* width : {"0", "0.5", "30", "100000"}) {
            Field field = fault(grid, angle, width, 131.3, 77.7);
            for (int y = 0; y < 41; y++)
                for (int x = 0; x < 67; x++) {
                    double right = to_the_right(x * 4 - 131.3, y * 4 - 77.7, std::stod(angle));
                    double ramp = std::stod(width);
                    double share = 1 - falloff(right + ramp / 2, ramp);
                    if (ramp == 0 && std::fabs(right) < 1e-4) continue;
                    double rounding = 1e-4 / std::max(ramp, 1e-3);
                    ASSERT_NEAR(field.at(x, y), 100 * share, 100 * 1.5 * std::min(rounding + 1e-6, 1e-3))
                        << x << "," << y << " at " << angle << ", width " << width;
                }
        }
}

TEST(Fault, TheRightHandSideIsHigh) {
    Grid grid{Rect::of({21, 21}), 10, {-100, 1000}};
    // Going north the east is to the right, going east the south.
    EXPECT_EQ(fault(grid, "0", "0", 100, 100).at(20, 10), 100);
    EXPECT_EQ(fault(grid, "0", "0", 100, 100).at(0, 10), 0);
    EXPECT_EQ(fault(grid, "90", "0", 100, 100).at(10, 20), 100);
    EXPECT_EQ(fault(grid, "90", "0", 100, 100).at(10, 0), 0);
    EXPECT_EQ(fault(grid, "180", "0", 100, 100).at(0, 10), 100);
    EXPECT_EQ(fault(grid, "270", "0", 100, 100).at(10, 0), 100);
}

TEST(Fault, TheLineItselfIsLowFromEndToEnd) {
    // In whole cells, as the determinant of Hardness, eq. 5 has it: no cell on the line is tipped to a side by a rounding.
    Grid grid{Rect::of({101, 101}), 8, {0, 1000}};
    struct Line {
        const char* angle;
        int x, y;  // a step along it
    };
    for (const Line& line : {Line{"0", 0, -1}, Line{"45", 1, -1}, Line{"90", 1, 0}, Line{"135", 1, 1},
                             Line{"180", 0, 1}, Line{"225", -1, 1}, Line{"270", -1, 0}, Line{"315", -1, -1},
                             Line{"-90", -1, 0}, Line{"360", 0, -1}}) {
        Field field = fault(grid, line.angle, "0", 400, 400);
        for (int y = 0; y < 101; y++)
            for (int x = 0; x < 101; x++) {
                int determinant = line.x * (y - 50) - line.y * (x - 50);
                ASSERT_EQ(field.at(x, y), determinant > 0 ? 100 : 0) << x << "," << y << " at " << line.angle;
            }
    }
}

TEST(Fault, TheRampRisesWithoutAFallAndNoWiderThanStated) {
    Grid grid{Rect::of({401, 1}), 1, {0, 1000}};
    Field field = fault(grid, "0", "80", 200, 0);
    for (int x = 1; x < 401; x++) ASSERT_GE(field.at(x, 0), field.at(x - 1, 0)) << x;
    EXPECT_EQ(field.at(160, 0), 0);
    EXPECT_GT(field.at(161, 0), 0);
    EXPECT_EQ(field.at(200, 0), 50);
    EXPECT_LT(field.at(239, 0), 100);
    EXPECT_EQ(field.at(240, 0), 100);
}

TEST(Fault, BelowZeroSinksWithoutZerosThatHaveASign) {
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    for (const char* width : {"0", "30"}) {
        Field up = fault(grid, "33.3", width, 131.3, 77.7);
        Field down = fault(grid, "33.3", width, 131.3, 77.7, "-100");
        for (int y = 0; y < 41; y++)
            for (int x = 0; x < 67; x++) {
                ASSERT_EQ(down.at(x, y), -up.at(x, y));
                ASSERT_FALSE(down.at(x, y) == 0 && std::signbit(down.at(x, y)));
            }
    }
}

TEST(Fault, APlaceFarAwayAlongTheLineIsAsGoodAsOneNearby) {
    Grid grid{Rect::of({67, 41}), 4, {0, 1000}};
    Field near = fault(grid, "30", "40", 130, 80);
    double along = 9e6;
    Field far = fault(grid, "30", "40", 130 + along * 0.5, 80 - along * std::sqrt(0.75));
    for (int y = 0; y < 41; y++)
        for (int x = 0; x < 67; x++) ASSERT_NEAR(near.at(x, y), far.at(x, y), 2e-3) << x << "," << y;
}

TEST(Fault, AHeightOfOneMakesAMask) {
    Terrain terrain = rough_terrain({67, 41}, Holes::some);
    Terrain result = applied(
        "fault", {{"field", "mask"}, {"height", "1"}, {"x", "130"}, {"y", "80"}, {"width", "50"}}, terrain);
    FieldStatistics mask = statistics(result.field("mask"));
    EXPECT_EQ(mask.low, 0);
    EXPECT_EQ(mask.high, 1);
    EXPECT_EQ(mask.missing, 0);
    EXPECT_TRUE(identical(result.height(), terrain.height()));
}

}  // namespace
}  // namespace caprock::test
