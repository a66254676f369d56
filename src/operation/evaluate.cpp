#include "operation/evaluate.h"

#include "base/error.h"
#include "base/memory.h"
#include "compute/cpu_device.h"
#include "operation/check.h"

#include <chrono>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

namespace {

void fall_back(RunContext& context, const std::string& reason) {
    if (context.tell)
        context.tell(fmt::format("{} failed ({}); going on with the CPU", context.device->name(), reason));
    context.device = make_cpu_device(chosen_cpu_level(), context.threads);
}

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

// The whole chain before its first operation: a field that the last one misses, or memory that there is not, is not
// found out after an hour.
void check_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start, bool on_host) {
    std::vector<std::string> fields = start.names();
    // Those the start has are already taken.
    const size_t taken = fields.size();
    for (const std::unique_ptr<Operation>& operation : chain) {
        named(*operation, [&] {
            size_t more = check_operation(*operation, fields) - taken;
            if (on_host)
                require_memory(uint64_t(start.rect().cells()) * sizeof(float) * more,
                               fmt::format("{} x {} cells in {} fields", start.rect().width(),
                                           start.rect().height(), more));
        });
    }
}

}  // namespace

Terrain run(const Operation& operation, const Terrain& input, RunContext& context) {
    return named(operation, [&] {
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
    std::optional<int> halo = named(operation, [&] {
        // A reach may depend on parameters that have not been checked.
        check_operation(operation, input);
        return operation.reach(input.grid()).halo();
    });
    if (!halo) return run(operation, input, context).cropped(region);
    Rect needed = region.expanded(*halo).intersected(input.rect());
    return run(operation, input.cropped(needed), context).cropped(region);
}

Terrain run_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                  RunContext& context, const ChainListener& listener) {
    check_chain(chain, start, context.device->is_cpu());
    auto run_all = [&] {
        Terrain terrain = start;
        for (const std::unique_ptr<Operation>& operation : chain) {
            if (listener.before) listener.before(*operation);
            auto began = std::chrono::steady_clock::now();
            terrain = run(*operation, terrain, context);
            std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
            if (listener.after) listener.after(*operation, terrain, taken.count());
        }
        if (context.fetch)
            for (const std::string& name : terrain.names()) terrain.field(name).rows();
        return terrain;
    };
    bool elsewhere = !context.device->is_cpu();
    try {
        return run_all();
    } catch (const DeviceError& error) {
        if (!elsewhere) throw;  // what the chain starts from is out of reach
        // What earlier operations made is gone with the device; what the chain started from is not.
        if (!context.device->is_cpu()) fall_back(context, error.what());
        return run_all();
    }
}

}  // namespace caprock
