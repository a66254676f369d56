// Lines of equal height.
#pragma once

#include "base/interval.h"
#include "view/ink.h"
#include "view/surface.h"

#include <vector>

namespace caprock {

struct ContourLine {
    double level = 0;
    bool strong = false;  // every fifth: the level is a multiple of five intervals
    bool closed = false;  // the first point follows the last
    std::vector<PixelPoint> points;
};

// The lines at every multiple of the interval, by marching squares: straight through each square of four neighbouring
// pixels' middles, from where the level lies on one side to where it lies on another. A height at a level is above it.
// Where four neighbours leave two ways open, the saddle of the surface through them decides. No line enters a square
// with a missing corner, nor one that more than 64 would cross. The frame of the surface counts, where it has been given values. Lines come by level, each in
// one piece; the interval must be more than 0.
std::vector<ContourLine> contour_lines(const Surface& surface, double interval);

// The smallest of 1, 2, 5, 10, 20, 50 ... (and 0.5, 0.2, 0.1 ...) that is no less than this.
double round_number_from(double least);

}  // namespace caprock
