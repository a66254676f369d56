// How many streams there are of each order, how long they are and how much ground drains to them: R. E. Horton, Erosional development
// of streams and their drainage basins, Bulletin of the Geological Society of America 56, 1945; areas by S. A. Schumm, Evolution of
// drainage systems and slopes in badlands at Perth Amboy, New Jersey, the same bulletin 67, 1956. From one order to the next each
// changes by a factor, its ratio.
#pragma once

#include "assessment/fits.h"
#include "assessment/measured.h"
#include "assessment/streams.h"

#include <vector>

namespace caprock {

struct Horton {
    struct Order {
        int order = 0;
        int64_t streams = 0;
        double length = 0;  // mean, metres
        double area = 0;    // mean, square metres
    };
    std::vector<Order> orders;
    Measured bifurcation;
    Measured length;
    Measured area;
};

Horton horton(const Streams& streams);

}  // namespace caprock
