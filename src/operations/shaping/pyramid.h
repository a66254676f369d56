// A pyramid of grids, each of half the resolution of the one before, aligned to the absolute cell (0, 0): tiles
// see the same coarse cells as the whole. kernels/pyramid.h has the filters.
#pragma once

#include "kernels.h"
#include "operation/work.h"

#include <vector>

namespace caprock {

// The cells of every level, the finest first, with the coarse cells beyond the border that cells inside it have a
// share in.
inline std::vector<Rect> pyramid_rects(const Rect& finest, int levels) {
    std::vector<Rect> rects = {finest};
    for (int level = 0; level < levels; level++) rects.push_back(rects.back().expanded(1).halved());
    return rects;
}

// A field of weighted sums, and of weights where cells are missing.
struct Weighted {
    Field value;
    Field weight;
    bool has_weight = false;

    static Weighted on(const Rect& rect, bool weighted) {
        return {Field(rect), weighted ? Field(rect) : Field(), weighted};
    }
    const Field* weight_or_none() const { return has_weight ? &weight : nullptr; }
    Field* weight_or_none() { return has_weight ? &weight : nullptr; }
};

// The next level down or up. Sums that have no weights yet get them where `weighted`: 1 for every known cell.
inline Weighted halved(Work& work, const Weighted& finer, const Rect& rect, bool weighted) {
    Weighted coarser = Weighted::on(rect, weighted);
    work.launch_around(2, kernel::pyramid_halve, rect,
                       {.value = finer.value,
                        .weight = finer.weight_or_none(),
                        .value_out = coarser.value,
                        .weight_out = coarser.weight_or_none(),
                        .weighted = weighted});
    return coarser;
}
// The same for further sums of the same weights.
inline Field halved_sums(Work& work, const Field& finer, const Rect& rect) {
    const Field* no_weights = nullptr;
    Field* none_asked_for = nullptr;
    Field coarser(rect);
    work.launch_around(2, kernel::pyramid_halve, rect,
                       {.value = finer,
                        .weight = no_weights,
                        .value_out = coarser,
                        .weight_out = none_asked_for,
                        .weighted = true});
    return coarser;
}
inline Weighted doubled(Work& work, const Weighted& coarser, const Rect& rect, bool weighted) {
    Weighted finer = Weighted::on(rect, weighted);
    work.launch_around(1, kernel::pyramid_double, rect,
                       {.value = coarser.value,
                        .weight = coarser.weight_or_none(),
                        .value_out = finer.value,
                        .weight_out = finer.weight_or_none(),
                        .weighted = weighted});
    return finer;
}

}  // namespace caprock
