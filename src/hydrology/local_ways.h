// The first part of a flow graph: where each cell drains to among its neighbours, and which cells are pits.
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "hydrology/flow_graph.h"

#include <cstdint>
#include <vector>

namespace caprock {

struct LocalWays {
    std::vector<uint8_t> ways;   // as those of a flow graph; `pit` besides
    std::vector<uint32_t> pits;  // in the order of their numbers

    static constexpr uint8_t pit = 10;
};

// Counts a unit of progress a cell.
LocalWays local_ways(const Field& height, const FlowRules& rules, Progress& progress);

// Whether water leaves the land at a cell that has nowhere else to go: at the border, in the sea, or beside nothing.
bool may_leave(const Field::Rows& rows, const Rect& rect, const FlowRules& rules, int x, int y);

}  // namespace caprock
