#include "assessment/geomorphons.h"

#include "base/mathematics.h"

#include <cmath>
#include <limits>
#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

namespace {

using enum Geomorphon;

// Figure 4 of the paper: rows by how many are lower, columns by how many are higher. What adds up to more than eight is not.
constexpr Geomorphon forms[9][9] = {
    {flat, flat, flat, footslope, footslope, valley, valley, valley, pit},
    {flat, flat, footslope, footslope, footslope, valley, valley, valley, flat},
    {flat, shoulder, slope, slope, hollow, hollow, valley, flat, flat},
    {shoulder, shoulder, slope, slope, slope, hollow, flat, flat, flat},
    {shoulder, shoulder, spur, slope, slope, flat, flat, flat, flat},
    {ridge, ridge, spur, spur, flat, flat, flat, flat, flat},
    {ridge, ridge, ridge, flat, flat, flat, flat, flat, flat},
    {ridge, ridge, flat, flat, flat, flat, flat, flat, flat},
    {peak, flat, flat, flat, flat, flat, flat, flat, flat},
};

// Clockwise from north.
constexpr int eastwards[8] = {0, 1, 1, 1, 0, -1, -1, -1};
constexpr int southwards[8] = {-1, -1, 0, 1, 1, 1, 0, -1};

struct Sight {
    int way = 0;
    int steps = 0;
    std::vector<double> per_distance;  // of the first step, the second ...
};

std::array<Sight, 8> sights_of(double cell, double reach) {
    std::array<Sight, 8> sights;
    for (int way = 0; way < 8; way++) {
        const double step = way % 2 == 0 ? 1.0 : std::sqrt(2.0);
        Sight& sight = sights[size_t(way)];
        sight.way = way;
        // Ten steps of 1 are ten, whatever is lost in rounding.
        for (int i = 1; i * step <= reach * (1 + 1e-12); i++) {
            sight.steps = i;
            sight.per_distance.push_back(1 / (i * step * cell));
        }
    }
    return sights;
}

class Horizon {
  public:
    Horizon(const Field& height, double cell, const GeomorphonRules& rules)
        : rect_(height.rect()),
          rows_(height.rows()),
          sights_(sights_of(cell, rules.reach)),
          flat_tangent_(tangent_of_degrees(rules.flatness)) {}

    void count_row(int y, GeomorphonCounts& counts) const {
        for (int x = rect_.left; x < rect_.right; x++) {
            const float here = rows_[y][x - rect_.left];
            if (is_missing(here)) continue;
            int lower = 0, higher = 0;
            bool sees = true;
            for (const Sight& sight : sights_) {
                const int side = side_of(x, y, here, sight);
                if (side == nothing) {
                    sees = false;
                    break;
                }
                lower += side < 0;
                higher += side > 0;
            }
            if (sees) counts.cells[size_t(geomorphon_of(lower, higher))]++;
        }
    }

  private:
    static constexpr int nothing = 2;

    // -1 for a direction that is lower, 0 for one that is level, 1 for one that is higher.
    int side_of(int x, int y, float here, const Sight& sight) const {
        double up = -std::numeric_limits<double>::infinity();
        double down = std::numeric_limits<double>::infinity();
        for (int i = 1; i <= sight.steps; i++) {
            const int u = x + i * eastwards[sight.way], v = y + i * southwards[sight.way];
            if (!rect_.contains(u, v)) break;
            const float there = rows_[v][u - rect_.left];
            if (is_missing(there)) break;
            const double tangent = (double(there) - double(here)) * sight.per_distance[size_t(i - 1)];
            up = tangent > up ? tangent : up;
            down = tangent < down ? tangent : down;
        }
        if (!(up >= down)) return nothing;
        // tan(a + b) = (tan a + tan b) / (1 - tan a tan b), so that no angle is needed: where the divisor is not above 0, the
        // sum is a right angle or more.
        const double sum = up + down, rest = 1 - up * down;
        const bool beyond = rest <= 0 || std::abs(sum) > flat_tangent_ * rest;
        return !beyond ? 0 : sum > 0 ? 1 : -1;
    }

    Rect rect_;
    Field::Rows rows_;
    std::array<Sight, 8> sights_;
    double flat_tangent_;
};

}  // namespace

std::string_view name_of(Geomorphon form) {
    static constexpr std::string_view names[geomorphon_count] = {
        "flat", "peak", "ridge", "shoulder", "spur", "slope", "hollow", "footslope", "valley", "pit"};
    return names[size_t(form)];
}

Geomorphon geomorphon_of(int lower, int higher) { return forms[lower][higher]; }

int64_t GeomorphonCounts::all() const {
    int64_t sum = 0;
    for (int64_t count : cells) sum += count;
    return sum;
}

GeomorphonCounts geomorphons(const Field& height, double cell, const GeomorphonRules& rules,
                             Progress& progress) {
    GeomorphonCounts total;
    const Rect& rect = height.rect();
    if (rect.empty()) return total;
    const Horizon horizon(height, cell, rules);
    std::vector<GeomorphonCounts> of_row(static_cast<size_t>(rect.height()));
    tbb::parallel_for(rect.top, rect.bottom, [&](int y) {
        horizon.count_row(y, of_row[size_t(y - rect.top)]);
        progress.advance(rect.width());
    });
    for (const GeomorphonCounts& row : of_row)
        for (size_t form = 0; form < geomorphon_count; form++) total.cells[form] += row.cells[form];
    return total;
}

}  // namespace caprock
