#include "view/map_view.h"

#include "field/field.h"

#include <algorithm>

namespace caprock {

WorldPoint point_at(const MapView& view, Size picture, const PixelPoint& pixel) {
    return {view.centre.x + (pixel.x - picture.width * 0.5) * view.metres_per_pixel,
            view.centre.y + (pixel.y - picture.height * 0.5) * view.metres_per_pixel};
}

PixelPoint pixel_at(const MapView& view, Size picture, const WorldPoint& point) {
    return {picture.width * 0.5 + (point.x - view.centre.x) / view.metres_per_pixel,
            picture.height * 0.5 + (point.y - view.centre.y) / view.metres_per_pixel};
}

MapView panned(const MapView& view, double right, double down) {
    return {{view.centre.x - right * view.metres_per_pixel, view.centre.y - down * view.metres_per_pixel},
            view.metres_per_pixel};
}

MapView zoomed(const MapView& view, Size picture, const PixelPoint& cursor, double times, const Grid& grid) {
    if (!(times > 0)) return view;
    WorldPoint held = point_at(view, picture, cursor);
    double scale = std::clamp(view.metres_per_pixel / times, grid.cell / 1000, grid.cell * largest_side);
    return {{held.x - (cursor.x - picture.width * 0.5) * scale,
             held.y - (cursor.y - picture.height * 0.5) * scale},
            scale};
}

MapView fitted(const Rect& cells, const Grid& grid, Size picture, double margin) {
    double width = std::max(picture.width - 2 * margin, 1.0);
    double height = std::max(picture.height - 2 * margin, 1.0);
    double scale = std::max({grid.cells_to_metres(cells.width()) / width,
                             grid.cells_to_metres(cells.height()) / height, grid.cell * 1e-6});
    return {grid.middle_of(cells), scale};
}

}  // namespace caprock
