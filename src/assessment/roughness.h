// How rough the land is over short and over long distances: the root mean square of the differences in height between cells that
// lie so far apart, which grows as a power of the distance, the Hurst exponent. After M. K. Shepard and others, The roughness of
// natural terrain: a planetary and remote sensing perspective, Journal of Geophysical Research 106, 2001, and D. M. Mark and P. B.
// Aronson, Scale-dependent fractal dimensions of topographic surfaces, Mathematical Geology 16, 1984. Nearly 1 is smooth, 0 as rough
// near by as far away.
#pragma once

#include "assessment/measured.h"
#include "base/progress.h"
#include "field/field.h"

#include <cstdint>
#include <vector>

namespace caprock {

struct Roughness {
    struct Scale {
        int cells = 0;         // apart, to the east or to the south
        double deviation = 0;  // metres
        int64_t pairs = 0;
    };
    std::vector<Scale> scales;  // of distances up to a quarter of the shorter side
    Measured fine;              // the exponent over 1 to 8 cells
    Measured broad;             // over 8 cells to an eighth of the shorter side
};

// Counts a unit of progress a cell.
Roughness roughness(const Field& height, Progress& progress);

}  // namespace caprock
