#include "assessment/streams.h"

#include <algorithm>
#include <cmath>

namespace caprock {

Streams::Streams(const FlowGraph& graph, double cell, Progress& progress)
    : graph_(graph),
      cell_(cell),
      area_(graph.areas(progress)),
      longest_(graph.size()),
      network_(graph, area_, stream_area) {
    progress.advance(int64_t(graph.size()));
    for (uint32_t here : graph.upstream_first()) {
        highest_order_ = std::max(highest_order_, order(here));
        if (graph.leaves(here)) continue;
        const size_t next = graph.receiver(here);
        longest_[next] = std::max(longest_[next], longest_[here] + float(step(here)));
    }
    progress.advance(int64_t(graph.size()));
}

double Streams::step(size_t cell) const {
    if (graph_.leaves(cell)) return 0;
    return FlowGraph::is_diagonal(graph_.way(cell)) ? cell_ * std::sqrt(2.0) : cell_;
}

bool Streams::ends(size_t cell) const {
    return graph_.leaves(cell) || order(graph_.receiver(cell)) != order(cell);
}

}  // namespace caprock
