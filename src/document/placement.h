// Where a layer goes: moved, turned and scaled, as a map of cells.
#pragma once

#include "document/layer.h"
#include "graph/cell_map.h"

namespace caprock {

// `cell`: of the result; the source's cell (0, 0) lies at its origin, in metres.
CellMap map_of(const Placement& placement, double cell, double source_cell, double source_x, double source_y);
// The other way, for lines: from where something was made to where it goes, in metres.
CellMap way_of(const Placement& placement);

}  // namespace caprock
