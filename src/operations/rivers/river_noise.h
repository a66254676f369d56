// Smooth chance on the host, for what decides about rivers before there are cells: the same bits everywhere, since it is made of
// whole numbers and + - * alone.
#pragma once

#include "base/random.h"

#include <cmath>

namespace caprock {

// About -1 to 1: gradient noise on a lattice whose cells are 1 wide (K. Perlin, Improving noise, 2002).
inline double smooth_chance(double x, double y, uint32_t seed) {
    // Directions that lie along no axis and no diagonal.
    constexpr double directions[8][2] = {{0.924, 0.383},  {0.383, 0.924},   {-0.383, 0.924},
                                         {-0.924, 0.383}, {-0.924, -0.383}, {-0.383, -0.924},
                                         {0.383, -0.924}, {0.924, -0.383}};
    constexpr double to_one = 1.53;
    const double column = std::floor(x);
    const double row = std::floor(y);
    const double fx = x - column;
    const double fy = y - row;
    auto corner = [&](int right, int down) {
        const uint32_t in_row = hashed(seed, uint32_t(int64_t(row) + down), 1);
        const double* direction = directions[hashed(in_row, uint32_t(int64_t(column) + right), 2) >> 29];
        return direction[0] * (fx - right) + direction[1] * (fy - down);
    };
    auto fade = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    auto mix = [](double a, double b, double t) { return a + (b - a) * t; };
    const double across = fade(fx);
    const double above = mix(corner(0, 0), corner(1, 0), across);
    const double below = mix(corner(0, 1), corner(1, 1), across);
    return to_one * mix(above, below, fade(fy));
}

}  // namespace caprock
