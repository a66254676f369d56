#include "hydrology/flow_graph.h"

#include "base/memory.h"
#include "hydrology/basins.h"
#include "hydrology/local_ways.h"
#include "hydrology/rounds.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace caprock {

namespace {

constexpr uint32_t no_basin = std::numeric_limits<uint32_t>::max();

// The basins of all cells: those of the cells that their ways lead to. Whoever comes to a cell first says it; others say the
// same.
std::vector<uint32_t> basins_of_cells(std::span<const uint8_t> ways, std::span<const uint32_t> pits,
                                      const ptrdiff_t* offsets, Progress& progress) {
    std::vector<uint32_t> labels(ways.size(), no_basin);
    for (size_t i = 0; i < pits.size(); i++) labels[pits[i]] = uint32_t(i + 1);
    in_rounds(ways.size(), [&](size_t first, size_t last) {
        std::vector<size_t> path;
        for (size_t start = first; start < last; start++) {
            size_t cell = start;
            uint32_t label;
            while ((label = std::atomic_ref(labels[cell]).load(std::memory_order_relaxed)) == no_basin) {
                path.push_back(cell);
                if (ways[cell] >= FlowGraph::leaving) {
                    label = 0;
                    break;
                }
                cell = size_t(ptrdiff_t(cell) + offsets[ways[cell]]);
            }
            for (size_t passed : path)
                std::atomic_ref(labels[passed]).store(label, std::memory_order_relaxed);
            path.clear();
        }
        progress.advance(int64_t(last - first));
    });
    return labels;
}

}  // namespace

uint64_t FlowGraph::bytes_of(const Rect& rect) {
    // A way and a label for each cell; donors and amounts for whoever asks for areas; passes while basins are joined.
    return uint64_t(rect.cells()) * (1 + 4 + 1 + 4 + 4);
}

FlowGraph::FlowGraph(const Field& height, const FlowRules& rules, Progress& progress)
    : rect_(height.rect()), width_(rect_.width()), held_(height), rows_(held_.rows()) {
    require_memory(bytes_of(rect_), "drainage");
    for (int way = 0; way < 8; way++) offsets_[way] = ptrdiff_t(dy[way]) * width_ + dx[way];
    offsets_[leaving] = 0;
    LocalWays local = local_ways(held_, rules, progress);
    ways_ = std::move(local.ways);
    labels_ = basins_of_cells(ways_, local.pits, offsets_, progress);
    basins_.resize(local.pits.size() + 1);
    basins_[0].level = -std::numeric_limits<float>::infinity();
    for (size_t i = 0; i < local.pits.size(); i++) basins_[i + 1].pit = local.pits[i];
    join_basins(held_, rules, progress);
}

void FlowGraph::join_basins(const Field& field, const FlowRules& rules, Progress& progress) {
    const std::vector<Pass> passes = passes_between(field, rules, labels_, progress);
    JoinedBasins joined(basins_.size());
    std::vector<Pass> tree;
    tree.reserve(basins_.size());
    for (const Pass& pass : passes)
        if (joined.join(pass.basin, pass.beyond)) tree.push_back(pass);
    // Land that missing cells wall in has no outside: what comes to its lowest pit stays there.
    std::vector<uint32_t> lowest(basins_.size(), 0);
    for (uint32_t i = 1; i < basins_.size(); i++) {
        const uint32_t root = joined.root(i);
        if (root == joined.root(0)) continue;
        const auto below = [&](uint32_t a, uint32_t b) {
            return std::pair(height(basins_[a].pit), basins_[a].pit) <
                   std::pair(height(basins_[b].pit), basins_[b].pit);
        };
        if (lowest[root] == 0 || below(i, lowest[root])) lowest[root] = i;
    }
    for (uint32_t i : lowest) {
        if (i == 0) continue;
        const size_t pit = basins_[i].pit;
        tree.push_back({ordered(height(pit)), uint32_t(pit), 0, 8, uint8_t(leaving), i, 0});
    }
    // From the outside inwards: of each basin the pass that leads there, and how high water rises that has to take it.
    std::vector<uint32_t> first(basins_.size() + 1, 0);
    for (const Pass& pass : tree) {
        first[pass.basin + 1]++;
        first[pass.beyond + 1]++;
    }
    for (size_t i = 1; i < first.size(); i++) first[i] += first[i - 1];
    std::vector<uint32_t> at(first.begin(), first.end() - 1);
    std::vector<uint32_t> touching(2 * tree.size());
    for (uint32_t i = 0; i < tree.size(); i++) {
        touching[at[tree[i].basin]++] = i;
        touching[at[tree[i].beyond]++] = i;
    }
    std::vector<uint8_t> way_out(basins_.size(), uint8_t(nowhere));
    std::vector<uint32_t> reached{0};
    for (size_t i = 0; i < reached.size(); i++) {
        const uint32_t into = reached[i];
        for (uint32_t k = first[into]; k < first[into + 1]; k++) {
            const Pass& pass = tree[touching[k]];
            const uint32_t from = pass.basin == into ? pass.beyond : pass.basin;
            if (from == 0 || way_out[from] != nowhere) continue;
            Basin& basin = basins_[from];
            basin.into = into;
            basin.level = std::max(basins_[into].level, height_of(pass.height));
            if (pass.basin == from) {
                basin.pass = pass.cell;
                way_out[from] = pass.way;
            } else {
                basin.pass = size_t(ptrdiff_t(pass.cell) + offsets_[pass.way]);
                way_out[from] = uint8_t(opposite(pass.way));
            }
            reached.push_back(from);
        }
    }
    // The way from the pass down to the pit is turned around.
    in_parallel(basins_.size(), [&](size_t i) {
        if (i == 0) return;
        size_t cell = basins_[i].pass;
        uint8_t way = way_out[i];
        while (true) {
            const uint8_t before = std::exchange(ways_[cell], way);
            if (cell == basins_[i].pit) break;
            cell = size_t(ptrdiff_t(cell) + offsets_[before]);
            way = uint8_t(opposite(before));
        }
    });
    progress.advance(rect_.cells());
}

float FlowGraph::level(size_t cell) const {
    // A missing cell is neither higher nor lower than anything.
    const float here = height(cell);
    const float full = basins_[labels_[cell]].level;
    return here < full ? full : here;
}

Field FlowGraph::filled() const {
    Field result(rect_);
    const Field::WritableRows to = result.writable_rows();
    in_parallel(size_t(rect_.height()), [&](size_t row) {
        const int y = rect_.top + int(row);
        const float* from = rows_[y];
        const uint32_t* labels = labels_.data() + row * size_t(width_);
        float* into = to[y];
        for (int x = 0; x < width_; x++) {
            const float full = basins_[labels[x]].level;
            into[x] = from[x] < full ? full : from[x];
        }
    });
    return result;
}

// ---- what comes down ---------------------------------------------------------------------------------------

std::vector<uint8_t> FlowGraph::donors() const {
    std::vector<uint8_t> counts(ways_.size(), 0);
    in_parallel(size_t(rect_.height()), [&](size_t row) {
        uint8_t* count = counts.data() + row * size_t(width_);
        for (int way = 0; way < 8; way++) {
            const int v = int(row) + dy[way];
            if (v < 0 || v >= rect_.height()) continue;
            const uint8_t* there = ways_.data() + size_t(v) * size_t(width_);
            const uint8_t back = uint8_t(opposite(way));
            const int first = std::max(0, -dx[way]);
            const int last = std::min(width_, width_ - dx[way]);
            for (int x = first; x < last; x++) count[x] = uint8_t(count[x] + (there[x + dx[way]] == back));
        }
        for (int x = 0; x < width_; x++) count[x] = count[x] == 0 ? source : count[x];
    });
    return counts;
}

// From every cell that nothing drains to down to the first at which something else is still on its way. The last to come
// there goes on. Amounts are whole, so that it does not matter who that is.
template <typename Amount>
void FlowGraph::sum_up(std::vector<Amount>& amounts, Progress& progress) const {
    std::vector<uint8_t> counts = donors();
    in_rounds(size(), [&](size_t first, size_t last) {
        for (size_t start = first; start < last; start++) {
            // It stays what it is: nobody comes there to count it down.
            if (std::atomic_ref(counts[start]).load(std::memory_order_relaxed) != source) continue;
            if (ways_[start] == nowhere) continue;
            size_t cell = start;
            while (ways_[cell] < leaving) {
                const Amount amount = std::atomic_ref(amounts[cell]).load(std::memory_order_relaxed);
                cell = receiver(cell);
                std::atomic_ref(amounts[cell]).fetch_add(amount, std::memory_order_relaxed);
                if (std::atomic_ref(counts[cell]).fetch_sub(1, std::memory_order_acq_rel) != 1) break;
            }
        }
        progress.advance(int64_t(last - first));
    });
}

void FlowGraph::accumulate(std::vector<uint32_t>& amounts, Progress& progress) const {
    sum_up(amounts, progress);
}

void FlowGraph::accumulate(std::vector<uint64_t>& amounts, Progress& progress) const {
    sum_up(amounts, progress);
}

std::vector<uint32_t> FlowGraph::areas(Progress& progress) const {
    std::vector<uint32_t> result(size());
    for (size_t i = 0; i < size(); i++) result[i] = ways_[i] != nowhere;
    sum_up(result, progress);
    return result;
}

std::vector<uint32_t> FlowGraph::upstream_first() const {
    std::vector<uint8_t> counts = donors();
    std::vector<uint32_t> order;
    order.reserve(size());
    for (size_t start = 0; start < size(); start++) {
        if (counts[start] != source || ways_[start] == nowhere) continue;
        size_t cell = start;
        order.push_back(uint32_t(cell));
        while (ways_[cell] < leaving) {
            cell = receiver(cell);
            if (--counts[cell] != 0) break;
            order.push_back(uint32_t(cell));
        }
    }
    return order;
}

}  // namespace caprock
