// Running operations: whole terrains, regions of them, and chains.
#pragma once

#include "operation/operation.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace caprock {

// Where and how work is run. A device that fails is replaced by the CPU, and the user told once.
struct RunContext {
    std::shared_ptr<Device> device;
    Progress* progress = nullptr;
    Work::Teller tell;
};

// The terrain after the operation. The input is not changed: its fields are shared until written.
// Throws Error (bad parameters, missing inputs), Cancelled, OutOfMemory, or DeviceLost when the input itself was
// only on a device that is gone.
Terrain run(const Operation& operation, const Terrain& input, RunContext& context);

// Exactly the cells of run(...).cropped(region), computed from what the region needs.
Terrain evaluate(const Operation& operation, const Terrain& input, const Rect& region, RunContext& context);

// One after the other. `before` is told of each operation before it runs, `after` when it is done. When a device
// is lost, the chain is run again from the start on the CPU.
struct ChainListener {
    std::function<void(const Operation&)> before;
    std::function<void(const Operation&, const Terrain&, double seconds)> after;
};
Terrain run_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start, RunContext& context,
                  const ChainListener& listener = {});

}  // namespace caprock
