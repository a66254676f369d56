// Where water stands after a rain: hollows fill, spill over into the next, and become one lake with it where both are full (R. Barnes,
// K. Callaghan and A. Wickert, Computing water flow through complex landscapes, part 3: Fill-Spill-Merge, 2021).
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "hydrology/flow_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace caprock {

// Volumes are in metres of depth over one cell.
struct Lakes {
    Field depth;        // of water; 0 where there is none, missing where the ground is
    double left = 0;    // that has left the land
    double stands = 0;  // in lakes
};

// `rain` is how much water each cell sheds, or one number for all of them.
Lakes lakes_after_rain(const FlowGraph& graph, const Field& height, const FlowRules& rules, double everywhere,
                       const Field* rain, Progress& progress);

}  // namespace caprock
