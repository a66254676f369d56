// Computes what a plan asks for: a region, only from what that region needs, only where it is not known already.
// Results are kept in tiles, in the memory of the document's store; those that took long go to the project file as well.
//
// The cells are those of evaluating everything and cropping, bit for bit.
#pragma once

#include "document/plan.h"
#include "operation/run_context.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

class Evaluator {
  public:
    // The context's device computes; its progress shows the operations that take long, one after the other, and cancels.
    explicit Evaluator(RunContext& context) : context_(context) {}

    // Fields after a node (the top one for the document itself). The region lies inside the grid of the plan.
    Terrain evaluate(const Plan& plan, int node, const std::vector<std::string>& fields, const Rect& region);
    Terrain evaluate(const Plan& plan, const Rect& region) {
        return evaluate(plan, plan.top(), plan.fields(), region);
    }

    // Told before an operation of a layer is run that takes long as a rule: a simulation, or one that sees everything.
    std::function<void(const std::string& title)> before;

    // How many tiles each layer has had computed since the last clear: for tests, and for those who wonder.
    const std::map<int, int64_t>& computed_tiles() const { return computed_; }
    int64_t operations_run() const { return operations_run_; }
    void clear_counts();

  private:
    using Names = std::vector<std::string>;
    // Fields that a node makes itself.
    void made(const Plan& plan, int node, const Names& fields, Terrain& into);
    void from_tiles(const Plan& plan, int node, const Names& fields, Terrain& into);
    Terrain computed(const Plan& plan, int node, const Rect& region);
    Terrain run_operation(const Plan& plan, const PlanNode& node, const Rect& region);
    enum class Watching { no, yes };
    Terrain run_one(const Operation& operation, const Terrain& input, Watching watching);
    Terrain blended(const Plan& plan, const PlanNode& node, const Rect& region);
    Field from_source(const Plan& plan, const PlanNode& node, const Rect& region);
    bool known(const Plan& plan, int node, const std::string& field, const TileIndex& tile, Field& cells);
    void keep(const Plan& plan, int node, const Terrain& result, double seconds);

    RunContext& context_;
    std::map<int, int64_t> computed_;
    int64_t operations_run_ = 0;
    // What sees everything, by the key of its first tile, where there is no file to remember it: in little memory it would
    // be computed again for every region. The last ones.
    std::deque<std::pair<ContentKey, Terrain>> wholes_;
    double seconds_ = 0;  // that the node computed last took by itself
};

}  // namespace caprock
