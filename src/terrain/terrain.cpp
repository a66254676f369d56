#include "terrain/terrain.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <stdexcept>

namespace caprock {

namespace {

// Kernels compute in floats: what is not 0 or infinite here must not become so there.
constexpr double smallest_float = std::numeric_limits<float>::min();
bool fits_float(double value) { return std::abs(value) <= std::numeric_limits<float>::max(); }
// Filters add up heights before they divide, four at a time: the sum must not be infinite.
constexpr double most_of_a_height = std::numeric_limits<float>::max() / 4;

}  // namespace

void Grid::check() const {
    // In 64 bits: corners far apart would wrap around to a size that looks right.
    int64_t width = int64_t(extent.right) - extent.left;
    int64_t height = int64_t(extent.bottom) - extent.top;
    if (width < 1 || height < 1 || width > largest_side || height > largest_side)
        throw Error(fmt::format("size {}x{}: each side must be 1 to {} cells", width, height, largest_side));
    if (!(cell >= smallest_float) || !fits_float(cell))
        throw Error(fmt::format("cell size {}: must be more than 0 metres{}", cell,
                                cell > 0 ? " and fit in a float" : ""));
    if (!(range.high > range.low))
        throw Error(
            fmt::format("height range {}: the low end must be below the high end", interval_text(range)));
    if (!(std::abs(range.low) <= most_of_a_height) || !(std::abs(range.high) <= most_of_a_height))
        throw Error(
            fmt::format("height range {}: both ends must lie between -{:.2g} and {:.2g} m, so that sums of "
                        "heights fit in a float",
                        interval_text(range), most_of_a_height, most_of_a_height));
}

Coordinates Georeference::at_cell(double x, double y) const {
    const auto& t = transform;
    double column = cells_to_pixels(x), row = cells_to_pixels(y);
    return {t[0] + column * t[1] + row * t[2], t[3] + column * t[4] + row * t[5]};
}

std::optional<Coordinates> Georeference::cell_at(const Coordinates& coordinates) const {
    const auto& t = transform;
    const double determinant = t[1] * t[5] - t[2] * t[4];
    if (!(std::abs(determinant) > 0) || !std::isfinite(determinant)) return std::nullopt;
    const double x = coordinates.x - t[0], y = coordinates.y - t[3];
    // Upright cells, as nearly all are, are divided once.
    const bool upright = t[2] == 0 && t[4] == 0;
    const double column = upright ? x / t[1] : (x * t[5] - y * t[2]) / determinant;
    const double row = upright ? y / t[5] : (y * t[1] - x * t[4]) / determinant;
    return Coordinates{pixels_to_cells(column), pixels_to_cells(row)};
}

Georeference Georeference::of_cells(double x, double y, double across, double down) const {
    Georeference made = *this;
    // The corner of a larger pixel lies further from its sample.
    double column = cells_to_pixels(x) - cells_to_pixels(0) * across;
    double row = cells_to_pixels(y) - cells_to_pixels(0) * down;
    for (size_t axis : {size_t(0), size_t(3)}) {
        double* t = made.transform.data() + axis;
        t[0] += column * t[1] + row * t[2];
        t[1] *= across;
        t[2] *= down;
    }
    return made;
}

const Field* Terrain::find(std::string_view name) const {
    for (const auto& [known, field] : fields_)
        if (known == name) return &field;
    return nullptr;
}

const Field& Terrain::field(std::string_view name) const {
    if (const Field* found = find(name)) return *found;
    if (fields_.empty()) throw Error(fmt::format("there is no field '{}': the terrain is still empty", name));
    throw Error(fmt::format("there is no field '{}'; the terrain has {}", name, listed(names())));
}

void Terrain::set(std::string_view name, Field field) {
    if (field.rect() != window_) throw std::logic_error("a field must cover its terrain");
    for (auto& [known, old] : fields_) {
        if (known == name) {
            old = std::move(field);
            return;
        }
    }
    fields_.emplace_back(name, std::move(field));
}

void Terrain::remove(std::string_view name) {
    std::erase_if(fields_, [&](const auto& entry) { return entry.first == name; });
}

std::vector<std::string> Terrain::names() const {
    std::vector<std::string> all;
    for (const auto& [name, field] : fields_) all.push_back(name);
    return all;
}

const LineSet* Terrain::find_lines(std::string_view name) const {
    for (const auto& [known, lines] : lines_)
        if (known == name) return &lines;
    return nullptr;
}

const LineSet& Terrain::lines(std::string_view name) const {
    if (const LineSet* found = find_lines(name)) return *found;
    throw Error(lines_.empty()
                    ? fmt::format("there are no lines '{}': the terrain has no lines", name)
                    : fmt::format("there are no lines '{}'; the terrain has {}", name, listed(line_names())));
}

void Terrain::set_lines(std::string_view name, LineSet lines) {
    for (auto& [known, old] : lines_) {
        if (known == name) {
            old = std::move(lines);
            return;
        }
    }
    lines_.emplace_back(name, std::move(lines));
}

void Terrain::remove_lines(std::string_view name) {
    std::erase_if(lines_, [&](const auto& entry) { return entry.first == name; });
}

std::vector<std::string> Terrain::line_names() const {
    std::vector<std::string> all;
    for (const auto& [name, lines] : lines_) all.push_back(name);
    return all;
}

Interval Terrain::range_of(std::string_view name) const {
    return is_ground(name) ? grid_.range : Interval{0, 1};
}

std::optional<Coordinates> Terrain::coordinates_of(const WorldPoint& place) const {
    if (!georeferenced_) return std::nullopt;
    // A transform counts from the first cell of the grid.
    return georeference_.at_cell(grid_.metres_to_cells(place.x) - grid_.extent.left,
                                 grid_.metres_to_cells(place.y) - grid_.extent.top);
}

std::optional<WorldPoint> Terrain::place_of(const Coordinates& coordinates) const {
    if (!georeferenced_) return std::nullopt;
    const std::optional<Coordinates> cell = georeference_.cell_at(coordinates);
    if (!cell) return std::nullopt;
    return WorldPoint{grid_.cells_to_metres(cell->x + grid_.extent.left),
                      grid_.cells_to_metres(cell->y + grid_.extent.top)};
}

Terrain Terrain::cropped(const Rect& part) const {
    if (!window_.contains(part)) throw std::logic_error("a crop must lie inside its terrain");
    Terrain result = *this;
    result.window_ = part;
    for (auto& [name, field] : result.fields_) field = field.cropped(part);
    return result;
}

}  // namespace caprock
