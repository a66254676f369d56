// The grid a terrain stands on: how many cells, how large they are, and the heights formulas refer to.
#pragma once

#include "base/interval.h"
#include "base/rect.h"

namespace caprock {

struct Grid {
    Rect extent = {0, 0, 1024, 1024};  // all cells of the landscape
    double cell = 8;                   // metres from one cell to the next
    Interval range = {0, 1000};        // heights that formulas stated on 0..1 call 0 and 1, in metres

    // Throws Error unless the size is 1..65,536 each way, the cell positive, the range not empty, and both
    // finite.
    void check() const;
    double metres_to_cells(double metres) const { return metres / cell; }
    bool operator==(const Grid&) const = default;
};

}  // namespace caprock
