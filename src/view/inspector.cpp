#include "view/inspector.h"

#include "base/mathematics.h"
#include "view/hillshade.h"

#include <cmath>

namespace caprock {

namespace {

// The cell and its neighbours, those beyond the border missing.
Surface around(const Field& field, int column, int row) {
    Surface surface({1, 1});
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            bool there = field.rect().contains(column + x, row + y);
            float value = there ? field.at(column + x, row + y) : missing;
            surface.row(y)[x] = is_drawn(value) ? value : missing;
        }
    return surface;
}

}  // namespace

std::optional<Inspection> inspect(const Terrain& terrain, const WorldPoint& place) {
    const Grid& grid = terrain.grid();
    double column = grid.nearest_cell(place.x), row = grid.nearest_cell(place.y);
    const Rect& rect = terrain.rect();
    // In doubles: a point far away is no number of a cell.
    bool inside = column >= rect.left && column < rect.right && row >= rect.top && row < rect.bottom;
    if (!inside) return std::nullopt;
    Inspection result;
    result.column = int(column);
    result.row = int(row);
    result.point = grid.place_of(result.column, result.row);
    for (const std::string& name : terrain.names())
        result.values.push_back(
            {name, terrain.field(name).at(result.column, result.row), std::string(quantity_of(name).unit)});
    if (const Field* height = terrain.find("height")) {
        Surface heights = around(*height, result.column, result.row);
        if (!is_missing(heights.row(0)[0])) {
            Gradient rise = Slopes(heights, grid.cell, grid.cell).at(0, 0);
            result.slope = std::atan(double(length(rise))) * 180 / pi;
            if (rise.x != 0 || rise.y != 0) {
                // Downhill is where the ground faces; y grows to the south.
                double degrees = std::atan2(-double(rise.x), double(rise.y)) * 180 / pi;
                result.aspect = degrees < 0 ? degrees + 360 : degrees;
            }
        }
    }
    result.place = terrain.coordinates_of(result.point);
    return result;
}

}  // namespace caprock
