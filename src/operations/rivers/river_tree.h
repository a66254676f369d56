// A drainage on a lattice as rivers: without the lattice's corners, in pieces short enough for curves, and as lines.
#pragma once

#include "operations/rivers/drainage_growth.h"
#include "terrain/line_set.h"

#include <vector>

namespace caprock {

// The same rivers, each point moved to between its neighbours, and with curves through them. What the user gave stays where it is.
std::vector<RiverPoint> smooth_rivers(const std::vector<RiverPoint>& drawn);

// A line for each reach, from a source or a confluence down to the next confluence or to where it leaves the land: as `flow` makes them.
LineSet lines_of_rivers(const std::vector<RiverPoint>& points, const std::vector<double>& beds);

}  // namespace caprock
