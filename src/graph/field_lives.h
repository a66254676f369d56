// How long fields are needed while a graph is executed, one operation after the other.
#pragma once

#include "graph/graph.h"

#include <climits>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace caprock {

// After the last operation: what the graph is for.
constexpr int at_the_end = INT_MAX;

// Of nodes, by their numbers.
using StepsByNode = std::map<int, const GraphStep*>;
StepsByNode steps_by_node(const Graph& graph);

// Whatever has to be there when an operation runs: what it reads, and what else there is where it stands, before and after.
void each_field_for(const Graph& graph, int node, const StepsByNode& steps,
                    const std::function<void(const NodeField&)>& action);

// The operation that makes the field; or those whose fields are resampled for it.
void each_operation_under(const Graph& graph, const NodeField& field,
                          const std::function<void(int node)>& action);

class FieldLives {
  public:
    // The field, and those that it is resampled from, are needed when the operation of that node runs.
    void until(const Graph& graph, const NodeField& field, int node);
    // -1 where nobody needs it.
    int last_use(const NodeField& field) const;

    struct Life {
        int first = 0;
        int last = 0;
    };
    const std::map<std::pair<int, std::string>, Life>& all() const { return lives_; }

  private:
    std::map<std::pair<int, std::string>, Life> lives_;
};

// Of a graph of which every operation is run.
FieldLives lives_in(const Graph& graph);

}  // namespace caprock
