// What a graph comes to, computed while somebody reads it, window by window: of terrains larger than memory.
#pragma once

#include "graph/evaluator.h"
#include "graph/graph.h"
#include "terrain/terrain_source.h"

#include <cstdint>
#include <string>
#include <vector>

namespace caprock {

class GraphSource : public TerrainSource {
  public:
    // About `memory` bytes are taken, half of them by the tiles of the graph's store. The context must stay.
    GraphSource(Graph graph, RunContext& context, uint64_t memory);
    GraphSource(const GraphSource&) = delete;
    GraphSource& operator=(const GraphSource&) = delete;

    const Graph& graph() const { return graph_; }
    Evaluator& evaluator() { return evaluator_; }

    // Throws Error where an operation sees all of the terrain at once, which would take `whole` bytes.
    void check_windows(uint64_t whole) const;
    // Simulations whose steps reach too far for windows: they are run now, in files of that folder. The others when they are
    // read.
    void run_simulations(const std::string& folder);

    // Windows have the coordinates of the graph's grid.
    Terrain shape() const override;
    std::vector<std::string> names() const override { return graph_.top().names(); }
    std::vector<std::string> line_names() const { return graph_.top().line_names(); }
    NamedLines lines() const override;
    Terrain read(const Rect& window) override;
    Field read_field(const std::string& name, const Rect& window) override;

  private:
    uint64_t memory_;
    Graph graph_;
    mutable Evaluator evaluator_;
    // Files ask for rows of tiles; what is computed together is several of them high, so that halos are shared.
    std::string band_name_;
    Field band_;
};

}  // namespace caprock
