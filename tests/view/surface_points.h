// Points of a surface that materials are asked about.
#pragma once

#include "base/interval.h"
#include "view/material_set.h"

#include <random>
#include <vector>

namespace caprock::test {

// Of the land that they are on.
constexpr Interval heights = {100, 1100};

// Anywhere on it and a little beyond, up to `farthest` metres to the east and south.
inline std::vector<SurfacePoint> random_points(int count, uint32_t seed, double farthest) {
    std::mt19937 random(seed);
    auto between = [&](double low, double high) {
        return float(std::uniform_real_distribution<double>(low, high)(random));
    };
    std::vector<SurfacePoint> points;
    for (int i = 0; i < count; i++)
        points.push_back({between(-3000, farthest), between(-3000, farthest), between(0, 1200),
                          between(0, 80), between(-1, 1), between(0, 1), float(int(between(0, 6))),
                          between(0, 1)});
    return points;
}

}  // namespace caprock::test
