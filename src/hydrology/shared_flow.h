// How much drains through each cell where water goes to all lower neighbours, not to the steepest alone.
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "hydrology/flow_graph.h"

#include <cstdint>
#include <vector>

namespace caprock {

// Shares go by the squares of slopes: between T. G. Freeman's 1.1th powers (1991), which make broad streams, and P. Holmgren's 4th to
// 6th (1994), which make narrow ones. Out of hollows, and on level ground, water goes the one way of the graph.
class SharedFlow {
  public:
    explicit SharedFlow(const FlowGraph& graph);

    // Parts of a cell's own water: it is shared out in whole ones, so that nothing is lost and no order matters.
    static constexpr uint64_t parts = uint64_t(1) << 24;

    // How many parts drain through each cell; 0 of missing ones.
    std::vector<uint64_t> areas(Progress& progress) const;
    static constexpr int units_of_areas = 1;

    // A bit for each way that water goes; none where it leaves the land.
    uint8_t ways(size_t cell) const { return ways_[cell]; }

  private:
    void share_out(size_t cell, uint64_t amount, uint64_t (&shares)[8]) const;

    const FlowGraph& graph_;
    std::vector<uint8_t> ways_;
};

// What drains through each cell, in square metres where a cell is so wide; missing where nothing is known.
Field square_metres(const FlowGraph& graph, const std::vector<uint32_t>& areas, double cell);
Field square_metres(const FlowGraph& graph, const std::vector<uint64_t>& parts, double cell);

}  // namespace caprock
