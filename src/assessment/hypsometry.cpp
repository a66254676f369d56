#include "assessment/hypsometry.h"

#include <array>
#include <tbb/parallel_for.h>

namespace caprock {

namespace {

constexpr int levels = 100;

struct RowShares {
    std::array<int64_t, levels + 1> reached = {};  // cells whose hundredth this is
    double sum = 0;                                // of heights above the lowest
};

}  // namespace

Hypsometry hypsometry(const Field& height) {
    const FieldStatistics statistics = caprock::statistics(height);
    const int64_t known = statistics.cells - statistics.missing;
    const double low = statistics.low, span = double(statistics.high) - low;
    if (known == 0) return {Measured::none("no cell is known"), {}};
    if (!(span > 0)) return {Measured::none("the land is level"), {}};
    const Rect& rect = height.rect();
    const Field::Rows rows = height.rows();
    // Sums row by row, and the rows in their order: no thread has a say.
    std::vector<RowShares> of_row(static_cast<size_t>(rect.height()));
    tbb::parallel_for(rect.top, rect.bottom, [&](int y) {
        RowShares& shares = of_row[size_t(y - rect.top)];
        for (int i = 0; i < rect.width(); i++) {
            const float here = rows[y][i];
            if (is_missing(here)) continue;
            const double above = double(here) - low;
            shares.sum += above;
            shares.reached[size_t(above / span * levels)]++;
        }
    });
    RowShares all;
    for (const RowShares& row : of_row) {
        all.sum += row.sum;
        for (size_t level = 0; level <= levels; level++) all.reached[level] += row.reached[level];
    }
    Hypsometry made{all.sum / double(known) / span, {}};
    int64_t below = 0;
    for (size_t level = 0; level <= levels; level++) {
        made.curve.push_back({double(known - below) / double(known), double(level) / levels});
        below += all.reached[level];
    }
    return made;
}

}  // namespace caprock
