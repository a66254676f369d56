#include "operation/chain_steps.h"

#include "base/file_stamp.h"
#include "operation/chain.h"
#include "operation/check.h"
#include "operation/recipe.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

std::string stamp_text(const FileStamp& stamp) {
    return fmt::format("{} {}", stamp.written.time_since_epoch().count(), stamp.size);
}

std::string meaning_of(const ChainStep& step) {
    std::string text;
    for (const std::vector<std::string>& outputs : step.begins)
        text += fmt::format("made of others: {} {{\n", fmt::join(outputs, ", "));
    try {
        text += operation_text(*step.operation);
    } catch (const Error&) {
        return "";  // a name that is not UTF-8
    }
    std::unique_ptr<Operation> copy = step.operation->clone();
    const Declaration declaration = copy->declare();
    for (const Parameter& parameter : declaration.parameters())
        if (parameter.type() == ParameterType::file)
            text += fmt::format("\n{}: {}", parameter.name(), stamp_text(FileStamp::of(parameter.text())));
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
    std::vector<std::vector<std::string>>& begins = steps[first].begins;
    begins.insert(begins.begin(), operation.clone()->declare().outputs());
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
        take_apart(*operation, before, within, steps);
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
    for (const std::vector<std::string>& outputs : step.begins) {
        unfinished.push_back({state.terrain, outputs});
        // What is made need not be put back, so it need not be held either.
        for (const std::string& name : outputs) unfinished.back().before.remove(name);
    }
    auto finish = [&](Terrain& terrain) {
        for (int i = 0; i < step.ends; i++) {
            keep_outputs(terrain, unfinished.back().before, unfinished.back().outputs);
            unfinished.pop_back();
        }
    };
    double seconds = named_within(
        step.within, [&] { return run_step(*step.operation, state.terrain, context, listener, finish); });
    state.unfinished = std::move(unfinished);
    return seconds;
}

}  // namespace caprock
