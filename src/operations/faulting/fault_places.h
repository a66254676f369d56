// Where faults lie: drawn from the seed, one by one, each from its own random numbers. The whole landscape decides,
// so every tile draws the same faults.
#pragma once

#include "terrain/grid.h"

#include <cstdint>
#include <vector>

namespace caprock {

// The line through two different cells.
struct LinearFault {
    int x1, y1, x2, y2;
};

// On a landscape of one cell there are no two different ones, and no faults.
std::vector<LinearFault> draw_linear_faults(const Grid& grid, int count, uint32_t seed);

// A circle around a cell, which may lie beyond the border.
struct CircularFault {
    int x, y;
    double radius;  // in cells
};

enum class Axis { none, x, y };

// Where the middles of circular faults may lie: anywhere, in a band along the middle line of an axis, or around the
// landscape's centre.
struct FaultPlacement {
    Axis along = Axis::none;
    double band = 0;    // whole width of the band, metres
    double around = 0;  // metres from the centre; 0: not confined
};

// Radii are uniform within an interval, in cells.
std::vector<CircularFault> draw_circular_faults(const Grid& grid, int count, uint32_t seed,
                                                const Interval& radius, const FaultPlacement& placement);

}  // namespace caprock
