// How much memory it takes to execute a graph, before any of it is taken.
#pragma once

#include "graph/graph.h"

#include <cstdint>
#include <optional>

namespace caprock {

// A part of a grid, where only that is there of it.
struct GridWindow {
    Grid grid;
    Rect rect;
};

// How many bytes of fields there are at once, at the most, those it begins with among them.
uint64_t bytes_at_once(const Graph& graph);
// Throws OutOfMemory where there is not so much, besides the cells that are there already.
void check_memory(const Graph& graph, const std::optional<GridWindow>& window = {});

}  // namespace caprock
