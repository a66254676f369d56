#include "formats/gdal/orientation.h"

#include <utility>

namespace caprock::gdal {

namespace {

// The other way round between 0 and `side`.
void flip(int& begin, int& end, int side) {
    int first = side - end;
    end = side - begin;
    begin = first;
}

void swap_sides(Rect& rect) {
    std::swap(rect.left, rect.top);
    std::swap(rect.right, rect.bottom);
}

}  // namespace

Rect Orientation::in_raster(const Rect& window) const {
    Rect part = window;
    if (from_east) flip(part.left, part.right, terrain().width);
    if (from_south) flip(part.top, part.bottom, terrain().height);
    if (swapped) swap_sides(part);
    return part;
}

Rect Orientation::in_terrain(const Rect& part) const {
    Rect window = part;
    if (swapped) swap_sides(window);
    if (from_east) flip(window.left, window.right, terrain().width);
    if (from_south) flip(window.top, window.bottom, terrain().height);
    return window;
}

}  // namespace caprock::gdal
