#include "operation/evaluate.h"

#include "base/error.h"
#include "compute/cpu_device.h"
#include "operation/check.h"

#include <fmt/format.h>
#include <optional>
#include <stdexcept>

namespace caprock {

namespace {

// `action` is given the work that an operation sees, on a shallow copy of the input.
template <typename Action>
Terrain run_once(const Operation& operation, const Terrain& input, RunContext& context,
                 const Action& action) {
    Progress unwatched;
    Progress& progress = context.progress ? *context.progress : unwatched;
    progress.check();
    progress.expect(input.rect().cells());
    Terrain output = input;
    Work work(output, operation, context, progress);
    action(operation, work);
    if (output.grid() != operation.grid_after(input.grid()))
        throw std::logic_error("an operation must say how it changes the grid");
    if (output.grid() != input.grid())
        for (const std::string& name : input.line_names())
            if (!output.find_lines(name))
                output.set_lines(name, lines_after(input.grid(), output.grid(), input.lines(name)));
    if (const Georeference* before = input.georeference())
        output.set_georeference(operation.georeference_after(*before));
    context.device->finish();
    progress.complete();
    return output;
}

template <typename Action>
Terrain run_or_fall_back(const Operation& operation, const Terrain& input, RunContext& context,
                         const Action& action) {
    return named(operation.name(), [&] {
        // Lines of files lie somewhere only now.
        std::unique_ptr<Operation> placed;
        if (operation.has_lines_to_place()) {
            placed = operation.clone();
            placed->place_lines(input);
        }
        const Operation& ready = placed ? *placed : operation;
        check_operation(ready, input);
        try {
            return run_once(ready, input, context, action);
        } catch (const DeviceError& error) {
            if (context.device->is_cpu()) throw;
            fall_back(context, error.what());
        }
        return run_once(ready, input, context, action);
    });
}

}  // namespace

Terrain run(const Operation& operation, const Terrain& input, RunContext& context) {
    return run_or_fall_back(operation, input, context,
                            [](const Operation& ready, Work& work) { ready.run(work); });
}

FoldedCells fold(const Operation& operation, const Terrain& input, RunContext& context) {
    FoldedCells cells;
    run_or_fall_back(operation, input, context,
                     [&](const Operation& ready, Work& work) { cells = ready.fold(work); });
    return cells;
}

Terrain run_with(const Operation& operation, const Terrain& input, const FoldedCells& all,
                 RunContext& context) {
    return run_or_fall_back(operation, input, context,
                            [&](const Operation& ready, Work& work) { ready.run_with(work, all); });
}

Terrain evaluate(const Operation& operation, const Terrain& input, const Rect& region, RunContext& context) {
    if (operation.has_lines_to_place()) {
        const std::unique_ptr<Operation> placed = operation.clone();
        named(operation.name(), [&] { placed->place_lines(input); });
        return evaluate(*placed, input, region, context);
    }
    std::optional<int> halo = named(operation.name(), [&] {
        // A reach may depend on parameters that have not been checked.
        check_operation(operation, input);
        return operation.reach(input.grid()).halo();
    });
    const bool same_grid = operation.grid_after(input.grid()) == input.grid();
    if (same_grid && !input.rect().contains(region))
        throw std::logic_error("a region must lie inside its terrain");
    if (!halo || !same_grid) return run(operation, input, context).cropped(region);
    Rect needed = region.expanded(*halo).intersected(input.rect());
    return run(operation, input.cropped(needed), context).cropped(region);
}

void fall_back(RunContext& context, const std::string& reason) {
    if (context.tell)
        context.tell(fmt::format("{} failed ({}); going on with the CPU", context.device->name(), reason));
    context.device = make_cpu_device(chosen_cpu_level(), context.threads);
}

}  // namespace caprock
