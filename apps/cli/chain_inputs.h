// The second files of a chain, open as long as it runs.
#pragma once

#include "document_source.h"
#include "graph/chain_graph.h"
#include "operation/recipe.h"
#include "terminal.h"
#include "terrain/terrain_source.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace caprock::cli {

class ChainInputs {
  public:
    // Throws Error where a file cannot be read, or in another way than files are.
    ChainInputs(const Recipe& recipe, const DocumentReading& document, Terminal& terminal);

    // How the recipe hangs together, with these. `tell`: of what covers only a part of the terrain.
    ChainLinks links(const std::function<void(const std::string&)>& tell = {}) const;

  private:
    std::vector<RecipeStep> steps_;
    std::vector<std::unique_ptr<TerrainSource>> sources_;
    std::map<std::string, ChainStart> starts_;
};

}  // namespace caprock::cli
