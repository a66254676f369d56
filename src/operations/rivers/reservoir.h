// Water behind a dam that is about to break: it stands at one level inside of an area.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"
#include "terrain/line_set.h"

namespace caprock {

// Inside of each closed line (others are closed by a straight one) water stands up to the level where the ground is lower; what is there
// already stays if it is deeper. A sample on the line itself is inside on its western and northern sides.
Field filled_reservoir(const LineSet& areas, double level, const Grid& grid, const Field& height,
                       const Field& water);

}  // namespace caprock
