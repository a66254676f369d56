// What a document comes to: its window as a terrain of its own, whose first cell is (0, 0). It is computed block by block,
// whenever somebody asks.
#pragma once

#include "document/plan.h"
#include "graph/evaluator.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace caprock {

class Document;

// What is computed together, each way: halos are shared, and memory does not notice. Blocks lie at multiples of it in the grid of
// the document.
constexpr int document_block_side = Evaluator::most_tiles_together * tile_side;
int document_block_below(int cell);

// All of a document's grid, and where that lies; no fields.
Terrain shape_of(const DocumentState& state);

class DocumentTerrain {
  public:
    // The document must stay. At level n every 2^n-th cell each way.
    DocumentTerrain(Document& document, RunContext& context, int level = 0);

    // Grid and place, no fields.
    Terrain shape() const;
    const std::vector<std::string>& names() const { return names_; }
    // Throws Error where the document makes no such field, naming those there are.
    void keep_only(const std::vector<std::string>& names);
    // Of layers that cannot be computed.
    void tell_problems(const std::function<void(const std::string&)>& tell) const;

    // `done` is told the cells of each block that was computed.
    using Done = std::function<void(int64_t cells)>;
    Terrain read(const Rect& window, const std::vector<std::string>& names, const Done& done = {});
    // The first block of all, with whatever has to be computed of everything.
    void begin();
    // Line sets, its own and those that its layers make, from the window's first cell.
    NamedLines lines();

    const Plan& plan() const { return plan_; }
    Evaluator& evaluator() { return evaluator_; }

  private:
    Plan plan_;
    Evaluator evaluator_;
    std::vector<std::string> names_;
};

}  // namespace caprock
