#include "assessment/slopes.h"

#include "base/mathematics.h"

#include <algorithm>
#include <cmath>
#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

namespace {

constexpr int slope_bins = 90 * slope_bins_per_degree;

// The squares of the tangents at which bins begin: a slope's own angle is never needed.
std::vector<double> squared_tangents() {
    std::vector<double> squares;
    for (int bin = 0; bin < slope_bins; bin++) {
        const double tangent = tangent_of_degrees(double(bin) / slope_bins_per_degree);
        squares.push_back(tangent * tangent);
    }
    return squares;
}

using RowSlopes = std::vector<uint32_t>;

void count_slopes(const float* above, const float* here, const float* below, int width, double cell,
                  const std::vector<double>& squares, RowSlopes& counts) {
    for (int i = 1; i + 1 < width; i++) {
        const double nw = above[i - 1], n = above[i], ne = above[i + 1];
        const double w = here[i - 1], e = here[i + 1];
        const double sw = below[i - 1], s = below[i], se = below[i + 1];
        const double across = ((ne + 2 * e + se) - (nw + 2 * w + sw)) / (8 * cell);
        const double down = ((sw + 2 * s + se) - (nw + 2 * n + ne)) / (8 * cell);
        const double square = across * across + down * down;
        // Also where a neighbour is missing.
        if (is_missing(here[i]) || std::isnan(square)) continue;
        counts[size_t(std::ranges::upper_bound(squares, square) - squares.begin()) - 1]++;
    }
}

// The slope that this share of the cells does not reach, as if cells of one bin were spread evenly over it.
double quantile(const SlopeShares& slopes, double share) {
    const double wanted = share * double(slopes.cells);
    // What is less steep than a tenth of a degree is level.
    if (double(slopes.tenths[0]) >= wanted) return 0;
    double below = 0;
    for (size_t bin = 0; bin < slopes.tenths.size(); bin++) {
        const double here = double(slopes.tenths[bin]);
        if (here > 0 && below + here >= wanted)
            return (double(bin) + (wanted - below) / here) / slope_bins_per_degree;
        below += here;
    }
    return 90;
}

}  // namespace

double SlopeShares::share(int degree) const {
    int64_t count = 0;
    for (int i = 0; i < slope_bins_per_degree; i++)
        count += tenths[size_t(degree * slope_bins_per_degree + i)];
    return cells > 0 ? double(count) / double(cells) : 0;
}

SlopeShares slope_shares(const Field& height, double cell) {
    SlopeShares made;
    const Rect& rect = height.rect();
    if (rect.height() >= 3 && rect.width() >= 3) {
        const Field::Rows rows = height.rows();
        const std::vector<double> squares = squared_tangents();
        // Whole numbers, whose sum has no order; a count for each band of rows, so that no thread waits.
        constexpr int band_rows = 64;
        const int first = rect.top + 1, last = rect.bottom - 1;
        const int bands = (last - first + band_rows - 1) / band_rows;
        std::vector<RowSlopes> of_band(static_cast<size_t>(bands), RowSlopes(slope_bins));
        tbb::parallel_for(0, bands, [&](int band) {
            const int top = first + band * band_rows;
            for (int y = top; y < std::min(top + band_rows, last); y++)
                count_slopes(rows[y - 1], rows[y], rows[y + 1], rect.width(), cell, squares,
                             of_band[size_t(band)]);
        });
        for (const RowSlopes& band : of_band)
            for (size_t bin = 0; bin < made.tenths.size(); bin++) {
                made.tenths[bin] += band[bin];
                made.cells += band[bin];
            }
    }
    if (made.cells == 0) {
        made.median = made.steep = made.beyond_45 = Measured::none("no cell has all of its eight neighbours");
        return made;
    }
    made.median = quantile(made, 0.5);
    made.steep = quantile(made, 0.9);
    int64_t beyond = 0;
    for (size_t bin = size_t(45 * slope_bins_per_degree); bin < made.tenths.size(); bin++)
        beyond += made.tenths[bin];
    made.beyond_45 = double(beyond) / double(made.cells);
    return made;
}

}  // namespace caprock
