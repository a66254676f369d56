#include "operation/evaluate.h"

#include "base/error.h"
#include "operation/chain.h"
#include "operation/check.h"

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
    Work work(output, *context.device, progress, context.tell);
    operation.run(work);
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
    if (!input.rect().contains(region)) throw std::logic_error("a region must lie inside its terrain");
    std::optional<int> halo = named(operation.name(), [&] {
        // A reach may depend on parameters that have not been checked.
        check_operation(operation, input);
        return operation.reach(input.grid()).halo();
    });
    if (!halo) return run(operation, input, context).cropped(region);
    Rect needed = region.expanded(*halo).intersected(input.rect());
    return run(operation, input.cropped(needed), context).cropped(region);
}

}  // namespace caprock
