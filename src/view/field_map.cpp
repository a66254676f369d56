#include "view/field_map.h"

#include "base/error.h"
#include "base/text.h"
#include "view/palette.h"
#include "view/surface.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace caprock {

namespace {

// Of the cells, not of the pixels: the same grey means the same value in a picture of any size. Nothing where all
// is missing.
std::optional<Interval> extent_of(const CellRows& field) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Rect& rect = field.rect;
    std::vector<Interval> of_rows(size_t(rect.height()), Interval{infinity, -infinity});
    field.each_piece([&](const Field& piece) {
        Field::Rows cells = piece.rows();
        for_rows(piece.rect().height(), [&](int i) {
            const int y = piece.rect().top + i;
            const float* row = cells[y];
            float low = farthest_value, high = -farthest_value;
            for (int x = 0; x < rect.width(); x++) {
                if (!is_drawn(row[x])) continue;
                low = std::min(low, row[x]);
                high = std::max(high, row[x]);
            }
            if (low <= high) of_rows[size_t(y - rect.top)] = {low, high};
        });
    });
    Interval extent{infinity, -infinity};
    for (const Interval& row : of_rows) {
        extent.low = std::min(extent.low, row.low);
        extent.high = std::max(extent.high, row.high);
    }
    if (extent.low > extent.high) return std::nullopt;
    return extent;
}

constexpr uint8_t middle_grey = 128;

// In equal steps of what the picture stores, which are nearly equal steps to the eye.
uint8_t grey_of(float value, const Interval& values) {
    if (!(values.span() > 0)) return middle_grey;
    double share = std::clamp((value - values.low) / values.span(), 0.0, 1.0);
    return uint8_t(std::lround(share * 255));
}

}  // namespace

Picture field_map(const Terrain& terrain, std::string_view name, const FieldMapOptions& options) {
    return field_map(rows_of(terrain.field(name)), name, options);
}

Picture field_map(const CellRows& field, std::string_view name, const FieldMapOptions& options) {
    if (options.values && !(options.values->span() > 0))
        throw Error(
            fmt::format("values {}: the low end must be below the high end", interval_text(*options.values)));
    if (field.rect.empty()) return {};
    Scale scale = scale_of(field.rect.size(), options.longest_side, options.enlarge);
    Size size = scale.pixels;
    Surface surface = is_index(name) || scale.times > 1 ? picked(field, size) : averaged(field, size);
    Interval values = options.values ? *options.values : extent_of(field).value_or(Interval{0, 0});

    Picture picture{size, std::vector<uint8_t>(size_t(size.cells()) * 3)};
    for_rows(size.height, [&](int y) {
        const float* here = surface.row(y);
        uint8_t* pixel = picture.rgb.data() + size_t(y) * size.width * 3;
        for (int x = 0; x < size.width; x++, pixel += 3) {
            Bytes colour = missing_colour(x, y);
            if (!is_missing(here[x])) {
                uint8_t grey = grey_of(here[x], values);
                colour = {grey, grey, grey};
            }
            pixel[0] = colour.red;
            pixel[1] = colour.green;
            pixel[2] = colour.blue;
        }
    });
    return picture;
}

}  // namespace caprock
