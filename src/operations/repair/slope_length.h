// How far the slopes of a field go before its heights turn: how far heights spread, divided by how steep they are. Rolling
// land of long slopes has a long one, rough land a short one. No unit of height or length is in it but the cell, and at
// another resolution it is nearly the same in metres.
#pragma once

#include "field/field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

namespace slope_length_sums {

struct Sums {
    double cells = 0;
    double heights = 0;
    double squares = 0;
    double pairs = 0;
    double slopes = 0;  // squared

    void add(const Sums& other) {
        cells += other.cells;
        heights += other.heights;
        squares += other.squares;
        pairs += other.pairs;
        slopes += other.slopes;
    }
    double mean_slope() const { return pairs > 0 ? slopes / pairs : 0; }
};

// The last known cell of a line, from which the next one's slope is taken: holes between them count as their length.
struct Known {
    int place = -1;
    double height = 0;

    void meet(double next, int at, Sums& sums) {
        if (place >= 0) {
            double slope = (next - height) / (at - place);
            sums.pairs++;
            sums.slopes += slope * slope;
        }
        *this = {at, next};
    }
};

// Bands of so many lines are added in order: threads change no bit.
template <typename Band>
Sums added_bands(int lines, const Band& band) {
    constexpr int lines_per_band = 64;
    std::vector<Sums> parts(size_t((lines + lines_per_band - 1) / lines_per_band));
    tbb::parallel_for(size_t(0), parts.size(), [&](size_t i) {
        int begin = int(i) * lines_per_band;
        parts[i] = band(begin, std::min(begin + lines_per_band, lines));
    });
    Sums total;
    for (const Sums& part : parts) total.add(part);
    return total;
}

}  // namespace slope_length_sums

// In cells; infinite where no two known cells of a row or column differ. Heights count from `low`, near which they are.
inline double slope_length(const Field& field, double low) {
    using namespace slope_length_sums;
    const Rect rect = field.rect();
    const Field::Rows rows = field.rows();
    auto row_of = [&](int y) { return rows[rect.top + y]; };
    const Sums along = added_bands(rect.height(), [&](int begin, int end) {
        Sums sums;
        for (int y = begin; y < end; y++) {
            const float* row = row_of(y);
            Known last;
            for (int x = 0; x < rect.width(); x++) {
                if (!std::isfinite(row[x])) continue;
                double height = double(row[x]) - low;
                sums.cells++;
                sums.heights += height;
                sums.squares += height * height;
                last.meet(height, x, sums);
            }
        }
        return sums;
    });
    const Sums down = added_bands(rect.width(), [&](int begin, int end) {
        Sums sums;
        std::vector<Known> last(size_t(end - begin));
        for (int y = 0; y < rect.height(); y++) {
            const float* row = row_of(y);
            for (int x = begin; x < end; x++)
                if (std::isfinite(row[x])) last[size_t(x - begin)].meet(double(row[x]) - low, y, sums);
        }
        return sums;
    });
    double mean = along.heights / along.cells;
    double spread = along.squares / along.cells - mean * mean;
    double steepness = along.mean_slope() + down.mean_slope();
    if (!(steepness > 0)) return std::numeric_limits<double>::infinity();
    return std::sqrt(std::max(spread, 0.0) / steepness);
}

}  // namespace caprock
