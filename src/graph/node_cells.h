// The cells of nodes that are no operations: what becomes of their input.
#pragma once

#include "graph/graph.h"

namespace caprock {

// Of a node that thins, halves, places or makes zeros, over a region of its grid. `input` covers the cells that Graph::needed
// says, or is empty where there are none.
Field cells_from(const Node& node, const Field& input, const Rect& region);

}  // namespace caprock
