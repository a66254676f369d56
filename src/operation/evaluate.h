// Running operations: on whole terrains, and on regions of them.
#pragma once

#include "operation/operation.h"

#include <string>

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

// The user is told, and the CPU steps in for the device.
void fall_back(RunContext& context, const std::string& reason);

}  // namespace caprock
