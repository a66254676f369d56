// A chain that is computed while it is written, window by window: of terrains larger than memory.
#pragma once

#include "graph/chain_graph.h"
#include "graph/evaluator.h"
#include "terrain/terrain_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace caprock::cli {

class ChainSource : public TerrainSource {
  public:
    // `start` is what the chain begins with; null for one that begins with nothing but a grid. About `memory` bytes are taken.
    // Throws Error where an operation sees all of the terrain at once.
    ChainSource(std::unique_ptr<TerrainSource> start, const Grid& grid,
                std::span<const std::unique_ptr<Operation>> chain, const ChainLinks& links,
                RunContext& context, uint64_t memory);

    // Simulations whose steps reach too far for windows: they are run now, in files of that folder. The others when they are read.
    // `before` is told of each.
    void run_simulations(const std::string& folder, const std::function<void(const std::string&)>& before);

    Terrain shape() const override;
    std::vector<std::string> names() const override { return graph_.top().names(); }
    Terrain read(const Rect& window) override;
    Field read_field(const std::string& name, const Rect& window) override;

  private:
    std::unique_ptr<TerrainSource> start_;
    uint64_t memory_;
    Graph graph_;
    Evaluator evaluator_;
    // Files ask for rows of tiles; what is computed together is several of them high, so that halos are shared.
    std::string band_name_;
    Field band_;
};

}  // namespace caprock::cli
