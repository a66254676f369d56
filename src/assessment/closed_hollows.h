// Hollows that water cannot leave: how much of the land lies below the level at which they spill over. Where water runs, rivers have
// cut them open or filled them long ago; what is left are lakes, karst and what glaciers and dunes made.
#pragma once

#include "assessment/measured.h"
#include "field/field.h"

#include <cstdint>

namespace caprock {

struct ClosedHollows {
    // Lower than this below its spill level a cell counts: a thousandth of the relief, metres.
    double least_depth = 0;
    int64_t cells = 0;  // that lie so deep
    int64_t known = 0;
    Measured share;
};

// `filled`: the same land with every hollow filled to its spill level.
ClosedHollows closed_hollows(const Field& height, const Field& filled);

}  // namespace caprock
