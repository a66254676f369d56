// The second part of a flow graph: by which passes water leaves basins.
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "hydrology/flow_graph.h"

#include <bit>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace caprock {

// Heights in their order as whole numbers, and back. 0 and -0 are one height.
inline uint32_t ordered(float height) {
    const uint32_t bits = std::bit_cast<uint32_t>(height + 0.0f);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
inline float height_of(uint32_t ordered) {
    return std::bit_cast<float>(ordered & 0x80000000u ? ordered & 0x7fffffffu : ~ordered);
}

// Two cells side by side, of two basins, or one beside which water leaves the land. Passes have an order in which no two are
// equal: that of the higher cell, and then of the lower one.
struct Pass {
    uint32_t height = 0;  // of the higher cell, ordered
    uint32_t cell = 0;    // the higher one
    uint32_t lower = 0;   // height of the other one, ordered
    uint8_t place = 0;    // of the other cell among the neighbours, in the order of cells
    uint8_t way = 0;      // from the higher cell to the other, or FlowGraph::leaving
    uint32_t basin = 0;   // of the higher cell
    uint32_t beyond = 0;  // of the other

    auto key() const { return std::tuple(height, cell, lower, place); }
    bool operator<(const Pass& other) const { return key() < other.key(); }
};

// Of every two basins that touch, the lowest pass between them among others, the lowest first. 0 is the land's outside, and what
// drains there by itself. `labels` are the basins of cells.
std::vector<Pass> passes_between(const Field& height, const FlowRules& rules,
                                 std::span<const uint32_t> labels, Progress& progress);

// Sets of basins that have become one.
class JoinedBasins {
  public:
    explicit JoinedBasins(size_t count);
    uint32_t root(uint32_t basin);
    // The root of both from then on is that of `into`. False where they were one already.
    bool join(uint32_t basin, uint32_t into);

  private:
    std::vector<uint32_t> above_;
};

}  // namespace caprock
