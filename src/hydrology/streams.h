// Streams: where enough ground drains through a cell for water to stay together.
#pragma once

#include "hydrology/flow_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace caprock {

// A stretch of stream between two of the places where streams begin, join, or leave the land.
struct StreamReach {
    std::vector<size_t> cells;  // downstream; the last is where it ends, of the stream that it joins
    int order = 1;              // by A. N. Strahler (1957): two of one order make one of the next
    uint32_t area = 0;          // cells that drain through the last one of its own
    int into = -1;              // the reach that it goes on as; none where it leaves the land
};

class StreamNetwork {
  public:
    // Of the cells through which at least so many drain.
    StreamNetwork(const FlowGraph& graph, std::span<const uint32_t> areas, uint32_t least);

    // Upstream ones before those they join.
    const std::vector<StreamReach>& reaches() const { return reaches_; }
    bool is_stream(size_t cell) const { return orders_[cell] != 0; }
    int order(size_t cell) const { return orders_[cell]; }  // 0: no stream

  private:
    std::vector<StreamReach> reaches_;
    std::vector<uint8_t> orders_;
};

}  // namespace caprock
