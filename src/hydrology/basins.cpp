#include "hydrology/basins.h"

#include "hydrology/local_ways.h"
#include "hydrology/rounds.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#ifndef __SANITIZE_THREAD__
#include <tbb/parallel_sort.h>
#endif

namespace caprock {

namespace {

// Places of the neighbours in the order of their numbers.
constexpr uint8_t place_of_way[9] = {1, 2, 4, 7, 6, 5, 3, 0, 8};

void sort_passes(std::vector<Pass>& passes) {
#ifndef __SANITIZE_THREAD__
    tbb::parallel_sort(passes.begin(), passes.end());
#else
    std::ranges::sort(passes);
#endif
}

// Passes between the same two basins come one soon after the other: of those, the lowest is kept. What is pushed out is kept
// too, so that nothing depends on how much there is room for.
class LowestPasses {
  public:
    LowestPasses() : recent_(slots) {}

    void add(const Pass& pass) {
        const uint32_t low = std::min(pass.basin, pass.beyond);
        const uint32_t high = std::max(pass.basin, pass.beyond);
        Slot& slot = recent_[(low * 0x9e3779b9u ^ high * 0x85ebca6bu) >> (32 - bits)];
        if (slot.taken && slot.low == low && slot.high == high) {
            if (pass < slot.pass) slot.pass = pass;
            return;
        }
        if (slot.taken) found_.push_back(slot.pass);
        slot = {pass, low, high, true};
    }

    std::vector<Pass> all() {
        for (const Slot& slot : recent_)
            if (slot.taken) found_.push_back(slot.pass);
        return std::move(found_);
    }

  private:
    static constexpr int bits = 12;
    static constexpr size_t slots = size_t(1) << bits;
    struct Slot {
        Pass pass;
        uint32_t low = 0;
        uint32_t high = 0;
        bool taken = false;
    };
    std::vector<Slot> recent_;
    std::vector<Pass> found_;
};

}  // namespace

std::vector<Pass> passes_between(const Field& height, const FlowRules& rules,
                                 std::span<const uint32_t> labels, Progress& progress) {
    const Rect& rect = height.rect();
    const size_t width = size_t(rect.width());
    const Field::Rows rows = height.rows();
    std::vector<std::vector<Pass>> found(bands_of(rect));
    auto between = [&](LowestPasses& lowest, int x, int y, int way) {
        const int u = x + FlowGraph::dx[way];
        const int v = y + FlowGraph::dy[way];
        const size_t here = size_t(y - rect.top) * width + size_t(x - rect.left);
        const size_t there = size_t(v - rect.top) * width + size_t(u - rect.left);
        const float height_here = rows[y][x - rect.left];
        const float height_there = rows[v][u - rect.left];
        if (is_missing(height_here) || is_missing(height_there)) return;
        const uint32_t mine = ordered(height_here);
        const uint32_t theirs = ordered(height_there);
        Pass pass;
        // The one with the greater number is the higher of two of one height; `there` lies behind `here`.
        if (mine > theirs) {
            pass = {mine,         uint32_t(here), theirs,       place_of_way[way],
                    uint8_t(way), labels[here],   labels[there]};
        } else {
            const int back = FlowGraph::opposite(way);
            pass = {theirs,        uint32_t(there), mine,        place_of_way[back],
                    uint8_t(back), labels[there],   labels[here]};
        }
        lowest.add(pass);
    };
    in_bands(rect, [&](size_t band, int top, int bottom) {
        LowestPasses lowest;
        for (int y = top; y < bottom; y++) {
            const uint32_t* here = labels.data() + size_t(y - rect.top) * width;
            const uint32_t* below = y + 1 < rect.bottom ? here + width : nullptr;
            const bool edge = y == rect.top || y + 1 == rect.bottom;
            for (int x = rect.left; x < rect.right; x++) {
                const size_t i = size_t(x - rect.left);
                const uint32_t label = here[i];
                if (x + 1 < rect.right) {
                    if (here[i + 1] != label) between(lowest, x, y, 2);
                    if (below && below[i + 1] != label) between(lowest, x, y, 3);
                }
                if (below) {
                    if (below[i] != label) between(lowest, x, y, 4);
                    if (x > rect.left && below[i - 1] != label) between(lowest, x, y, 5);
                }
                // Water leaves at the border, whatever lies within; beside missing cells it may.
                const float height_here = rows[y][x - rect.left];
                if (label == 0 || is_missing(height_here)) continue;
                if (edge || x == rect.left || x + 1 == rect.right ||
                    (rules.leaves_at_missing && may_leave(rows, rect, rules, x, y)))
                    lowest.add({ordered(height_here), uint32_t(size_t(y - rect.top) * width + i), 0, 8,
                                uint8_t(FlowGraph::leaving), label, 0});
            }
        }
        found[band] = lowest.all();
        progress.advance(int64_t(bottom - top) * rect.width());
    });
    std::vector<Pass> passes;
    size_t count = 0;
    for (const std::vector<Pass>& some : found) count += some.size();
    passes.reserve(count);
    for (const std::vector<Pass>& some : found) passes.insert(passes.end(), some.begin(), some.end());
    sort_passes(passes);
    return passes;
}

JoinedBasins::JoinedBasins(size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), 0u); }

uint32_t JoinedBasins::root(uint32_t basin) {
    while (above_[basin] != basin) {
        above_[basin] = above_[above_[basin]];
        basin = above_[basin];
    }
    return basin;
}

bool JoinedBasins::join(uint32_t basin, uint32_t into) {
    const uint32_t a = root(basin);
    const uint32_t b = root(into);
    if (a == b) return false;
    above_[a] = b;
    return true;
}

}  // namespace caprock
