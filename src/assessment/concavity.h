// How slopes of streams fall with the ground that drains to them: S ~ A^-theta, theta being the concavity. J. J. Flint, Stream
// gradient as a function of order, magnitude, and discharge, Water Resources Research 10, 1974. Slopes are taken over a fixed length
// of stream, so that the noise of single cells has no say, and fitted through medians of bins of area: C. Wobus and others, Tectonics
// from topography: procedures, promise, and pitfalls, GSA Special Paper 398, 2006. Standing water has no slope that would say anything
// of rivers: where a closed hollow lies on the way, none is taken.
#pragma once

#include "assessment/fits.h"
#include "assessment/measured.h"
#include "assessment/streams.h"

namespace caprock {

struct Concavity {
    Measured theta;
    // Medians of bins: x the area in square metres, y the slope.
    std::vector<FactorBins::Bin> bins;
};

// `filled`: the land with its hollows filled, along which water never rises. What is not deeper below that than `shallow`
// metres is no hollow.
Concavity concavity(const Streams& streams, const Field& height, const Field& filled, double shallow);

}  // namespace caprock
