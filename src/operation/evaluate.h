// Running operations: whole terrains, regions of them, and chains.
#pragma once

#include "operation/operation.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace caprock {

// The terrain after the operation. The input is not changed: its fields are shared until written.
// Throws Error (bad parameters, missing inputs), Cancelled, OutOfMemory, or DeviceLost when the input itself
// was only on a device that is gone. The result may be only on the device: looking at it can throw
// DeviceError too.
Terrain run(const Operation& operation, const Terrain& input, RunContext& context);

// Of an operation whose reach is a fold: the numbers that it needs, of the cells of this terrain, and a run that is given those
// of all cells. They throw as run does.
FoldedCells fold(const Operation& operation, const Terrain& input, RunContext& context);
Terrain run_with(const Operation& operation, const Terrain& input, const FoldedCells& all,
                 RunContext& context);

// Exactly the cells of run(...).cropped(region), computed from what the region needs. Where the operation changes the
// grid, the region is one of the new grid.
Terrain evaluate(const Operation& operation, const Terrain& input, const Rect& region, RunContext& context);

// One after the other; what they need and their parameters are checked before the first. `before` is told of each
// operation before it runs, `after` when it is done. When a device is lost, or cannot give back what it made, the
// chain is run again from the start on the CPU, and the listener told of every operation again.
struct ChainListener {
    std::function<void(const Operation&)> before;
    std::function<void(const Operation&, const Terrain&, double seconds)> after;
};
Terrain run_chain(std::span<const std::unique_ptr<Operation>> chain, const Terrain& start,
                  RunContext& context, const ChainListener& listener = {});

}  // namespace caprock
