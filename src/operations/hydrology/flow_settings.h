// What operations ask that follow water: what holds it back, and whether it spreads.
#pragma once

#include "hydrology/flow_graph.h"
#include "hydrology/shared_flow.h"
#include "operation/declaration.h"

namespace caprock {

constexpr double square_metres_of_hectare = 10000;

enum class FlowSharing { multiple, single };

// What drains through each cell, in square metres; missing where the ground is.
inline Field drained_area(const FlowGraph& graph, FlowSharing sharing, double cell, Progress& progress) {
    if (sharing == FlowSharing::single) return square_metres(graph, graph.areas(progress), cell);
    return square_metres(graph, SharedFlow(graph).areas(progress), cell);
}

struct FlowSettings {
    bool walls = false;

    void describe(Declaration& d) const {
        d.flag("walls", walls)
            .help(
                "missing cells hold water back; otherwise it leaves the land beside them, as it does at its "
                "border");
    }
    FlowRules rules() const { return {.leaves_at_missing = !walls}; }
};

}  // namespace caprock
