// Ways to be rid of hollows that hold water back: fill them, or cut through what holds it.
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "hydrology/flow_graph.h"

namespace caprock {

// Every hollow is filled up to its pass. Its ground rises from there by so much a metre, so that water finds its way; by nothing
// where that is level.
Field filled_hollows(const FlowGraph& graph, double cell, double slope);

// Along the way that water takes in the graph, nothing is higher than what lies upstream of it.
Field carved_hollows(const FlowGraph& graph);

// From each pit the trench that takes the least to dig, to ground that is lower (J. Lindsay and K. Dhun, Modelling surface drainage
// patterns in altered landscapes using LiDAR, 2015).
struct BreachLimits {
    double longest = 0;  // metres from the pit over the map; 0: any
    double deepest = 0;  // metres below the ground; 0: any
};
Field breached_hollows(const FlowGraph& graph, const FlowRules& rules, double cell,
                       const BreachLimits& limits, Progress& progress);

}  // namespace caprock
