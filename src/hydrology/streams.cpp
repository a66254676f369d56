#include "hydrology/streams.h"

#include <algorithm>

namespace caprock {

StreamNetwork::StreamNetwork(const FlowGraph& graph, std::span<const uint32_t> areas, uint32_t least)
    : orders_(graph.size(), 0) {
    least = std::max(least, 1u);
    // Of the streams that come to a cell, the highest order and how many have it; and how many there are.
    std::vector<uint8_t> coming(graph.size(), 0);
    std::vector<uint8_t> as_high(graph.size(), 0);
    std::vector<uint32_t> cells;
    for (uint32_t cell : graph.upstream_first()) {
        if (areas[cell] < least) continue;
        cells.push_back(cell);
        if (orders_[cell] == 0) {
            orders_[cell] = 1;
        } else if (as_high[cell] > 1) {
            orders_[cell]++;
        }
        if (graph.leaves(cell)) continue;
        const size_t next = graph.receiver(cell);
        coming[next]++;
        if (orders_[cell] > orders_[next]) {
            orders_[next] = orders_[cell];
            as_high[next] = 1;
        } else if (orders_[cell] == orders_[next]) {
            as_high[next]++;
        }
    }
    // A reach begins at a source and below a place where streams join.
    std::vector<int> begins(graph.size(), -1);
    for (uint32_t cell : cells) {
        if (coming[cell] == 1) continue;
        begins[cell] = int(reaches_.size());
        StreamReach reach;
        reach.order = orders_[cell];
        for (size_t at = cell;; at = graph.receiver(at)) {
            reach.cells.push_back(at);
            if (at != cell && coming[at] != 1) break;
            reach.area = areas[at];
            if (graph.leaves(at)) break;
        }
        reaches_.push_back(std::move(reach));
    }
    for (StreamReach& reach : reaches_) {
        const size_t last = reach.cells.back();
        if (reach.cells.size() > 1 && coming[last] != 1) reach.into = begins[last];
    }
}

}  // namespace caprock
