#include "painting/picture.h"

#include <algorithm>
#include <cmath>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace caprock {

Field tip_from(const Terrain& picture) {
    const Field& from = picture.height();
    Rect rect = from.rect();
    int side = std::max({rect.width(), rect.height(), 2});
    Field tip(Rect{0, 0, side, side}, 0.0f);
    Interval range = picture.range_of("height");
    Field::Rows rows = from.rows();
    Field::WritableRows to = tip.writable_rows();
    int left = (side - rect.width()) / 2;
    int top = (side - rect.height()) / 2;
    for (int y = 0; y < rect.height(); y++)
        for (int x = 0; x < rect.width(); x++) {
            float value = rows[rect.top + y][x];
            double share = is_missing(value) ? 0 : (double(value) - range.low) / range.span();
            to[top + y][left + x] = float(std::clamp(share, 0.0, 1.0));
        }
    return tip;
}

std::function<Field(const Rect& cells)> copied_from(const Terrain& terrain, const std::string& field,
                                                    const Grid& grid) {
    double scale = grid.cell / terrain.grid().cell;
    return [from = terrain.field(field), scale](const Rect& cells) {
        Field made(cells);
        Field::WritableRows to = made.writable_rows();
        Field::Rows rows = from.rows();
        Rect rect = from.rect();
        auto at = [&](int x, int y) {
            return rows[std::clamp(y, rect.top, rect.bottom - 1)]
                       [std::clamp(x, rect.left, rect.right - 1) - rect.left];
        };
        tbb::parallel_for(
            tbb::blocked_range<int>(cells.top, cells.bottom), [&](const tbb::blocked_range<int>& some) {
                for (int y = some.begin(); y < some.end(); y++)
                    for (int x = cells.left; x < cells.right; x++) {
                        double there_x = x * scale;
                        double there_y = y * scale;
                        bool inside = there_x >= rect.left && there_x <= rect.right - 1 &&
                                      there_y >= rect.top && there_y <= rect.bottom - 1;
                        if (!inside) {
                            to[y][x - cells.left] = missing;
                            continue;
                        }
                        int left = int(std::floor(there_x));
                        int top = int(std::floor(there_y));
                        double across = there_x - left;
                        double down = there_y - top;
                        // Cells with no part in it may be missing.
                        auto mixed = [](double a, double b, double t) {
                            return t == 0 ? a : a + (b - a) * t;
                        };
                        double upper = mixed(double(at(left, top)), double(at(left + 1, top)), across);
                        double lower = down == 0 ? upper
                                                 : mixed(double(at(left, top + 1)),
                                                         double(at(left + 1, top + 1)), across);
                        to[y][x - cells.left] = float(mixed(upper, lower, down));
                    }
            });
        return made;
    };
}

}  // namespace caprock
