#include "terrain/grid.h"

#include "base/error.h"
#include "field/field.h"
#include "support/refusals.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace caprock {
namespace {

std::string grid_refusal(const Grid& grid) {
    return test::refusal([&] { grid.check(); });
}

Grid sized(const Rect& extent) { return {extent, 1, {0, 1}}; }
Grid celled(double cell) { return {{0, 0, 4, 4}, cell, {0, 1}}; }
Grid ranged(double low, double high) { return {{0, 0, 4, 4}, 1, {low, high}}; }

TEST(Grid, DefaultsAreFine) { EXPECT_EQ(grid_refusal(Grid()), ""); }

TEST(Grid, SidesAreOneToTheLargest) {
    EXPECT_EQ(grid_refusal(sized({0, 0, 1, 1})), "");
    EXPECT_EQ(grid_refusal(sized({0, 0, 65536, 65536})), "");
    EXPECT_EQ(grid_refusal(sized({-100, -200, -99, 65336})), "");
    EXPECT_EQ(grid_refusal(sized({0, 0, 0, 5})), "size 0x5: each side must be 1 to 65536 cells");
    EXPECT_EQ(grid_refusal(sized({0, 0, 65537, 1})), "size 65537x1: each side must be 1 to 65536 cells");
    EXPECT_EQ(grid_refusal(sized({5, 5, 2, 9})), "size -3x4: each side must be 1 to 65536 cells");
    // The difference of these two is 1 in 32 bits.
    EXPECT_EQ(grid_refusal(sized({INT32_MAX, 0, INT32_MIN, 1})),
              "size -4294967295x1: each side must be 1 to 65536 cells");
    EXPECT_NE(grid_refusal(sized({INT32_MIN, 0, INT32_MAX, 1})), "");
}

TEST(Grid, CellsHaveASize) {
    EXPECT_EQ(grid_refusal(celled(0.001)), "");
    EXPECT_EQ(grid_refusal(celled(1e6)), "");
    EXPECT_EQ(grid_refusal(celled(0)), "cell size 0: must be more than 0 metres");
    EXPECT_EQ(grid_refusal(celled(-2)), "cell size -2: must be more than 0 metres");
    EXPECT_EQ(grid_refusal(celled(NAN)), "cell size nan: must be more than 0 metres");
    // Positive, but 0 or infinite in the floats that kernels use.
    for (double cell : {1e-320, 1e-60, 1e60, double(INFINITY)})
        EXPECT_NE(grid_refusal(celled(cell)).find("must be more than 0 metres and fit in a float"),
                  std::string::npos)
            << cell;
}

TEST(Grid, RangesHaveALowAndAHighEnd) {
    EXPECT_EQ(grid_refusal(ranged(-400, 8848)), "");
    EXPECT_EQ(grid_refusal(ranged(5, 5)), "height range 5:5: the low end must be below the high end");
    EXPECT_EQ(grid_refusal(ranged(9, 5)), "height range 9:5: the low end must be below the high end");
    EXPECT_NE(grid_refusal(ranged(NAN, 5)), "");
    EXPECT_NE(grid_refusal(ranged(0, NAN)), "");
    EXPECT_EQ(grid_refusal(ranged(0, INFINITY)),
              "height range 0:inf: both ends must lie between -8.5e+37 and 8.5e+37 m, so that sums of "
              "heights fit in a float");
    EXPECT_NE(grid_refusal(ranged(0, 1e38)), "");
    EXPECT_EQ(grid_refusal(ranged(-8e37, 8e37)), "");
    EXPECT_NE(grid_refusal(ranged(-INFINITY, 0)), "");
    EXPECT_NE(grid_refusal(ranged(0, 1e39)), "");
    // Both ends fit, the distance between them does not.
    EXPECT_NE(grid_refusal(ranged(-3e38, 3e38)), "");
}

TEST(Grid, MetresToCells) { EXPECT_EQ(celled(2.5).metres_to_cells(10), 4); }

}  // namespace
}  // namespace caprock
