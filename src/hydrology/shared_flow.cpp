#include "hydrology/shared_flow.h"

#include "hydrology/rounds.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

namespace caprock {

// Whichever way water goes, the level to which hollows are full does not rise; and where it stays the same, water goes down
// within one basin or along the graph. So none goes in a circle.
SharedFlow::SharedFlow(const FlowGraph& graph) : graph_(graph), ways_(graph.size(), 0) {
    in_rounds(graph.size(), [&](size_t first, size_t last) {
        for (size_t cell = first; cell < last; cell++) {
            if (graph.is_missing(cell) || graph.leaves(cell)) continue;
            const uint8_t one = uint8_t(1u << graph.way(cell));
            ways_[cell] = one;
            const float here = graph.height(cell);
            const bool under_water = here < graph.level(cell);
            const size_t receiver = graph.receiver(cell);
            // Level ground, and the way from the bottom of a hollow to its pass.
            if (under_water && !(graph.height(receiver) < here && graph.basin(receiver) == graph.basin(cell)))
                continue;
            uint8_t lower = 0;
            graph.each_neighbour(cell, [&](size_t there, int way) {
                if (graph.is_missing(there)) return;
                const bool falls = under_water
                                       ? graph.height(there) < here && graph.basin(there) == graph.basin(cell)
                                       : graph.level(there) < here;
                if (falls) lower |= uint8_t(1u << way);
            });
            if (lower != 0) ways_[cell] = lower;
        }
    });
}

// The steepest takes what is left of whole parts.
void SharedFlow::share_out(size_t cell, uint64_t amount, uint64_t (&shares)[8]) const {
    const unsigned ways = ways_[cell];
    if (std::has_single_bit(ways)) {
        shares[std::countr_zero(ways)] = amount;
        return;
    }
    double weights[8] = {};
    double total = 0;
    int steepest = 0;
    const double here = graph_.height(cell);
    const bool under_water = graph_.height(cell) < graph_.level(cell);
    graph_.each_neighbour(cell, [&](size_t there, int way) {
        if ((ways >> way & 1) == 0) return;
        const double drop = here - double(under_water ? graph_.height(there) : graph_.level(there));
        // Infinite heights are as steep as can be.
        const double slope = std::min(FlowGraph::is_diagonal(way) ? drop * std::sqrt(0.5) : drop, 1e40);
        weights[way] = slope * slope;
        total += weights[way];
        if (weights[way] > weights[steepest] || (ways >> steepest & 1) == 0) steepest = way;
    });
    uint64_t left = amount;
    for (int way = 0; way < 8; way++) {
        if (way == steepest || !(weights[way] > 0)) continue;
        shares[way] = std::min(uint64_t(double(amount) * (weights[way] / total)), left);
        left -= shares[way];
    }
    shares[steepest] = left;
}

std::vector<uint64_t> SharedFlow::areas(Progress& progress) const {
    const size_t cells = graph_.size();
    std::vector<uint64_t> amounts(cells);
    std::vector<uint8_t> waiting(cells);
    in_rounds(cells, [&](size_t first, size_t last) {
        for (size_t cell = first; cell < last; cell++) {
            amounts[cell] = graph_.is_missing(cell) ? 0 : parts;
            uint8_t donors = 0;
            graph_.each_neighbour(cell, [&](size_t there, int way) {
                donors = uint8_t(donors + (ways_[there] >> FlowGraph::opposite(way) & 1));
            });
            waiting[cell] = donors == 0 ? FlowGraph::source : donors;
        }
    });
    in_rounds(cells, [&](size_t first, size_t last) {
        std::vector<size_t> ready;
        for (size_t start = first; start < last; start++) {
            if (std::atomic_ref(waiting[start]).load(std::memory_order_relaxed) != FlowGraph::source)
                continue;
            ready.push_back(start);
            while (!ready.empty()) {
                const size_t cell = ready.back();
                ready.pop_back();
                if (ways_[cell] == 0) continue;
                uint64_t shares[8] = {};
                share_out(cell, std::atomic_ref(amounts[cell]).load(std::memory_order_relaxed), shares);
                graph_.each_neighbour(cell, [&](size_t there, int way) {
                    if ((ways_[cell] >> way & 1) == 0) return;
                    std::atomic_ref(amounts[there]).fetch_add(shares[way], std::memory_order_relaxed);
                    if (std::atomic_ref(waiting[there]).fetch_sub(1, std::memory_order_acq_rel) == 1)
                        ready.push_back(there);
                });
            }
        }
        progress.advance(int64_t(last - first));
    });
    return amounts;
}

namespace {

template <typename Amount>
Field metres_of(const FlowGraph& graph, const std::vector<Amount>& amounts, double of_one) {
    const Rect& rect = graph.rect();
    Field result(rect);
    const Field::WritableRows to = result.writable_rows();
    in_parallel(size_t(rect.height()), [&](size_t row) {
        float* into = to[rect.top + int(row)];
        const size_t first = row * size_t(rect.width());
        for (size_t x = 0; x < size_t(rect.width()); x++)
            into[x] = graph.is_missing(first + x) ? missing : float(double(amounts[first + x]) * of_one);
    });
    return result;
}

}  // namespace

Field square_metres(const FlowGraph& graph, const std::vector<uint32_t>& areas, double cell) {
    return metres_of(graph, areas, cell * cell);
}

Field square_metres(const FlowGraph& graph, const std::vector<uint64_t>& parts, double cell) {
    return metres_of(graph, parts, cell * cell / double(SharedFlow::parts));
}

}  // namespace caprock
