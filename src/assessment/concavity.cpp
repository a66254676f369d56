#include "assessment/concavity.h"

namespace caprock {

namespace {

// Steps of a stream that a slope is taken over: five up the stream and five down.
constexpr int slope_steps = 10;
constexpr double bin_factor = 1.4142135623730951;
constexpr size_t fewest_slopes_of_a_bin = 20;
constexpr size_t fewest_bins = 4;

}  // namespace

Concavity concavity(const Streams& streams, const Field& ground, const Field& filled, double shallow) {
    Concavity made;
    const FlowGraph& graph = streams.graph();
    const Rect& rect = graph.rect();
    const Field::Rows rows = ground.rows(), levels = filled.rows();
    const auto level = [&](size_t cell) {
        return double(levels[graph.y_of(cell)][graph.x_of(cell) - rect.left]);
    };
    const auto is_hollow = [&](size_t cell) {
        return level(cell) - double(rows[graph.y_of(cell)][graph.x_of(cell) - rect.left]) > shallow;
    };
    FactorBins bins(streams.cell() * streams.cell() * stream_area, bin_factor);
    for (size_t cell = 0; cell < streams.size(); cell++) {
        if (!streams.is_stream(cell)) continue;
        size_t at = cell, middle = cell;
        double length = 0;
        bool flows = !is_hollow(cell);
        for (int steps = 1; steps <= slope_steps && flows; steps++) {
            length += streams.step(at);
            flows = !graph.leaves(at);
            at = graph.receiver(at);
            flows = flows && !is_hollow(at);
            if (steps == slope_steps / 2) middle = at;
        }
        if (flows) bins.add(streams.square_metres(middle), (level(cell) - level(at)) / length);
    }
    made.bins = bins.medians(fewest_slopes_of_a_bin);
    std::erase_if(made.bins, [](const FactorBins::Bin& bin) { return !(bin.y > 0); });
    if (made.bins.size() < fewest_bins) {
        made.theta = Measured::none("too few streams that fall");
        return made;
    }
    made.theta = -power_law_through(points_of(made.bins))->slope;
    return made;
}

}  // namespace caprock
