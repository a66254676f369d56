#include "view/map_pyramid.h"

#include "base/error.h"
#include "base/text.h"
#include "view/typical_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace caprock {

namespace {

// ---- making levels ---------------------------------------------------------------------------------------

// One row of coarse cells from the two below it; out of `from` nothing is known.
void halve_row(const Field::Rows& rows, const Rect& from, int y, int left, int right, float* to) {
    const float* lines[2] = {};
    int count = 0;
    for (int row = 2 * y; row < 2 * y + 2; row++)
        if (row >= from.top && row < from.bottom) lines[count++] = rows[row];
    for (int x = left; x < right; x++) {
        float sum = 0;
        int known = 0, cells = 0;
        int first = std::max(2 * x, from.left), last = std::min(2 * x + 2, from.right);
        for (int i = 0; i < count; i++) {
            for (int cell = first; cell < last; cell++) {
                float value = lines[i][cell - from.left];
                cells++;
                if (!is_drawn(value)) continue;
                sum += value;
                known++;
            }
        }
        to[x - left] = known > 0 && 2 * known >= cells ? sum / float(known) : missing;
    }
}

void halve(const Field& from, Field& to, const Rect& part) {
    Field::Rows rows = from.rows();
    Field::WritableRows target = to.writable_rows();
    const Rect& rect = to.rect();
    for_rows(part.height(), [&](int i) {
        int y = part.top + i;
        halve_row(rows, from.rect(), y, part.left, part.right, target[y] + (part.left - rect.left));
    });
}

// ---- measuring -------------------------------------------------------------------------------------------

class Cells {
  public:
    explicit Cells(const Field& field) : rect_(field.rect()), rows_(field.rows()) {}

    float at(int x, int y) const {
        if (!rect_.contains(x, y)) return missing;
        float value = rows_[y][x - rect_.left];
        return is_drawn(value) ? value : missing;
    }

  private:
    Rect rect_;
    Field::Rows rows_;
};

FieldExtent measured(const CellRows& field, const Interval& range) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Rect& rect = field.rect;
    std::vector<Interval> of_rows(size_t(rect.height()), Interval{infinity, -infinity});
    std::vector<float> sample;
    int64_t within = 0;
    field.each_piece([&](const Field& piece) {
        Field::Rows rows = piece.rows();
        for_rows(piece.rect().height(), [&](int i) {
            const int y = piece.rect().top + i;
            const float* row = rows[y];
            float low = farthest_value, high = -farthest_value;
            for (int x = 0; x < rect.width(); x++) {
                float value = row[x];
                bool there = is_drawn(value);
                low = there && value < low ? value : low;
                high = there && value > high ? value : high;
            }
            if (low <= high) of_rows[size_t(y - rect.top)] = {low, high};
        });
        Cells cells(piece);
        for_lattice(rect, [&](int x, int y) {
            if (y < piece.rect().top || y >= piece.rect().bottom) return;
            float value = cells.at(x, y);
            if (is_missing(value)) return;
            sample.push_back(value);
            if (value >= range.low && value <= range.high) within++;
        });
    });
    FieldExtent extent{range, {infinity, -infinity}, {0, 0}, 1};
    for (const Interval& row : of_rows) {
        extent.values.low = std::min(extent.values.low, row.low);
        extent.values.high = std::max(extent.values.high, row.high);
    }
    if (extent.values.low > extent.values.high) {
        extent.values = extent.usual = range;
        return extent;
    }
    extent.usual = extent.values;
    if (!sample.empty()) {
        extent.usual = {quantile(sample, 0.0005), quantile(sample, 0.9995)};
        extent.within = double(within) / double(sample.size());
    }
    return extent;
}

// ---- sampling --------------------------------------------------------------------------------------------

// Straight from the middle one towards the neighbour on the side of the offset.
inline float straight(float before, float here, float after, float offset) {
    float other = offset < 0 ? before : after;
    return is_missing(other) ? here : here + std::fabs(offset) * (other - here);
}

// Where one row or column of pixels takes its value from.
struct Tap {
    int cell;      // of the level, the one under its middle
    float offset;  // from that cell's middle
};

// Of `count` pixels those from `first` on to `end`, and one more on both sides. Cells of a level are the pixels of several
// cells each, and are counted as those are.
std::vector<Tap> taps_of(double centre, double metres_per_pixel, int count, int first, int end,
                         const Grid& grid, int level, const Interval& limits) {
    std::vector<Tap> taps;
    for (int i = first - 1; i <= end; i++) {
        double metres = centre + (i + 0.5 - count * 0.5) * metres_per_pixel;
        double place = std::ldexp(grid.metres_to_pixels(metres), -level);
        // What lies far outside need not be counted as a cell.
        place = std::clamp(place, limits.low - 8, limits.high + 8);
        double under = std::floor(place);
        taps.push_back({int(under), float(pixels_to_cells(place) - under)});
    }
    return taps;
}

enum class Interpolation { curved, straight, stepped };

template <Interpolation interpolation>
inline float along(float before, float here, float after, float offset) {
    if constexpr (interpolation == Interpolation::curved) return spline_along(before, here, after, offset);
    if constexpr (interpolation == Interpolation::straight) return straight(before, here, after, offset);
    return here;
}

template <Interpolation interpolation>
void sample(const Field& level, const std::vector<Tap>& columns, const std::vector<Tap>& lines,
            Surface& surface) {
    const Rect rect = level.rect();
    Field::Rows rows = level.rows();
    Size size = surface.size();
    int width = size.width + 2;
    int first = std::clamp(columns.front().cell - 1, rect.left - 2, rect.right + 1);
    int last = std::clamp(columns.back().cell + 2, rect.left - 1, rect.right + 2);
    constexpr int rows_per_band = 24;
    int bands = (size.height + 2 + rows_per_band - 1) / rows_per_band;
    for_bands(bands, [&](int band) {
        // The rows of cells in use, drawn out to the width of the picture.
        constexpr size_t kept = 4;
        std::array<std::vector<float>, kept> drawn_out;
        std::array<int, kept> which;
        which.fill(std::numeric_limits<int>::min());
        std::vector<float> cells(size_t(last - first) + 2, missing);
        auto row_of = [&](int y) -> const float* {
            size_t slot = size_t(y) % kept;
            std::vector<float>& row = drawn_out[slot];
            if (which[slot] == y) return row.data();
            which[slot] = y;
            row.assign(size_t(width), missing);
            if (y < rect.top || y >= rect.bottom) return row.data();
            const float* from = rows[y];
            for (int x = first; x < last; x++) {
                float value = x >= rect.left && x < rect.right ? from[x - rect.left] : missing;
                cells[size_t(x - first)] = is_drawn(value) ? value : missing;
            }
            for (int x = 0; x < width; x++) {
                const Tap& tap = columns[size_t(x)];
                if (tap.cell < rect.left || tap.cell >= rect.right) continue;
                const float* here = cells.data() + (tap.cell - first);
                row[size_t(x)] = along<interpolation>(here[-1], here[0], here[1], tap.offset);
            }
            return row.data();
        };
        int bottom = std::min((band + 1) * rows_per_band, size.height + 2);
        for (int y = band * rows_per_band; y < bottom; y++) {
            const Tap& tap = lines[size_t(y)];
            const float* before = row_of(tap.cell - 1);
            const float* here = row_of(tap.cell);
            const float* after = row_of(tap.cell + 1);
            float* to = surface.row(y - 1) - 1;
            for (int x = 0; x < width; x++)
                to[x] = along<interpolation>(before[x], here[x], after[x], tap.offset);
        }
    });
}

}  // namespace

void MapPyramid::update(const Terrain& terrain, const Rect& changed) {
    bool same_grid = terrain.rect() == terrain_.rect() && terrain.grid().cell == terrain_.grid().cell;
    bool all = changed.contains(terrain.rect());
    if (!same_grid || all) {
        *this = MapPyramid(terrain);
        return;
    }
    for (auto& [name, levels] : levels_) {
        const Field* now = terrain.find(name);
        if (!now) {
            levels.clear();
            continue;
        }
        if (now->shares_cells(levels[0])) continue;
        levels[0] = *now;
        renew(levels, changed);
    }
    std::erase_if(levels_, [](const auto& entry) { return entry.second.empty(); });
    terrain_ = terrain;
}

void MapPyramid::rewritten(const Rect& changed) {
    for (auto& [name, levels] : levels_) renew(levels, changed);
}

void MapPyramid::renew(std::vector<Field>& levels, const Rect& changed) {
    Rect part = changed.intersected(levels[0].rect());
    for (size_t i = 1; i < levels.size(); i++) {
        part = part.halved();
        if (!part.empty()) halve(levels[i - 1], levels[i], part);
    }
}

int MapPyramid::levels() const {
    Rect rect = terrain_.rect();
    int count = 1;
    for (; rect.width() > 1 || rect.height() > 1; rect = rect.halved()) {
        // A pair of cells astride the origin never becomes one.
        if (rect.halved() == rect) break;
        count++;
    }
    return count;
}

CellRows MapPyramid::cells_of(const std::string& field) const {
    auto found = elsewhere_.find(field);
    if (found != elsewhere_.end()) return found->second;
    if (elsewhere_.empty()) return rows_of(terrain_.field(field));
    std::vector<std::string> names;
    for (const auto& [name, cells] : elsewhere_) names.push_back(name);
    throw Error(fmt::format("there is no field '{}'; the terrain has {}", field, listed(names)));
}

// Piece by piece, cut where cells of the level begin.
Field MapPyramid::read_level(const CellRows& cells, int level) const {
    Rect rect = cells.rect;
    for (int i = 0; i < level; i++) rect = rect.halved();
    Field made(rect);
    const int high = std::max(cells.rows_together >> level, 1);
    for (int top = rect.top; top < rect.bottom; top += high) {
        const Rect part{rect.left, top, rect.right, std::min(top + high, rect.bottom)};
        auto row_of = [&](int y) {
            return int(
                std::clamp<int64_t>(int64_t(y) * (int64_t(1) << level), cells.rect.top, cells.rect.bottom));
        };
        Field piece = cells.read(row_of(part.top), row_of(part.bottom));
        for (int i = 0; i < level; i++) {
            Field coarse(piece.rect().halved());
            halve(piece, coarse, coarse.rect());
            piece = std::move(coarse);
        }
        Field::Rows from = piece.rows();
        Field::WritableRows to = made.writable_rows();
        for (int y = part.top; y < part.bottom; y++) std::copy_n(from[y], part.width(), to[y]);
    }
    return made;
}

const Field& MapPyramid::level(const std::string& field, int level) {
    std::vector<Field>& made = levels_[field];
    made.reserve(size_t(levels()));
    const bool in_memory = elsewhere_.empty();
    if (made.empty() && in_memory) made.push_back(terrain_.field(field));
    made.resize(std::max(made.size(), size_t(level) + 1));
    if (!made[size_t(level)].empty()) return made[size_t(level)];
    int below = level;
    while (below > 0 && made[size_t(below)].empty()) below--;
    if (made[size_t(below)].empty()) {
        made[size_t(level)] = read_level(cells_of(field), level);
        return made[size_t(level)];
    }
    for (int i = below + 1; i <= level; i++) {
        Field& coarse = made[size_t(i)];
        coarse = Field(made[size_t(i) - 1].rect().halved());
        halve(made[size_t(i) - 1], coarse, coarse.rect());
    }
    return made[size_t(level)];
}

MapPyramid::Place MapPyramid::place_of(double cells_per_pixel) const {
    if (!(cells_per_pixel > 1)) return {0, 0};
    double exact = std::log2(cells_per_pixel);
    int last = levels() - 1;
    if (exact >= last) return {last, 0};
    // What is nearly one level is that one: it costs half, and powers of two are common.
    double rounded = std::round(exact);
    if (std::fabs(exact - rounded) < 0.01) return {int(rounded), 0};
    return {int(exact), exact - std::floor(exact)};
}

Surface MapPyramid::sampled(const std::string& field, const MapView& view, Size picture, const Rect& part,
                            MapSampling sampling, double coarser) {
    Surface surface(part.size());
    const Grid& grid = terrain_.grid();
    auto sample_level = [&](int number, Surface& to) {
        const Field& source = level(field, number);
        double size = std::ldexp(grid.cell, number);
        const Rect& rect = source.rect();
        std::vector<Tap> columns = taps_of(view.centre.x, view.metres_per_pixel, picture.width, part.left,
                                           part.right, grid, number, {double(rect.left), double(rect.right)});
        std::vector<Tap> lines = taps_of(view.centre.y, view.metres_per_pixel, picture.height, part.top,
                                         part.bottom, grid, number, {double(rect.top), double(rect.bottom)});
        bool magnified = size > view.metres_per_pixel * 1.0000001;
        if (sampling == MapSampling::picked) {
            sample<Interpolation::stepped>(source, columns, lines, to);
        } else if (magnified) {
            sample<Interpolation::curved>(source, columns, lines, to);
        } else {
            sample<Interpolation::straight>(source, columns, lines, to);
        }
    };
    if (sampling == MapSampling::picked) {
        if (elsewhere_.empty()) {
            sample_level(0, surface);
        } else {
            pick(field, view, picture, part, surface);
        }
        return surface;
    }
    Place place = place_of(grid.metres_to_cells(view.metres_per_pixel) * coarser);
    sample_level(place.level, surface);
    if (place.beyond == 0) return surface;
    Surface next(part.size());
    sample_level(place.level + 1, next);
    float share = float(place.beyond);
    for_rows(part.height() + 2, [&](int i) {
        float* to = surface.row(i - 1);
        const float* other = next.row(i - 1);
        for (int x = -1; x <= part.width(); x++)
            to[x] = is_missing(other[x]) ? to[x] : to[x] + (other[x] - to[x]) * share;
    });
    return surface;
}

void MapPyramid::pick(const std::string& field, const MapView& view, Size picture, const Rect& part,
                      Surface& to) const {
    const CellRows cells = cells_of(field);
    const Rect& rect = cells.rect;
    const std::vector<Tap> columns =
        taps_of(view.centre.x, view.metres_per_pixel, picture.width, part.left, part.right, terrain_.grid(),
                0, {double(rect.left), double(rect.right)});
    const std::vector<Tap> lines =
        taps_of(view.centre.y, view.metres_per_pixel, picture.height, part.top, part.bottom, terrain_.grid(),
                0, {double(rect.top), double(rect.bottom)});
    cells.each_piece([&](const Field& piece) {
        const Rect& here = piece.rect();
        Field::Rows rows = piece.rows();
        for (size_t i = 0; i < lines.size(); i++) {
            if (lines[i].cell < here.top || lines[i].cell >= here.bottom) continue;
            float* row = to.row(int(i) - 1) - 1;
            for (size_t x = 0; x < columns.size(); x++) {
                const int column = columns[x].cell;
                if (column < here.left || column >= here.right) continue;
                const float value = rows[lines[i].cell][column - here.left];
                row[x] = is_drawn(value) ? value : missing;
            }
        }
    });
}

const FieldExtent& MapPyramid::extent(const std::string& field) {
    auto found = extents_.find(field);
    if (found == extents_.end())
        found = extents_.emplace(field, measured(cells_of(field), terrain_.range_of(field))).first;
    return found->second;
}

double MapPyramid::slope_at(int number) {
    if (auto found = slopes_.find(number); found != slopes_.end()) return found->second;
    const Field& field = level("height", number);
    Cells cells(field);
    float per_metre = float(1 / std::ldexp(terrain_.grid().cell, number));
    std::vector<float> steepness;
    auto rise = [](float before, float here, float after) {
        if (is_missing(before)) return is_missing(after) ? 0.0f : after - here;
        return is_missing(after) ? here - before : (after - before) * 0.5f;
    };
    for_lattice(field.rect(), [&](int x, int y) {
        float here = cells.at(x, y);
        if (is_missing(here)) return;
        float slope = std::hypot(rise(cells.at(x - 1, y), here, cells.at(x + 1, y)),
                                 rise(cells.at(x, y - 1), here, cells.at(x, y + 1)));
        // Level ground, such as a sea or a plateau, says nothing about the slopes of the rest.
        if (slope > 0) steepness.push_back(slope * per_metre);
    });
    return slopes_[number] = quantile(steepness, 0.75);
}

double MapPyramid::departure_at(int number, int form_number) {
    auto key = std::pair(number, form_number);
    if (auto found = departures_.find(key); found != departures_.end()) return found->second;
    level("height", std::max(number, form_number));
    const Field& field = level("height", number);
    Cells cells(field);
    Cells form(level("height", form_number));
    double ratio = std::ldexp(1.0, number - form_number);
    std::vector<float> departures;
    for_lattice(field.rect(), [&](int x, int y) {
        float here = cells.at(x, y);
        double u = cells_to_pixels(x) * ratio, v = cells_to_pixels(y) * ratio;
        int i = int(std::floor(u)), j = int(std::floor(v));
        if (is_missing(here) || is_missing(form.at(i, j))) return;
        float lines[3];
        for (int k = 0; k < 3; k++) {
            int row = j - 1 + k;
            lines[k] = spline_along(form.at(i - 1, row), form.at(i, row), form.at(i + 1, row),
                                    float(pixels_to_cells(u) - i));
        }
        departures.push_back(
            std::fabs(here - spline_along(lines[0], lines[1], lines[2], float(pixels_to_cells(v) - j))));
    });
    return departures_[key] = quantile(departures, 0.75);
}

MapPyramid::Measures MapPyramid::measures(const MapView& view, double coarser) {
    double cells_per_pixel = terrain_.grid().metres_to_cells(view.metres_per_pixel);
    Place fine = place_of(cells_per_pixel);
    Place wide = place_of(cells_per_pixel * coarser);
    auto between = [&](const Place& place, auto measure) {
        double first = measure(place.level);
        return place.beyond > 0 ? std::lerp(first, measure(place.level + 1), place.beyond) : first;
    };
    Measures result;
    result.slope = between(fine, [&](int number) { return slope_at(number); });
    result.form_slope = between(wide, [&](int number) { return slope_at(number); });
    result.departure = between(wide, [&](int number) { return departure_at(fine.level, number); });
    return result;
}

}  // namespace caprock
