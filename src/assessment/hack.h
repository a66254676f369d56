// How the length of streams grows with the ground that drains to them: L ~ A^h, after J. T. Hack, Studies of longitudinal stream
// profiles in Virginia and Maryland, U.S. Geological Survey Professional Paper 294-B, 1957, who found 0.6; later and larger samples
// lie around 0.5 to 0.6 (R. Rigon and others, On Hack's law, Water Resources Research 32, 1996).
#pragma once

#include "assessment/fits.h"
#include "assessment/measured.h"
#include "assessment/streams.h"

namespace caprock {

struct Hack {
    // Through all cells of streams, small and large.
    Measured exponent;
    // Medians of bins: x the area in square metres, y the longest way of water in metres.
    std::vector<FactorBins::Bin> bins;
};

Hack hack(const Streams& streams);

}  // namespace caprock
