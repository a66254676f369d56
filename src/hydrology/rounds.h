// Loops over all cells, whose rounds are shared among threads.
#pragma once

#include "base/rect.h"
#include "compute/in_parallel.h"

#include <algorithm>
#include <cstddef>

namespace caprock {

// round(first, last): so many cells by their numbers.
template <typename Round>
void in_rounds(size_t cells, const Round& round) {
    constexpr size_t cells_of_round = 1 << 17;
    in_parallel((cells + cells_of_round - 1) / cells_of_round, [&](size_t index) {
        round(index * cells_of_round, std::min((index + 1) * cells_of_round, cells));
    });
}

// How many bands of rows there are, and round(band, top, bottom) for each.
constexpr int rows_of_band = 64;
inline size_t bands_of(const Rect& rect) { return size_t((rect.height() + rows_of_band - 1) / rows_of_band); }
template <typename Round>
void in_bands(const Rect& rect, const Round& round) {
    in_parallel(bands_of(rect), [&](size_t band) {
        const int top = rect.top + int(band) * rows_of_band;
        round(band, top, std::min(top + rows_of_band, rect.bottom));
    });
}

}  // namespace caprock
