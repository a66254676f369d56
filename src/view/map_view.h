// Which part of the land a map shows, and how large: what panning and zooming change.
#pragma once

#include "base/rect.h"
#include "terrain/grid.h"
#include "view/ink.h"

namespace caprock {

struct MapView {
    WorldPoint centre;            // in the middle of the picture
    double metres_per_pixel = 1;  // more than 0

    bool operator==(const MapView&) const = default;
};

WorldPoint point_at(const MapView& view, Size picture, const PixelPoint& pixel);
PixelPoint pixel_at(const MapView& view, Size picture, const WorldPoint& point);

// The land moves with the pointer by so many pixels.
MapView panned(const MapView& view, double right, double down);

// Everything is drawn so many times as large; the land under the cursor stays under it. Stops at a thousandth of a cell
// for a pixel, and at a pixel for all of the largest terrain.
MapView zoomed(const MapView& view, Size picture, const PixelPoint& cursor, double times, const Grid& grid);

// All of the area that the cells cover, in the middle, as large as fits into the picture less its margin (pixels on every
// side).
MapView fitted(const Rect& cells, const Grid& grid, Size picture, double margin = 0);

}  // namespace caprock
