// Rasters whose rows do not run from west to east, the northern ones first: turned by quarters and mirrored, which changes
// no cell.
#pragma once

#include "base/rect.h"

namespace caprock::gdal {

struct Orientation {
    Size raster;              // as the file has it
    bool swapped = false;     // columns of the raster are rows of the terrain
    bool from_east = false;   // what the raster has first in a row of the terrain lies in the east
    bool from_south = false;  // and in a column in the south

    bool upright() const { return !swapped && !from_east && !from_south; }
    Size terrain() const { return swapped ? Size{raster.height, raster.width} : raster; }
    // The cells of one in the other.
    Rect in_raster(const Rect& window) const;
    Rect in_terrain(const Rect& part) const;
};

}  // namespace caprock::gdal
