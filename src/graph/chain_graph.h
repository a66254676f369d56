// A chain of operations as a graph, so that it can be computed region by region: of a terrain larger than memory, or where
// only a part is looked at.
#pragma once

#include "graph/graph.h"
#include "operation/recipe.h"
#include "terrain/terrain_source.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

// What a chain begins with, or takes on its way: a grid, and the fields that there are on it.
struct ChainStart {
    Grid grid;
    std::optional<Georeference> georeference;
    std::vector<std::pair<std::string, std::shared_ptr<const TileSource>>> fields;
    std::vector<std::pair<std::string, LineFile>> lines =
        {};                   // in metres of the grid, unless they are of a file
    bool only_lines = false;  // a file of them, which has no grid
};

// A terrain in memory. Its fields are shared, not copied.
ChainStart start_from(const Terrain& terrain);
// A file or whatever else is asked for window by window; the source must stay. Its keys are of this process alone: a file may be
// another tomorrow.
ChainStart start_from(TerrainSource& source);
// The terrain on the whole of its grid, for those who compute a window of it.
ChainStart whole_grid_from(const Terrain& terrain);

// How the operations of a recipe hang together, where that is not one after the other.
struct ChainLinks {
    std::vector<RecipeStep> steps = {};  // none: one after the other
    // By the names that steps have for them; those that numbers of operations are by, by input_name.
    std::map<std::string, ChainStart> inputs = {};
    std::function<void(const std::string&)> tell = {};  // of what covers only a part of the terrain
};

// What the file of a map is called among the inputs of a chain.
std::string input_name(const NumberMap& map);

// What it is for is what there is after the last step. What is taken from another grid is resampled onto the grid of whoever
// takes it: by their places on Earth where both have one, else by metres from the first cell. Throws Error where an operation
// cannot be run on what the others leave it.
Graph chain_graph(std::span<const std::unique_ptr<Operation>> chain, const ChainStart& start,
                  std::shared_ptr<TileStore> store, const ChainLinks& links = {},
                  Composites composites = Composites::apart);

// About how often a chain goes over its cells: for the choice of a device, since not all work is worth the way to a GPU.
int64_t chain_passes(std::span<const std::unique_ptr<Operation>> chain, const Grid& grid);

// The nodes whose cells depend on all others, also where they take steps: they cannot be computed part by part.
std::vector<const Node*> nodes_of_everything(const Graph& graph);

}  // namespace caprock
