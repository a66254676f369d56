// Which part of the land a map shows, and how large: what panning and zooming change.
#pragma once

#include "base/rect.h"
#include "terrain/grid.h"
#include "view/ink.h"

namespace caprock {

// Metres to the east and to the south of the grid's origin: cell (i, j) covers i to i + 1 times the cell size, its
// sample lies in the middle.
struct MapPoint {
    double x = 0;
    double y = 0;

    bool operator==(const MapPoint&) const = default;
};

struct MapView {
    MapPoint centre;              // in the middle of the picture
    double metres_per_pixel = 1;  // more than 0

    bool operator==(const MapView&) const = default;
};

MapPoint point_at(const MapView& view, Size picture, const PixelPoint& pixel);
PixelPoint pixel_at(const MapView& view, Size picture, const MapPoint& point);

// The land moves with the pointer by so many pixels.
MapView panned(const MapView& view, double right, double down);

// Everything is drawn so many times as large; the land under the cursor stays under it. Stops at a thousandth of a cell
// for a pixel, and at a pixel for all of the largest terrain.
MapView zoomed(const MapView& view, Size picture, const PixelPoint& cursor, double times, const Grid& grid);

// All of the cells, in the middle, as large as fits into the picture less its margin (pixels on every side).
MapView fitted(const Rect& cells, double cell, Size picture, double margin = 0);

}  // namespace caprock
