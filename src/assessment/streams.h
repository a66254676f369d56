// The streams of a terrain: cells that at least so much ground drains through, with their orders by A. N. Strahler (Quantitative
// analysis of watershed geomorphology, Transactions of the American Geophysical Union 38, 1957), and the longest way that water has
// come to each cell.
#pragma once

#include "base/progress.h"
#include "hydrology/flow_graph.h"
#include "hydrology/streams.h"

#include <cstdint>
#include <vector>

namespace caprock {

// Where a stream begins: so many cells drain through it.
constexpr uint32_t stream_area = 100;

class Streams {
  public:
    // `cell` is the distance of neighbours in metres. The graph has to outlive it.
    Streams(const FlowGraph& graph, double cell, Progress& progress);
    // What that advances progress by, a cell, and the bytes of one.
    static constexpr int units_to_make = FlowGraph::units_of_areas + 2;
    static constexpr uint64_t bytes_per_cell = 16;

    const FlowGraph& graph() const { return graph_; }
    double cell() const { return cell_; }
    size_t size() const { return area_.size(); }

    // Cells that drain through it, itself among them; 0 where it is missing.
    uint32_t area(size_t cell) const { return area_[cell]; }
    double square_metres(size_t cell) const { return double(area_[cell]) * cell_ * cell_; }
    // Metres that the longest way of water to it has.
    double longest_way(size_t cell) const { return double(longest_[cell]); }
    // Metres to the cell it drains to; 0 where water leaves.
    double step(size_t cell) const;
    bool is_stream(size_t cell) const { return network_.is_stream(cell); }
    // From 1; 0 where there is no stream.
    int order(size_t cell) const { return network_.order(cell); }
    int highest_order() const { return highest_order_; }
    // Whether a stream of one order comes to its end here: water leaves, or goes on as a stream of another.
    bool ends(size_t cell) const;

  private:
    const FlowGraph& graph_;
    double cell_;
    std::vector<uint32_t> area_;
    std::vector<float> longest_;
    StreamNetwork network_;
    int highest_order_ = 0;
};

}  // namespace caprock
