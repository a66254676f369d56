#include "operation/evaluate.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "compute/cpu_device.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <new>
#include <stdexcept>

namespace caprock {

namespace {

// Throws unless the parameters are in range and every field it needs is among these.
void check_inputs(const Declaration& declaration, const std::vector<std::string>& fields) {
    for (const Parameter& parameter : declaration.parameters()) parameter.check();
    for (const std::string& name : declaration.inputs()) {
        if (std::ranges::find(fields, name) != fields.end()) continue;
        std::string have = fields.empty() ? "there is no terrain yet: begin with a file or a generator"
                                          : "the terrain has " + listed(fields);
        throw Error(fmt::format("needs the field '{}'; {}", name, have));
    }
}

// Whatever an operation refuses, the user is told which operation it was.
template <typename Action>
auto named(const Operation& operation, const Action& action) {
    auto prefixed = [&](const std::exception& error) {
        return fmt::format("{}: {}", operation.name(), error.what());
    };
    try {
        return action();
    } catch (const DeviceLost& error) {
        throw DeviceLost(prefixed(error));
    } catch (const DeviceError& error) {
        throw DeviceError(prefixed(error));
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(prefixed(error));
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("{}: the system has no more memory", operation.name()));
    } catch (const Error& error) {
        throw Error(prefixed(error));
    }
}

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
    for (const std::unique_ptr<Operation>& operation : chain) {
        Declaration declaration = operation->declare();
        named(*operation, [&] {
            check_inputs(declaration, fields);
            // Those the start has are already taken.
            size_t more = fields.size() - start.names().size() + size_t(declaration.work_fields());
            if (on_host)
                require_memory(uint64_t(start.rect().cells()) * sizeof(float) * more,
                               fmt::format("{} x {} cells in {} fields", start.rect().width(),
                                           start.rect().height(), more));
        });
        for (const std::string& made : declaration.outputs())
            if (std::ranges::find(fields, made) == fields.end()) fields.push_back(made);
    }
}

}  // namespace

Terrain run(const Operation& operation, const Terrain& input, RunContext& context) {
    return named(operation, [&] {
        check_inputs(operation.clone()->declare(), input.names());
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
        check_inputs(operation.clone()->declare(), input.names());
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
