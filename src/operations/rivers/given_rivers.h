// Rivers that the user gives: cut off at the border of the land, checked, and in the order in which they can be laid.
#pragma once

#include "operations/rivers/drainage_growth.h"
#include "terrain/line_set.h"

#include <vector>

namespace caprock {

struct GivenRiver {
    enum class End { leaves, joins, inland };

    std::vector<RiverPoint>
        points;  // from its source down, close enough to each other for DrainageGrowth::add_line
    End end = End::inland;
    size_t joins = 0;  // which of these rivers it flows into, and at which of its points
    size_t at = 0;
    size_t line = 0;  // of the user's, counted from 1
};

// Throws Error for rivers that flow uphill, cross or go in a circle.
std::vector<GivenRiver> given_rivers(const LineSet& lines, const RiverLattice& lattice);

}  // namespace caprock
