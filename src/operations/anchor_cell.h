// Places in metres, for kernels: a float has no room for parts of a cell far from the first one.
#pragma once

#include "terrain/grid.h"

#include <algorithm>
#include <cmath>

namespace caprock {

// The cell of the landscape that lies nearest to a place. What is reckoned from it stays small.
struct AnchorCell {
    int column, row;

    AnchorCell(const Grid& grid, double x, double y)
        : column(nearest(grid.metres_to_cells(x), grid.extent.left, grid.extent.right)),
          row(nearest(grid.metres_to_cells(y), grid.extent.top, grid.extent.bottom)) {}

  private:
    static int nearest(double cells, int first, int end) {
        return int(std::clamp(std::floor(cells + 0.5), double(first), double(end - 1)));
    }
};

}  // namespace caprock
