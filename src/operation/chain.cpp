#include "operation/chain.h"

#include "base/memory.h"
#include "compute/cpu_device.h"
#include "operation/check.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace caprock {

void check_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start, bool on_host) {
    std::vector<std::string> fields = start.names();
    // Those the start has are already taken.
    const size_t taken = fields.size();
    Grid grid = start.grid();
    for (const std::unique_ptr<Operation>& operation : chain) {
        named(operation->name(), [&] {
            size_t more = check_operation(*operation, grid, fields) - taken;
            grid = operation->grid_after(grid);
            grid.check();
            // Of another size, all fields are new ones.
            bool resized = grid.extent != start.grid().extent;
            if (resized) more += taken;
            const Rect& rect = resized ? grid.extent : start.rect();
            if (on_host)
                require_memory(uint64_t(rect.cells()) * sizeof(float) * more,
                               fmt::format("{} x {} cells in {} fields", rect.width(), rect.height(), more));
        });
    }
}

uint64_t chain_bytes(std::span<const std::unique_ptr<Operation>> chain, const Grid& start,
                     std::vector<std::string> fields) {
    auto bytes = [](const Grid& grid, size_t count) {
        return uint64_t(grid.extent.cells()) * sizeof(float) * count;
    };
    uint64_t most = bytes(start, fields.size());
    Grid grid = start;
    for (const std::unique_ptr<Operation>& operation : chain)
        named(operation->name(), [&] {
            const size_t before = fields.size();
            size_t count = check_operation(*operation, grid, fields);
            const Grid after = operation->grid_after(grid);
            // Of another size, all fields are new ones beside the old.
            most = std::max(most,
                            after == grid ? bytes(grid, count) : bytes(grid, before) + bytes(after, count));
            grid = after;
        });
    return most;
}

void fall_back(RunContext& context, const std::string& reason) {
    if (context.tell)
        context.tell(fmt::format("{} failed ({}); going on with the CPU", context.device->name(), reason));
    context.device = make_cpu_device(chosen_cpu_level(), context.threads);
}

double run_step(const Operation& operation, Terrain& terrain, RunContext& context,
                const ChainListener& listener, const std::function<void(Terrain&)>& finish) {
    if (listener.before) listener.before(operation);
    auto began = std::chrono::steady_clock::now();
    Terrain next = run(operation, terrain, context);
    if (finish) finish(next);
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
    if (listener.after) listener.after(operation, next, taken.count());
    terrain = std::move(next);
    return taken.count();
}

void fetch(const Terrain& terrain, const RunContext& context) {
    if (!context.fetch) return;
    for (const std::string& name : terrain.names()) terrain.field(name).rows();
}

Terrain run_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                  RunContext& context, const ChainListener& listener) {
    check_chain(chain, start, context.device->is_cpu());
    auto run_all = [&] {
        Terrain terrain = start;
        // What does not compile is known before the first operation has run for an hour.
        for (const std::unique_ptr<Operation>& operation : chain) operation->prepare(*context.device);
        for (const std::unique_ptr<Operation>& operation : chain)
            run_step(*operation, terrain, context, listener);
        fetch(terrain, context);
        return terrain;
    };
    return run_and_if_need_be_again(context, run_all, [] { return false; });
}

}  // namespace caprock
