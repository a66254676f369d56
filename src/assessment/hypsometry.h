// How much of the land lies how high: A. N. Strahler, Hypsometric (area-altitude) analysis of erosional topography, Bulletin of the
// Geological Society of America 63, 1952. Its integral is the mean height between the lowest and the highest: R. J. Pike and
// S. E. Wilson, Elevation-relief ratio, hypsometric integral, and geomorphic area-altitude analysis, the same bulletin 82, 1971.
#pragma once

#include "assessment/fits.h"
#include "assessment/measured.h"
#include "field/field.h"

#include <cstdint>
#include <vector>

namespace caprock {

struct Hypsometry {
    Measured integral;
    // x: the share of the cells that are as high or higher than y, which goes from 0, the lowest height, in hundredths to 1, the
    // highest. Empty where there is no integral.
    std::vector<CurvePoint> curve;
};

Hypsometry hypsometry(const Field& height);

}  // namespace caprock
