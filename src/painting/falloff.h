// How a dab's weight goes from its middle to its rim (Editor, eq. 8-1).
#pragma once

#include <vector>

namespace caprock {

// A value of a curve that is drawn over 0 to 1; 1 where there is none.
double along_curve(const std::vector<double>& curve, double at);

struct Falloff {
    double share = 1;           // of the radius over which it falls off; the rest is at full weight
    double power = 2;           // 1 is a straight ramp; more is rounder
    std::vector<double> curve;  // in place of both: weights from the middle to the rim, evenly apart

    // At a distance in radii.
    double at(double distance) const;
    // Over a line through the middle, in radii: how much a pass over a place lays down there.
    double integral() const;
};

}  // namespace caprock
