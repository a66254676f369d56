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

TEST(Grid, ASampleLiesAtItsCellTimesTheCellSize) {
    Grid grid = celled(2.5);
    EXPECT_EQ(grid.place_of(0, 0), (WorldPoint{0, 0}));
    EXPECT_EQ(grid.place_of(3, -2), (WorldPoint{7.5, -5}));
    // Wherever the grid begins.
    grid.extent = {100, 200, 104, 204};
    EXPECT_EQ(grid.place_of(100, 200), (WorldPoint{250, 500}));
}

TEST(Grid, CellsMetresAndPixels) {
    Grid grid = celled(2.5);
    EXPECT_EQ(grid.metres_to_cells(10), 4);
    EXPECT_EQ(grid.cells_to_metres(4), 10);
    // A sample lies in the middle of its pixel.
    EXPECT_EQ(grid.metres_to_pixels(0), 0.5);
    EXPECT_EQ(grid.pixels_to_metres(0.5), 0);
    EXPECT_EQ(grid.pixels_to_metres(0), -1.25);
    for (double metres : {-7.5, -1.25, 0.0, 0.3, 1e6}) {
        EXPECT_DOUBLE_EQ(grid.cells_to_metres(grid.metres_to_cells(metres)), metres);
        EXPECT_NEAR(grid.pixels_to_metres(grid.metres_to_pixels(metres)), metres, 1e-9);
        EXPECT_EQ(grid.metres_to_pixels(metres), cells_to_pixels(grid.metres_to_cells(metres)));
    }
    EXPECT_EQ(pixels_to_cells(cells_to_pixels(7)), 7);
}

TEST(Grid, TheNearestCellAndTheOneBefore) {
    Grid grid = celled(4);
    for (int cell : {-3, 0, 8}) {
        double there = grid.place_of(cell, 0).x;
        EXPECT_EQ(grid.nearest_cell(there), cell);
        EXPECT_EQ(grid.nearest_cell(there - 1.99), cell);
        EXPECT_EQ(grid.nearest_cell(there + 1.99), cell);
        EXPECT_EQ(grid.nearest_cell(there + 2.01), cell + 1);
        // Half way the next one has it, as its pixel does.
        EXPECT_EQ(grid.nearest_cell(there + 2), cell + 1);
        EXPECT_EQ(grid.cell_before(there), cell);
        EXPECT_EQ(grid.cell_before(there + 3.99), cell);
        EXPECT_EQ(grid.cell_before(there - 0.01), cell - 1);
    }
    // No number of a cell, but a number.
    EXPECT_EQ(grid.nearest_cell(4e300), 1e300);
    EXPECT_TRUE(std::isnan(grid.nearest_cell(NAN)));
}

TEST(Grid, SamplesSpanAndPixelsCover) {
    Grid grid = celled(4);
    Rect cells{-1, 2, 3, 5};
    EXPECT_EQ(grid.span_of(cells), (WorldArea{-4, 8, 8, 16}));
    EXPECT_EQ(grid.area_of(cells), (WorldArea{-6, 6, 10, 18}));
    EXPECT_EQ(grid.area_of(cells).width(), 4 * cells.width());
    EXPECT_EQ(grid.area_of(cells).height(), 4 * cells.height());
    EXPECT_EQ(grid.middle_of(cells), (WorldPoint{2, 12}));
    // A single cell is a point, and has an area all the same.
    EXPECT_EQ(grid.span_of({7, 7, 8, 8}), (WorldArea{28, 28, 28, 28}));
    EXPECT_EQ(grid.area_of({7, 7, 8, 8}).width(), 4);
    // The places of an area are those whose nearest cell is one of its cells.
    for (double x = -12; x < 14; x += 0.5)
        for (double y = -2; y < 24; y += 0.5)
            ASSERT_EQ(grid.area_of(cells).contains({x, y}),
                      cells.contains(int(grid.nearest_cell(x)), int(grid.nearest_cell(y))))
                << x << ' ' << y;
}

}  // namespace
}  // namespace caprock
