// Computes what a graph asks for: a region, only from what that region needs, only where it is not known already.
// Results are kept in tiles, in the memory of the graph's store; those that took long go beyond it as well.
//
// The cells are those of evaluating everything and cropping, bit for bit.
#pragma once

#include "graph/graph.h"
#include "operation/paged_simulation.h"
#include "operation/run_context.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

class Evaluator {
  public:
    // The context's device computes; its progress shows the operations that take long, one after the other, and cancels.
    explicit Evaluator(RunContext& context) : context_(context) {}

    // Fields that there are at one place of the graph. The region lies inside its grid.
    Terrain evaluate(const Graph& graph, const Scope& scope, const std::vector<std::string>& fields,
                     const Rect& region);
    // What the graph is for.
    Terrain evaluate(const Graph& graph, const Rect& region) {
        return evaluate(graph, graph.top(), graph.top().names(), region);
    }

    Field field(const Graph& graph, const NodeField& wanted, const Rect& region);

    // Lines that there are at one place of the graph. Throws Error where there are none of that name.
    LineSet lines(const Graph& graph, const Scope& scope, const std::string& name);

    // Tiles are computed together, in blocks of so many each way: halos are shared, and memory does not notice. Where there is
    // little of it, of fewer.
    static constexpr int most_tiles_together = 8;
    void compute_together(int tiles) { tiles_together_ = tiles; }

    // Simulations of this graph whose steps reach farther than a part of what is computed together are run now, page by page, and
    // their results stay in files. Others of it are then computed region by region as ever. For a graph that stays while the
    // evaluator does.
    void run_in_pages(const Graph& graph, const Paging& paging);
    // Whether that is how it would be run, where so many tiles each way are computed together.
    static bool is_for_pages(const Node& node, int tiles_together) {
        return node.in_pages && (!node.halo || *node.halo > tiles_together * tile_side / 4);
    }

    // Told before an operation is run that takes long as a rule: a simulation, or one that sees everything.
    std::function<void(const std::string& title)> before;

    // The simulation that is being run; null: none is.
    const Node* simulating() const { return simulating_; }

    // How many tiles were computed for each owner since the last clear: for tests, and for those who wonder.
    const std::map<int, int64_t>& computed_tiles() const { return computed_; }
    int64_t operations_run() const { return operations_run_; }
    void clear_counts();

  private:
    using Names = std::vector<std::string>;
    // Those of one node are computed together.
    std::vector<Field> fields(const Graph& graph, const std::vector<NodeField>& wanted, const Rect& region);
    // Fields that a node makes itself.
    void made(const Graph& graph, int node, const Names& names, Terrain& into);
    void from_tiles(const Graph& graph, int node, const Names& names, Terrain& into);
    Terrain computed(const Graph& graph, int node, const Rect& region);
    Terrain run_operation(const Graph& graph, int node, const Rect& region);
    Terrain input_of(const Graph& graph, const Node& node, const Rect& region);
    LineSet lines_from(const Graph& graph, const LinesFrom& from);
    void keep_lines(const Graph& graph, int node, const Terrain& made);
    // The numbers that a node needs of all cells of its inputs.
    const FoldedCells& folded(const Graph& graph, int node);
    void run_pages(int node);
    // Many small runs show nothing of themselves; to cancel one is to cancel all.
    template <typename Action>
    void unseen(const Action& action);
    Field from_input(const Graph& graph, const Node& node, const Rect& region);
    bool known(const Graph& graph, const NodeField& field, const TileIndex& tile, Field& cells);
    void keep(const Graph& graph, int node, const Terrain& result, double seconds);

    RunContext& context_;
    std::map<int, std::unique_ptr<PagedSimulation>> pages_;  // by node
    std::map<int, std::string> titles_;                      // of those
    int tiles_together_ = most_tiles_together;
    std::map<int, int64_t> computed_;
    int64_t operations_run_ = 0;
    // What sees everything, by the key of its first tile, where the store remembers nothing: in little memory it would
    // be computed again for every region. The last ones.
    std::deque<std::pair<ContentKey, Terrain>> wholes_;
    // Numbers of everything, by the same keys. The last ones.
    std::deque<std::pair<ContentKey, FoldedCells>> folded_;
    // Lines that nodes made, by their keys. The last ones.
    std::deque<std::pair<ContentKey, Terrain>> lines_;
    const Node* simulating_ = nullptr;
    double seconds_ = 0;  // that the node computed last took by itself
};

}  // namespace caprock
