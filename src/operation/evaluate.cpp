#include "operation/evaluate.h"

#include "base/error.h"
#include "compute/cpu_device.h"
#include "operation/check.h"

#include <fmt/format.h>
#include <optional>
#include <stdexcept>

namespace caprock {

namespace {

Terrain run_once(const Operation& operation, const Terrain& input, RunContext& context) {
    Progress unwatched;
    Progress& progress = context.progress ? *context.progress : unwatched;
    progress.check();
    progress.expect(input.rect().cells());
    Terrain output = input;
    Work work(output, operation, context, progress);
    operation.run(work);
    if (output.grid() != operation.grid_after(input.grid()))
        throw std::logic_error("an operation must say how it changes the grid");
    if (const Georeference* before = input.georeference())
        output.set_georeference(operation.georeference_after(*before));
    context.device->finish();
    progress.complete();
    return output;
}

}  // namespace

Terrain run(const Operation& operation, const Terrain& input, RunContext& context) {
    return named(operation.name(), [&] {
        check_operation(operation, input);
        try {
            return run_once(operation, input, context);
        } catch (const DeviceError& error) {
            if (context.device->is_cpu()) throw;
            fall_back(context, error.what());
        }
        return run_once(operation, input, context);
    });
}

Terrain evaluate(const Operation& operation, const Terrain& input, const Rect& region, RunContext& context) {
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
