// The grid a terrain stands on: how many cells, how large they are, where they lie, and the heights formulas refer to.
//
// The world frame. A value is a sample at a point: that of cell (x, y) lies at (x, y) times the cell size, in metres to
// the east and to the south. Coordinates in cells are those metres divided by the cell size: whole numbers are samples.
//
// Pictures and files know pixels, which have an area. A cell's pixel is the square around its sample, half a cell to
// every side, and pixels are counted from the edge of the first: pixel i goes from i to i + 1. That half a cell is here
// and nowhere else: whoever needs it takes one of the words below.
#pragma once

#include "base/interval.h"
#include "base/rect.h"

#include <cmath>

namespace caprock {

// A place: metres to the east and to the south of the sample of cell (0, 0).
struct WorldPoint {
    double x = 0;
    double y = 0;

    bool operator==(const WorldPoint&) const = default;
};

// A rectangle of such places.
struct WorldArea {
    double left = 0;
    double top = 0;
    double right = 0;
    double bottom = 0;

    double width() const { return right - left; }
    double height() const { return bottom - top; }
    // Half open as rectangles of cells are, so that of two areas that touch one has the place.
    bool contains(const WorldPoint& place) const {
        return place.x >= left && place.x < right && place.y >= top && place.y < bottom;
    }
    bool operator==(const WorldArea&) const = default;
};

// From coordinates in cells to coordinates in pixels, along one axis, and back.
constexpr double cells_to_pixels(double cells) { return cells + 0.5; }
constexpr double pixels_to_cells(double pixels) { return pixels - 0.5; }

struct Grid {
    Rect extent = {0, 0, 1024, 1024};  // all cells of the landscape
    double cell = 8;                   // metres from one cell to the next
    Interval range = {0, 1000};        // heights that formulas stated on 0..1 call 0 and 1, in metres

    // Throws Error unless the size is 1..65,536 each way, the cell positive, the range not empty, and both
    // finite.
    void check() const;

    // Where the sample of a cell lies, of this grid or beyond it.
    WorldPoint place_of(int x, int y) const { return {cells_to_metres(x), cells_to_metres(y)}; }
    // Of lengths, and of coordinates along one axis.
    double metres_to_cells(double metres) const { return metres / cell; }
    double cells_to_metres(double cells) const { return cells * cell; }
    double metres_to_pixels(double metres) const { return cells_to_pixels(metres / cell); }
    double pixels_to_metres(double pixels) const { return pixels_to_cells(pixels) * cell; }

    // Along one axis: the cell whose sample is nearest, which is the one whose pixel has the place; and the last cell
    // whose sample does not lie behind the place, which is where its quad of four samples begins. In doubles, since a place
    // may be too far away for the number of a cell.
    double nearest_cell(double metres) const { return std::floor(metres_to_pixels(metres)); }
    double cell_before(double metres) const { return std::floor(metres_to_cells(metres)); }

    // Of some cells: from the first sample to the last, as surfaces go; and with the whole of their pixels, as pictures
    // and files do. Both have one middle.
    WorldArea span_of(const Rect& cells) const {
        return {cells_to_metres(cells.left), cells_to_metres(cells.top), cells_to_metres(cells.right - 1),
                cells_to_metres(cells.bottom - 1)};
    }
    WorldArea area_of(const Rect& cells) const {
        return {pixels_to_metres(cells.left), pixels_to_metres(cells.top), pixels_to_metres(cells.right),
                pixels_to_metres(cells.bottom)};
    }
    WorldPoint middle_of(const Rect& cells) const {
        return {cells_to_metres((double(cells.left) + cells.right - 1) / 2),
                cells_to_metres((double(cells.top) + cells.bottom - 1) / 2)};
    }

    bool operator==(const Grid&) const = default;
};

}  // namespace caprock
