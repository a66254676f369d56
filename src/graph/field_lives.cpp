#include "graph/field_lives.h"

#include <algorithm>

namespace caprock {

StepsByNode steps_by_node(const Graph& graph) {
    StepsByNode steps;
    for (const GraphStep& step : graph.steps()) steps[step.node] = &step;
    return steps;
}

void each_field_for(const Graph& graph, int node, const StepsByNode& steps,
                    const std::function<void(const NodeField&)>& action) {
    for (const NodeInput& input : graph.node(node).inputs) action(input.from);
    auto step = steps.find(node);
    if (step == steps.end()) return;
    for (const Scope* scope : {&step->second->before, &step->second->after})
        for (const std::string& name : scope->names())
            if (const NodeField& field = scope->at(name); field.node != node) action(field);
}

void each_operation_under(const Graph& graph, const NodeField& field,
                          const std::function<void(int node)>& action) {
    const Node& node = graph.node(field.node);
    if (node.kind == Node::Kind::operation) return action(field.node);
    for (const NodeInput& input : node.inputs) each_operation_under(graph, input.from, action);
}

void FieldLives::until(const Graph& graph, const NodeField& field, int when) {
    auto [place, fresh] = lives_.try_emplace({field.node, field.field}, Life{when, when});
    Life& life = place->second;
    life.first = std::min(life.first, when);
    life.last = std::max(life.last, when);
    const Node& node = graph.node(field.node);
    if (node.kind == Node::Kind::operation) return;
    for (const NodeInput& input : node.inputs) until(graph, input.from, when);
}

int FieldLives::last_use(const NodeField& field) const {
    auto found = lives_.find({field.node, field.field});
    return found == lives_.end() ? -1 : found->second.last;
}

FieldLives lives_in(const Graph& graph) {
    FieldLives lives;
    const StepsByNode steps = steps_by_node(graph);
    for (int node = 0; node < int(graph.nodes().size()); node++)
        if (graph.node(node).kind == Node::Kind::operation)
            each_field_for(graph, node, steps,
                           [&](const NodeField& field) { lives.until(graph, field, node); });
    for (const std::string& name : graph.top().names()) lives.until(graph, graph.top().at(name), at_the_end);
    return lives;
}

}  // namespace caprock
