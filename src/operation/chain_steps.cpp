#include "operation/chain_steps.h"

#include "base/text.h"
#include "operation/chain.h"
#include "operation/check.h"
#include "operation/recipe.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

std::string meaning_of(const ChainStep& step) {
    std::string text;
    for (const std::shared_ptr<const Operation>& whole : step.begins) {
        const FieldUse use = whole->fields();
        text += fmt::format("made of others: {}", fmt::join(use.outputs, ", "));
        text += fmt::format(" out of {}", fmt::join(use.inputs, ", "));
        text += fmt::format(" and {} {{\n", fmt::join(use.optional_inputs, ", "));
    }
    try {
        text += operation_meaning(*step.operation);
    } catch (const Error&) {
        return "";  // a name that is not UTF-8
    }
    for (int i = 0; i < step.ends; i++) text += "\n}";
    return text;
}

void take_apart(const Operation& operation, const Grid& grid, std::vector<std::string>& within,
                std::vector<ChainStep>& steps) {
    const Parts parts = operation.parts(grid);
    if (parts.empty()) {
        steps.push_back({operation.clone(), within, {}, 0, {}});
        return;
    }
    const size_t first = steps.size();
    within.emplace_back(operation.name());
    for (const std::unique_ptr<Operation>& part : parts) take_apart(*part, grid, within, steps);
    within.pop_back();
    std::vector<std::shared_ptr<const Operation>>& begins = steps[first].begins;
    begins.insert(begins.begin(), operation.clone());
    steps.back().ends++;
}

// Errors name the same operations as where those had run the step themselves.
template <typename Action>
auto named_within(std::span<const std::string> operations, const Action& action) {
    if (operations.empty()) return action();
    return named(operations.front(), [&] { return named_within(operations.subspan(1), action); });
}

std::vector<Field> fields_of(const ChainState& state) {
    std::vector<Field> fields;
    auto add = [&](const Terrain& terrain) {
        for (const std::string& name : terrain.names()) fields.push_back(terrain.field(name));
    };
    add(state.terrain);
    for (const ChainState::Unfinished& operation : state.unfinished) add(operation.before);
    return fields;
}

}  // namespace

std::vector<ChainStep> steps_of(std::span<const std::unique_ptr<Operation>> chain, const Grid& grid) {
    std::vector<ChainStep> steps;
    std::vector<std::string> within;
    Grid before = grid;
    for (const std::unique_ptr<Operation>& operation : chain) {
        take_apart(*named(operation->name(), [&] { return with_files(*operation); }), before, within, steps);
        before = operation->grid_after(before);
    }
    for (ChainStep& step : steps) step.meaning = meaning_of(step);
    return steps;
}

bool ChainState::on_host() const {
    return std::ranges::all_of(fields_of(*this), [](const Field& field) { return field.on_host(); });
}

std::set<const Buffer*> ChainState::buffers() const {
    std::set<const Buffer*> buffers;
    for (const Field& field : fields_of(*this))
        if (field.plane().buffer) buffers.insert(field.plane().buffer.get());
    return buffers;
}

double run_step(const ChainStep& step, ChainState& state, RunContext& context,
                const ChainListener& listener) {
    std::vector<ChainState::Unfinished> unfinished = state.unfinished;
    Terrain terrain = state.terrain;
    for (const std::shared_ptr<const Operation>& whole : step.begins) {
        const std::vector<std::string> names = terrain.names();
        const std::vector<std::string> declared = declared_fields(*whole, names);
        unfinished.push_back({terrain, names, whole->fields().outputs});
        for (const std::string& name : names) {
            // Parts see what the whole declares.
            if (!contains(declared, name)) terrain.remove(name);
            // What they change need not be put back, so it need not be held either.
            if (contains(declared, name) && contains(unfinished.back().outputs, name))
                unfinished.back().before.remove(name);
        }
    }
    auto finish = [&](Terrain& after) {
        for (int i = 0; i < step.ends; i++) {
            const ChainState::Unfinished& done = unfinished.back();
            keep_outputs(after, done.before, done.names, done.outputs);
            unfinished.pop_back();
        }
    };
    double seconds = named_within(
        step.within, [&] { return run_step(*step.operation, terrain, context, listener, finish); });
    state.terrain = std::move(terrain);
    state.unfinished = std::move(unfinished);
    return seconds;
}

}  // namespace caprock
