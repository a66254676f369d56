#include "hydrology/hollows.h"

#include "hydrology/local_ways.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace caprock {

namespace {

constexpr float upwards = std::numeric_limits<float>::infinity();

// Heights by number, to be changed.
class Ground {
  public:
    explicit Ground(const Field& height)
        : rect_(height.rect()), field_(height.copied()), rows_(field_.writable_rows()) {}

    float& operator[](size_t cell) {
        const size_t width = size_t(rect_.width());
        return rows_[rect_.top + int(cell / width)][cell % width];
    }
    Field taken() { return std::move(field_); }

  private:
    Rect rect_;
    Field field_;
    Field::WritableRows rows_;
};

// The field that a graph is of.
Field heights_of(const FlowGraph& graph) {
    Field heights(graph.rect());
    const Field::WritableRows to = heights.writable_rows();
    size_t cell = 0;
    for (int y = graph.rect().top; y < graph.rect().bottom; y++)
        for (int x = 0; x < graph.rect().width(); x++) to[y][x] = graph.height(cell++);
    return heights;
}

}  // namespace

Field filled_hollows(const FlowGraph& graph, double cell, double slope) {
    if (slope <= 0) return graph.filled();
    Ground ground(heights_of(graph));
    const std::vector<uint32_t> order = graph.upstream_first();
    for (size_t i = order.size(); i-- > 0;) {
        const size_t here = order[i];
        if (graph.leaves(here)) continue;
        const size_t receiver = graph.receiver(here);
        const float below = ground[receiver];
        const float before = graph.height(here);
        if (before < graph.level(here)) {
            const double run = FlowGraph::is_diagonal(graph.way(here)) ? cell * std::sqrt(2.0) : cell;
            const float risen = float(double(below) + slope * run);
            ground[here] = std::max({before, risen, std::nextafter(below, upwards)});
        } else if (before <= below && below > graph.height(receiver)) {
            // What lay above the hollow would be below its ground now.
            ground[here] = std::nextafter(below, upwards);
        }
    }
    return ground.taken();
}

Field carved_hollows(const FlowGraph& graph) {
    Ground ground(heights_of(graph));
    for (uint32_t here : graph.upstream_first()) {
        if (graph.leaves(here)) continue;
        float& below = ground[graph.receiver(here)];
        below = std::min(below, ground[here]);
    }
    return ground.taken();
}

namespace {

class Breaching {
  public:
    Breaching(const FlowGraph& graph, const FlowRules& rules, double cell, const BreachLimits& limits)
        : graph_(graph),
          rules_(rules),
          cell_(cell),
          limits_(limits),
          heights_(heights_of(graph)),
          ground_(heights_),
          search_of_(graph.size(), 0),
          way_to_(graph.size(), 0) {}

    Field made(Progress& progress) {
        std::vector<std::pair<float, size_t>> pits;
        for (size_t i = 1; i < graph_.basins().size(); i++) {
            const size_t pit = graph_.basins()[i].pit;
            pits.emplace_back(graph_.height(pit), pit);
        }
        // The lowest first: others may end in the trench of one that is lower.
        std::ranges::sort(pits);
        for (const auto& [height, pit] : pits) {
            progress.check();
            dig_from(pit);
        }
        return ground_.taken();
    }

  private:
    struct Front {
        double dug = 0;  // metres, of all cells on the way
        double far = 0;  // metres from the pit
        size_t cell = 0;
        uint8_t way = 0;  // by which it was come to

        // The least comes first; of two that are as good, one is always the same.
        bool operator<(const Front& other) const {
            return std::tuple(dug, far, cell, way) > std::tuple(other.dug, other.far, other.cell, other.way);
        }
    };

    void dig_from(size_t pit) {
        const float level = ground_[pit];
        search_++;
        std::priority_queue<Front> fronts;
        fronts.push({0, 0, pit, FlowGraph::leaving});
        while (!fronts.empty()) {
            const Front front = fronts.top();
            fronts.pop();
            if (search_of_[front.cell] == search_) continue;
            search_of_[front.cell] = search_;
            way_to_[front.cell] = front.way;
            if (ground_[front.cell] < level || may_leave(heights_.rows(), graph_.rect(), rules_,
                                                         graph_.x_of(front.cell), graph_.y_of(front.cell))) {
                cut(pit, front.cell);
                return;
            }
            graph_.each_neighbour(front.cell, [&](size_t there, int way) {
                if (graph_.is_missing(there) || search_of_[there] == search_) return;
                const double deep = std::max(double(ground_[there]) - double(level), 0.0);
                const double far = front.far + (FlowGraph::is_diagonal(way) ? cell_ * std::sqrt(2.0) : cell_);
                if (limits_.deepest > 0 && deep > limits_.deepest) return;
                if (limits_.longest > 0 && far > limits_.longest) return;
                fronts.push({front.dug + deep, far, there, uint8_t(way)});
            });
        }
    }

    // A trench that falls evenly from the pit to its end.
    void cut(size_t pit, size_t end) {
        std::vector<size_t> trench;
        for (size_t cell = end;;) {
            trench.push_back(cell);
            if (cell == pit) break;
            const int back = FlowGraph::opposite(way_to_[cell]);
            cell = graph_.number(graph_.x_of(cell) + FlowGraph::dx[back],
                                 graph_.y_of(cell) + FlowGraph::dy[back]);
        }
        const double from = ground_[pit];
        const double to = std::min(double(ground_[end]), from);
        const double steps = std::max(double(trench.size()) - 1, 1.0);
        for (size_t i = 0; i < trench.size(); i++) {
            const float floor = float(to + (from - to) * (double(i) / steps));
            ground_[trench[i]] = std::min(ground_[trench[i]], floor);
        }
    }

    const FlowGraph& graph_;
    const FlowRules& rules_;
    double cell_;
    const BreachLimits& limits_;
    Field heights_;
    Ground ground_;
    // Of each cell the search that came to it last, and by which way.
    std::vector<uint32_t> search_of_;
    std::vector<uint8_t> way_to_;
    uint32_t search_ = 0;
};

}  // namespace

Field breached_hollows(const FlowGraph& graph, const FlowRules& rules, double cell,
                       const BreachLimits& limits, Progress& progress) {
    return Breaching(graph, rules, cell, limits).made(progress);
}

}  // namespace caprock
