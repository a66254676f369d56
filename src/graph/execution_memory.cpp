#include "graph/execution_memory.h"

#include "base/memory.h"
#include "graph/field_lives.h"
#include "operation/check.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

// Fields at one moment.
struct FieldCount {
    uint64_t bytes = 0;
    size_t fields = 0;

    void add(size_t more, uint64_t cells) {
        fields += more;
        bytes += more * cells * sizeof(float);
    }
};

struct StepMemory {
    FieldCount there;  // before anything was run
    FieldCount made;
};

class MemoryOfSteps {
  public:
    MemoryOfSteps(const Graph& graph, const std::optional<GridWindow>& window)
        : graph_(graph), window_(window), lives_(lives_in(graph)) {}

    Rect rect_on(const Grid& grid) const {
        return window_ && window_->grid == grid ? window_->rect : grid.extent;
    }
    StepMemory before_any() const {
        StepMemory memory;
        for (const std::string& name : graph_.top().names()) add(graph_.top().at(name), memory);
        return memory;
    }
    StepMemory at(const GraphStep& step) const {
        StepMemory memory;
        for (const auto& [place, life] : lives_.all()) {
            const NodeField field{place.first, place.second};
            const bool made = graph_.node(field.node).kind == Node::Kind::operation ? field.node < step.node
                                                                                    : life.first <= step.node;
            // What is resampled from something larger never has all of that in memory.
            if (made && life.last >= step.node && is_whole(field)) add(field, memory);
        }
        std::vector<std::string> names = step.before.names();
        const size_t before = names.size();
        const size_t count = check_operation(*graph_.node(step.node).operation, step.before.grid, names);
        // Of another size, all fields are new ones beside the old.
        const bool resized = step.after.grid != step.before.grid;
        memory.made.add(resized ? count : count - before, uint64_t(rect_on(step.after.grid).cells()));
        return memory;
    }

  private:
    bool is_whole(const NodeField& field) const {
        const Node& node = graph_.node(field.node);
        if (node.kind != Node::Kind::source) return node.kind != Node::Kind::halve;
        return node.source->in_memory() || contains_field(graph_.top(), field) ||
               std::ranges::any_of(graph_.steps(),
                                   [&](const GraphStep& step) { return contains_field(step.before, field); });
    }
    static bool contains_field(const Scope& scope, const NodeField& field) {
        return std::ranges::any_of(scope.names(),
                                   [&](const std::string& name) { return scope.at(name) == field; });
    }
    void add(const NodeField& field, StepMemory& memory) const {
        const Node& node = graph_.node(field.node);
        const bool there = node.kind == Node::Kind::source && node.source->in_memory();
        (there ? memory.there : memory.made).add(1, uint64_t(rect_on(node.grid).cells()));
    }

    const Graph& graph_;
    const std::optional<GridWindow>& window_;
    FieldLives lives_;
};

}  // namespace

uint64_t bytes_at_once(const Graph& graph) {
    const std::optional<GridWindow> all;
    const MemoryOfSteps steps(graph, all);
    auto bytes = [](const StepMemory& memory) { return memory.there.bytes + memory.made.bytes; };
    uint64_t most = bytes(steps.before_any());
    for (const GraphStep& step : graph.steps()) most = std::max(most, bytes(steps.at(step)));
    return most;
}

void check_memory(const Graph& graph, const std::optional<GridWindow>& window) {
    const MemoryOfSteps steps(graph, window);
    for (const GraphStep& step : graph.steps())
        named(step.operation->name(), [&] {
            const FieldCount made = steps.at(step).made;
            const Rect rect = steps.rect_on(step.after.grid);
            require_memory(made.bytes, fmt::format("{} x {} cells in {} fields", rect.width(), rect.height(),
                                                   made.fields));
        });
}

}  // namespace caprock
