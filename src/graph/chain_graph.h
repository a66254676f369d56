// A chain of operations as a graph, so that it can be computed region by region: of a terrain larger than memory, or where
// only a part is looked at.
#pragma once

#include "graph/graph.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

// What a chain begins with: a grid, and the fields that there are on it.
struct ChainStart {
    Grid grid;
    std::optional<Georeference> georeference;
    std::vector<std::pair<std::string, std::shared_ptr<const TileSource>>> fields;
};

// A terrain in memory. Its fields are shared, not copied.
ChainStart start_from(const Terrain& terrain);

// What it is for is what there is after the last operation. Throws Error where an operation cannot be run on what the others
// leave it.
Graph chain_graph(std::span<const std::unique_ptr<Operation>> chain, const ChainStart& start,
                  std::shared_ptr<TileStore> store);

// The nodes whose cells depend on all others: they cannot be computed region by region.
std::vector<const Node*> nodes_of_everything(const Graph& graph);

}  // namespace caprock
