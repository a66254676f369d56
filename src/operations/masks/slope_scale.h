// How far away heights lie that a slope is taken from. Land is rough, and the closer one looks the steeper it is: on finer
// land slopes are looked at from as far as in cells of the scale.
#pragma once

#include "operation/parameter.h"
#include "terrain/grid.h"

#include <algorithm>
#include <cmath>

namespace caprock {

struct SlopeScale {
    double metres = 8;

    void describe(Declaration& d) const {
        d.number("scale", metres)
            .range(0, 10000)
            .slider(0, 100)
            .unit("m")
            .help(
                "how far to each side heights lie that a slope is taken from, at least the next cells; 0: "
                "those");
    }
    // Version 1 knew the next cells alone.
    void from_version(int written) {
        if (written < 2) metres = 0;
    }
    int cells(const Grid& grid) const {
        double longest = std::max(grid.extent.width(), grid.extent.height());
        return std::max(1, int(std::floor(std::min(grid.metres_to_cells(metres), longest) + 0.5)));
    }
    float distance(const Grid& grid) const { return float(cells(grid) * grid.cell); }
};

}  // namespace caprock
