// What is typical of a map's ground. It is taken from a lattice of cells or pixels: as good as all of them, and exact
// order statistics stay cheap. Order statistics, because no stray spike moves them.
#pragma once

#include "base/rect.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace caprock {

constexpr int lattice_side = 384;

template <typename Body>
void for_lattice(const Rect& rect, Body body) {
    int step_x = (rect.width() + lattice_side - 1) / lattice_side;
    int step_y = (rect.height() + lattice_side - 1) / lattice_side;
    for (int y = rect.top + step_y / 2; y < rect.bottom; y += step_y)
        for (int x = rect.left + step_x / 2; x < rect.right; x += step_x) body(x, y);
}

// The value below which so many of all are; 0 where there are none. Their order changes.
inline float quantile(std::vector<float>& values, double share) {
    if (values.empty()) return 0;
    auto place = values.begin() + std::lround(share * double(values.size() - 1));
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace caprock
