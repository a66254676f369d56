#include "graph/cell_map.h"

#include "base/mathematics.h"
#include "compute/in_parallel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace caprock {

namespace {

bool whole(double value) { return value == std::floor(value); }

// Beyond this a double has no fraction left, and no grid has cells.
constexpr double far = 1 << 30;

int clamped(double value) { return int(std::clamp(value, -far, far)); }

// The field's cell, missing beyond its border.
class Cells {
  public:
    explicit Cells(const Field& field) : rows_(field.rows()), rect_(field.rect()) {}
    float at(int x, int y) const { return rect_.contains(x, y) ? rows_[y][x - rect_.left] : missing; }
    bool inside(int x, int y, int width, int height) const {
        return rect_.contains(Rect{x, y, x + width, y + height});
    }
    const float* row(int x, int y) const { return rows_[y] + (x - rect_.left); }

  private:
    Field::Rows rows_;
    Rect rect_;
};

// Catmull and Rom's weights of four cells for a place between the middle two.
void cubic_weights(double t, double weights[4]) {
    weights[0] = t * (-0.5 + t * (1 - 0.5 * t));
    weights[1] = 1 + t * t * (-2.5 + 1.5 * t);
    weights[2] = t * (0.5 + t * (2 - 1.5 * t));
    weights[3] = t * t * (-0.5 + 0.5 * t);
}

float linear(const Cells& cells, int x, int y, double fx, double fy) {
    // The nearest cell decides whether there is ground at all.
    if (is_missing(cells.at(x + (fx >= 0.5), y + (fy >= 0.5)))) return missing;
    double sum = 0;
    double weights = 0;
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++) {
            float value = cells.at(x + dx, y + dy);
            if (is_missing(value)) continue;
            double weight = (dx ? fx : 1 - fx) * (dy ? fy : 1 - fy);
            sum += weight * value;
            weights += weight;
        }
    return float(sum / weights);
}

// No farther out than the limits and the sixteen cells around go.
float within_limits(const Cells& cells, int x, int y, float value, const Interval& limits) {
    auto low = float(limits.low);
    auto high = float(limits.high);
    if (value >= low && value <= high) return value;
    for (int j = 0; j < 4; j++) {
        const float* row = cells.row(x - 1, y - 1 + j);
        low = std::min(low, *std::min_element(row, row + 4));
        high = std::max(high, *std::max_element(row, row + 4));
    }
    return std::clamp(value, low, high);
}

float sampled(const Cells& cells, double place_x, double place_y, const Interval& limits) {
    if (!(std::abs(place_x) < far && std::abs(place_y) < far)) return missing;
    int x = int(std::floor(place_x));
    int y = int(std::floor(place_y));
    double fx = place_x - x;
    double fy = place_y - y;
    if (fx == 0 && fy == 0) return cells.at(x, y);
    if (!cells.inside(x - 1, y - 1, 4, 4)) return linear(cells, x, y, fx, fy);
    double across[4];
    double down[4];
    cubic_weights(fx, across);
    cubic_weights(fy, down);
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        const float* row = cells.row(x - 1, y - 1 + j);
        sum += down[j] * (across[0] * row[0] + across[1] * row[1] + across[2] * row[2] + across[3] * row[3]);
    }
    // NaN among the sixteen makes the sum one.
    if (std::isnan(sum)) return linear(cells, x, y, fx, fy);
    return within_limits(cells, x, y, float(sum), limits);
}

template <typename Value>
Field made_of(const Rect& region, const Value& value) {
    Field made(region);
    Field::WritableRows rows = made.writable_rows();
    constexpr int together = 16;  // enough to be worth a task
    in_parallel(size_t((region.height() + together - 1) / together), [&](size_t band) {
        int top = region.top + int(band) * together;
        for (int y = top; y < std::min(top + together, region.bottom); y++)
            for (int x = region.left; x < region.right; x++) rows[y][x - region.left] = value(x, y);
    });
    return made;
}

}  // namespace

bool CellMap::whole_move() const {
    return xx == 1 && xy == 0 && yx == 0 && yy == 1 && whole(x0) && whole(y0) && std::abs(x0) < far &&
           std::abs(y0) < far;
}

double CellMap::step() const { return std::sqrt(std::abs(xx * yy - xy * yx)); }

Rect CellMap::source_region(const Rect& region) const {
    if (region.empty()) return {};
    double left = far, top = far, right = -far, bottom = -far;
    for (int x : {region.left, region.right - 1})
        for (int y : {region.top, region.bottom - 1}) {
            double to_x = xx * x + xy * y + x0;
            double to_y = yx * x + yy * y + y0;
            left = std::min(left, to_x);
            right = std::max(right, to_x);
            top = std::min(top, to_y);
            bottom = std::max(bottom, to_y);
        }
    if (whole_move()) return {int(left), int(top), int(right) + 1, int(bottom) + 1};
    // Two cells before and three after a place, and one for rounding at the corners.
    return {clamped(std::floor(left)) - 3, clamped(std::floor(top)) - 3, clamped(std::floor(right)) + 5,
            clamped(std::floor(bottom)) + 5};
}

CellMap CellMap::into_half() const { return {xx / 2, xy / 2, x0 / 2, yx / 2, yy / 2, y0 / 2}; }

Field placed(const Field& source, const CellMap& map, const Rect& region, const Quantity& quantity) {
    const Cells cells(source);
    if (map.whole_move()) {
        int dx = int(map.x0);
        int dy = int(map.y0);
        return made_of(region, [&](int x, int y) { return cells.at(x + dx, y + dy); });
    }
    return made_of(region, [&](int x, int y) {
        double place_x = map.xx * x + map.xy * y + map.x0;
        double place_y = map.yx * x + map.yy * y + map.y0;
        return quantity.is_index
                   ? cells.at(clamped(std::floor(place_x + 0.5)), clamped(std::floor(place_y + 0.5)))
                   : sampled(cells, place_x, place_y, quantity.limits);
    });
}

Field thinned(const Field& fine, const Rect& coarse) {
    const Cells cells(fine);
    return made_of(coarse, [&](int x, int y) { return cells.at(2 * x, 2 * y); });
}

Field halved(const Field& fine, const Rect& coarse) {
    const Cells cells(fine);
    return made_of(coarse, [&](int x, int y) {
        double sum = 0;
        double weights = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                float value = cells.at(2 * x + dx, 2 * y + dy);
                if (is_missing(value)) continue;
                double weight = (2 - std::abs(dx)) * (2 - std::abs(dy));
                sum += weight * value;
                weights += weight;
            }
        return is_missing(cells.at(2 * x, 2 * y)) ? missing : float(sum / weights);
    });
}

}  // namespace caprock
