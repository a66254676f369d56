#include "operations/rivers/reservoir.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace caprock {

namespace {

// Where a row crosses the outline, from west to east, in cells.
std::vector<double> crossings(const Line& area, double y, const Grid& grid) {
    std::vector<double> found;
    const std::vector<LinePoint>& points = area.points;
    for (size_t i = 0; i < points.size(); i++) {
        const LinePoint& from = points[i];
        const LinePoint& to = points[(i + 1) % points.size()];
        const double from_y = grid.metres_to_cells(from.y), to_y = grid.metres_to_cells(to.y);
        // A corner counts once: it is part of what lies below it.
        if ((from_y <= y) == (to_y <= y)) continue;
        const double from_x = grid.metres_to_cells(from.x), to_x = grid.metres_to_cells(to.x);
        found.push_back(from_x + (y - from_y) / (to_y - from_y) * (to_x - from_x));
    }
    std::ranges::sort(found);
    return found;
}

}  // namespace

Field filled_reservoir(const LineSet& areas, double level, const Grid& grid, const Field& height,
                       const Field& water) {
    const Rect& rect = height.rect();
    Field filled = water.copied();
    const Field::Rows ground = height.rows();
    const Field::WritableRows depth = filled.writable_rows();
    for (const Line& area : areas.lines())
        for (int y = rect.top; y < rect.bottom; y++) {
            const std::vector<double> row = crossings(area, y, grid);
            for (size_t i = 0; i + 1 < row.size(); i += 2) {
                const double first = std::max(std::ceil(row[i]), double(rect.left));
                const double end = std::min(std::ceil(row[i + 1]), double(rect.right));
                for (double x = first; x < end; x++) {
                    const int column = int(x) - rect.left;
                    // A missing cell is no deeper.
                    const float deep = float(level - double(ground[y][column]));
                    if (deep > depth[y][column]) depth[y][column] = deep;
                }
            }
        }
    return filled;
}

}  // namespace caprock
