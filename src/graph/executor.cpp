#include "graph/executor.h"

#include "base/error.h"
#include "base/memory.h"
#include "graph/chain_graph.h"
#include "graph/copy_cells.h"
#include "graph/field_lives.h"
#include "graph/node_cells.h"
#include "operation/check.h"
#include "operation/checkpoint.h"
#include "operation/evaluate.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace caprock {

namespace {

// What comes from files is read and resampled in pieces of no more cells than this.
constexpr int64_t most_cells_of_source = int64_t(1) << 24;

// Errors name the same operations as where those had run their parts themselves.
template <typename Action>
auto named_within(std::span<const std::string> operations, const Action& action) {
    if (operations.empty()) return action();
    return named(operations.front(), [&] { return named_within(operations.subspan(1), action); });
}

// When a device fails for good, what was only in its memory is given up, and all is run again on the CPU.
// `give_up` says whether there was any such thing from earlier runs.
template <typename RunAll, typename GiveUp>
Terrain run_and_if_need_be_again(RunContext& context, const RunAll& run_all, const GiveUp& give_up) {
    bool elsewhere = !context.device->is_cpu();
    try {
        return run_all();
    } catch (const DeviceError& error) {
        bool gone = give_up();
        if (!elsewhere && !gone) throw;  // what there is to begin with is out of reach
        // What earlier operations made is gone with the device; what they began with is not.
        if (!context.device->is_cpu()) fall_back(context, error.what());
    }
    return run_all();
}

}  // namespace

// ---- one run ---------------------------------------------------------------------------------------------

class Executor::Run {
  public:
    Run(Executor& executor, const Graph& graph, const std::optional<GridWindow>& window, RunContext& context,
        const ChainListener& listener)
        : executor_(executor),
          graph_(graph),
          window_(window),
          context_(context),
          listener_(listener),
          steps_(steps_by_node(graph)) {
        if (executor.memory_) keys_ = executor.keys_of(graph, window);
    }

    void drop_what_has_changed() {
        if (!memory()) return;
        std::set<ContentKey> ours(keys_.begin(), keys_.end());
        auto is_new = [&](int node) { return is_operation(node) && !memory()->knows(key(node)); };
        bool changed = executor_.begins_anew_;
        for (int node = 0; node < node_count(); node++) changed |= is_new(node);
        // A chain that only became shorter may become longer again.
        if (!changed) return;
        memory()->forget_but(ours);
        std::erase_if(executor_.lines_, [&](const auto& entry) { return !ours.contains(entry.first); });
    }

    Terrain all() {
        decide();
        resume();
        // What does not compile is known before the first operation has run for an hour.
        for (int node : to_run_) graph_.node(node).operation->prepare(*context_.device);
        for (int node : to_run_) {
            const std::shared_ptr<Device> device = context_.device;
            executor_.making_room([&] { run_node(node); });
            // It may have failed without anybody missing what it had.
            if (context_.device != device && memory()) memory()->drop_what_only_devices_have();
            let_go(node);
        }
        Terrain result = terrain_of(graph_.top());
        if (context_.fetch)
            for (const std::string& name : result.names()) result.field(name).rows();
        return result;
    }

  private:
    ResultMemory* memory() { return executor_.memory_ ? &*executor_.memory_ : nullptr; }
    int node_count() const { return int(graph_.nodes().size()); }
    bool is_operation(int node) const { return graph_.node(node).kind == Node::Kind::operation; }
    const ContentKey& key(int node) const { return keys_[size_t(node)]; }
    const MadeFields* remembered(int node) { return memory() ? memory()->find(key(node)) : nullptr; }

    // ---- what is to be done ----
    void decide() {
        to_run_.clear();
        values_.clear();
        lines_.clear();
        lives_ = FieldLives();
        for (const std::string& name : graph_.top().names()) need(graph_.top().at(name), at_the_end);
        // What somebody asked for is run although another step may have written over what it made.
        for (int node = node_count() - 1; node >= 0; node--) {
            bool done_before = memory() && memory()->knows(key(node));
            if (done_before && !graph_.node(node).makes_lines.empty()) {
                auto known = executor_.lines_.find(key(node));
                done_before = known != executor_.lines_.end();
                if (done_before) lines_[node] = known->second;
            }
            if (is_operation(node) && !done_before) to_run_.insert(node);
        }
        // From the last to the first, since what one needs lies before it.
        for (int node = node_count() - 1; node >= 0; node--)
            if (to_run_.contains(node)) need_for(node);
        int operations = 0;
        for (int node = 0; node < node_count(); node++) operations += is_operation(node);
        executor_.steps_kept_ = operations - int(to_run_.size());
    }
    // What was run before a program was stopped, and is in its checkpoint.
    void resume() {
        if (!context_.checkpoint) return;
        for (const Node& node : graph_.nodes())
            if (!node.makes_lines.empty())
                throw Error(
                    fmt::format("{}: lines are not kept in a checkpoint; make them in a run of their own",
                                node.operation->name()));
        if (!context_.checkpoint->found()) return;
        const int first = *context_.checkpoint->found();
        to_run_.erase(to_run_.begin(), to_run_.lower_bound(first));
        for (const Checkpoint::Cells& cells : context_.checkpoint->fields()) {
            const size_t slash = cells.name.find('/');
            values_[std::stoi(cells.name)].emplace_back(cells.name.substr(slash + 1), cells.all());
        }
    }
    // What operations have made that is still needed, under names by which resume() knows it.
    Checkpoint::Fields made_so_far() const {
        Checkpoint::Fields fields;
        for (const auto& [node, made] : values_)
            for (const auto& [name, field] : made)
                if (is_operation(node))
                    fields.push_back(Checkpoint::Cells::of(fmt::format("{}/{}", node, name), field));
        return fields;
    }
    Terrain run_with_checkpoint(int index, const Terrain& before) {
        const Node& node = graph_.node(index);
        const CheckpointAside aside(context_);
        if (!aside.checkpoint() || !node.in_steps) return caprock::run(*node.operation, before, context_);
        aside.checkpoint()->begin(index, made_so_far(), before.rect().cells(), node.makes.size());
        context_.checkpoint = aside.checkpoint();
        Terrain after = caprock::run(*node.operation, before, context_);
        aside.checkpoint()->end();
        return after;
    }

    void need_for(int node) {
        each_field_for(graph_, node, steps_, [&](const NodeField& field) { need(field, node); });
    }
    void need(const NodeField& field, int when) {
        lives_.until(graph_, field, when);
        each_operation_under(graph_, field, [&](int node) {
            if (const MadeFields* made = remembered(node)) {
                values_.emplace(node, *made);
            } else {
                to_run_.insert(node);
            }
        });
    }

    // ---- doing it ----
    void run_node(int index) {
        const Node& node = graph_.node(index);
        auto found = steps_.find(index);
        const GraphStep* step = found == steps_.end() ? nullptr : found->second;
        if (step && listener_.before) listener_.before(*step->operation);
        double seconds = 0;
        MadeFields made;
        {
            const Terrain before = step ? terrain_of(step->before) : inputs_of(node);
            auto began = std::chrono::steady_clock::now();
            const std::span<const std::string> within =
                step ? std::span<const std::string>(step->within) : std::span<const std::string>();
            const Terrain after = named_within(within, [&] { return run_with_checkpoint(index, before); });
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
            for (const std::string& name : node.makes)
                if (const Field* field = after.find(name)) made.emplace_back(name, *field);
            for (const std::string& name : node.makes_lines)
                if (const LineSet* lines = after.find_lines(name)) lines_[index][name] = *lines;
        }
        if (memory() && !node.makes_lines.empty()) executor_.lines_[key(index)] = lines_[index];
        values_[index] = made;
        if (step && listener_.after) listener_.after(*step->operation, terrain_of(step->after), seconds);
        executor_.steps_run_++;
        if (memory()) memory()->keep(key(index), made_of(index), seconds, std::move(made));
    }
    std::vector<ContentKey> made_of(int node) const {
        std::vector<ContentKey> keys;
        for (const NodeInput& input : graph_.node(node).inputs)
            each_operation_under(graph_, input.from, [&](int other) { keys.push_back(key(other)); });
        return keys;
    }
    void let_go(int done) {
        for (auto value = values_.begin(); value != values_.end();) {
            std::erase_if(value->second, [&](const auto& entry) {
                return lives_.last_use({value->first, entry.first}) <= done;
            });
            value = value->second.empty() ? values_.erase(value) : std::next(value);
        }
    }

    // ---- fields ----
    Rect rect_on(const Grid& grid) const {
        return window_ && window_->grid == grid ? window_->rect : grid.extent;
    }
    Terrain terrain_of(const Scope& scope) {
        std::vector<std::pair<std::string, Field>> fields;
        for (const std::string& name : scope.names())
            if (const Field* field = value(scope.at(name), scope.grid)) fields.emplace_back(name, *field);
        Terrain terrain(scope.grid, fields.empty() ? rect_on(scope.grid) : fields.front().second.rect());
        for (auto& [name, field] : fields) terrain.set(name, std::move(field));
        for (const std::string& name : scope.line_names())
            if (std::optional<LineSet> lines = lines_from(*scope.find_lines(name)))
                terrain.set_lines(name, std::move(*lines));
        if (scope.georeference) terrain.set_georeference(*scope.georeference);
        return terrain;
    }
    // Nothing where an operation has not made them.
    std::optional<LineSet> lines_from(const LinesFrom& from) const {
        if (from.node < 0) return from.content.lines;
        auto made = lines_.find(from.node);
        if (made == lines_.end()) return std::nullopt;
        auto found = made->second.find(from.name);
        if (found == made->second.end()) return std::nullopt;
        return from.placed(found->second);
    }
    Terrain inputs_of(const Node& node) {
        Terrain terrain(node.input_grid, rect_on(node.input_grid));
        for (const NodeInput& input : node.inputs) terrain.set(input.name, *value(input.from, node.grid));
        for (const LinesInput& input : node.line_inputs)
            if (std::optional<LineSet> lines = lines_from(input.from))
                terrain.set_lines(input.name, std::move(*lines));
        return terrain;
    }
    // Null where an operation did not make what it might have made.
    const Field* value(const NodeField& field, const Grid& grid) {
        MadeFields& made = values_[field.node];
        auto is_it = [&](const auto& entry) { return entry.first == field.field; };
        auto there = std::ranges::find_if(made, is_it);
        if (there != made.end()) return &there->second;
        if (is_operation(field.node)) return nullptr;
        Field cells = cells_over(field, rect_on(grid));
        return &values_[field.node].emplace_back(field.field, std::move(cells)).second;
    }

    // What is no operation's, over a region.
    Field cells_over(const NodeField& field, const Rect& region) {
        const Node& node = graph_.node(field.node);
        switch (node.kind) {
            case Node::Kind::constant:
                return Field(region, node.value);
            case Node::Kind::source:
                return node.source->read(region);
            case Node::Kind::operation: {
                const Field* made = value(field, node.grid);
                if (!made) throw std::logic_error("no operation made " + field.field);
                return made->cropped(region);
            }
            default:
                return in_pieces(node, region);
        }
    }
    Field in_pieces(const Node& node, const Rect& region) {
        if (region.height() == 1 || read_for(node, region) <= most_cells_of_source) {
            const Rect needed = graph_.needed(node, region);
            return cells_from(node, needed.empty() ? Field() : cells_over(node.inputs[0].from, needed),
                              region);
        }
        Field whole(region);
        const int middle = region.top + region.height() / 2;
        for (const Rect& half : {Rect{region.left, region.top, region.right, middle},
                                 Rect{region.left, middle, region.right, region.bottom}}) {
            const Field cells = in_pieces(node, half);
            copy_cells(cells, half, whole.writable_rows(), region.left);
        }
        return whole;
    }
    // How many cells of what it is resampled from.
    int64_t read_for(const Node& node, const Rect& region) const {
        const Rect needed = graph_.needed(node, region);
        if (needed.empty()) return 0;
        const Node& from = graph_.node(node.inputs[0].from.node);
        return from.inputs.empty() || from.kind == Node::Kind::operation
                   ? needed.cells()
                   : std::max(needed.cells(), read_for(from, needed));
    }

    Executor& executor_;
    const Graph& graph_;
    const std::optional<GridWindow>& window_;
    RunContext& context_;
    const ChainListener& listener_;
    StepsByNode steps_;
    std::vector<ContentKey> keys_;  // of nodes, where it remembers
    std::set<int> to_run_;
    FieldLives lives_;
    std::map<int, MadeFields> values_;  // of nodes, as long as somebody needs them
    std::map<int, MadeLines> lines_;    // and what lines they made
};

// ---- the executor ----------------------------------------------------------------------------------------

Executor Executor::remembering() { return Executor(machine_memory() / 4); }

void Executor::forget() {
    known_.clear();
    lines_.clear();
    if (memory_) memory_->clear();
}

// What is kept is a kindness: it must not be what the work lacks memory for.
template <typename Action>
void Executor::making_room(const Action& action) {
    try {
        return action();
    } catch (const OutOfMemory&) {
        if (!memory_ || !memory_->drop_all()) throw;
    }
    action();
}

Terrain Executor::run(const Graph& graph, const std::optional<GridWindow>& window, RunContext& context,
                      const ChainListener& listener) {
    steps_run_ = 0;
    steps_kept_ = 0;
    Run run(*this, graph, window, context, listener);
    if (context.device->is_cpu()) making_room([&] { check_memory(graph, window); });
    run.drop_what_has_changed();
    return run_and_if_need_be_again(
        context, [&] { return run.all(); },
        [&] { return memory_ && memory_->drop_what_only_devices_have(); });
}

Terrain Executor::run(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                      RunContext& context, const ChainListener& listener) {
    const Graph graph = chain_graph(chain, whole_grid_from(start), nullptr, {},
                                    memory_ ? Composites::apart : Composites::together);
    return run(graph, GridWindow{start.grid(), start.rect()}, context, listener);
}

Terrain run_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                  RunContext& context, const ChainListener& listener) {
    return Executor().run(chain, start, context, listener);
}

// ---- keys ------------------------------------------------------------------------------------------------

// The same source, or the same cells in memory, has the number that it had.
std::vector<int64_t> Executor::recognised(const Graph& graph) {
    begins_anew_ = false;
    std::vector<Known> known;
    std::vector<int64_t> numbers(graph.nodes().size());
    for (size_t i = 0; i < numbers.size(); i++) {
        const Node& node = graph.nodes()[i];
        if (node.kind != Node::Kind::source) continue;
        const Field* cells = node.source->in_memory();
        auto same = [&](const Known& other) {
            return cells && other.cells ? cells->shares_cells(*other.cells) : node.source == other.source;
        };
        // Two fields of one terrain may have the same cells.
        for (const std::vector<Known>* before : {&known_, &known}) {
            auto found = std::ranges::find_if(*before, same);
            if (numbers[i] == 0 && found != before->end()) numbers[i] = found->number;
        }
        if (numbers[i] == 0) {
            numbers[i] = ++last_number_;
            begins_anew_ = true;
        }
        known.push_back({node.source, cells ? std::optional<Field>(*cells) : std::nullopt, numbers[i]});
    }
    known_ = std::move(known);
    std::vector<Field> there;
    for (const Known& source : known_)
        if (source.cells) there.push_back(*source.cells);
    memory_->set_others(std::move(there));
    return numbers;
}

std::vector<ContentKey> Executor::keys_of(const Graph& graph, const std::optional<GridWindow>& window) {
    const std::vector<int64_t> numbers = recognised(graph);
    std::vector<ContentKey> keys;
    for (size_t i = 0; i < graph.nodes().size(); i++) {
        const Node& node = graph.nodes()[i];
        KeyMaker maker;
        maker.add(node.signature).add(numbers[i]);
        if (window)
            for (int side : {window->rect.left, window->rect.top, window->rect.right, window->rect.bottom})
                maker.add(int64_t(side));
        for (const NodeInput& input : node.inputs)
            maker.add(input.name).add(keys[size_t(input.from.node)]).add(input.from.field);
        for (const LinesInput& input : node.line_inputs)
            if (input.from.node >= 0)
                maker.add(input.name).add(keys[size_t(input.from.node)]).add(input.from.name);
        keys.push_back(maker.key());
    }
    return keys;
}

}  // namespace caprock
