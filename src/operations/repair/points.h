// Single heights that are known, as a user types them or a file lists them.
#pragma once

#include "operation/input_file.h"
#include "terrain/grid.h"
#include "terrain/line_set.h"

#include <string>
#include <vector>

namespace caprock {

// In metres from the first cell.
struct KnownPoint {
    double x = 0;
    double y = 0;
    double height = 0;
};

// Every point of the lines. Throws Error for one without a height.
std::vector<KnownPoint> points_in(const LineSet& lines);
// Such a point in each line; a first line of names, empty lines and those that begin with # are passed over. Throws
// Error.
std::vector<KnownPoint> points_in_file(const InputFile& file);
// Such a file, none yet.
InputFile points_file();

// The cell nearest to a point. Throws Error where it lies outside the grid.
struct Cell {
    int x = 0;
    int y = 0;
};
Cell cell_of(const KnownPoint& point, const Grid& grid);

}  // namespace caprock
