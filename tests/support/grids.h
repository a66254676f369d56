// Grids of which nothing but the cell size matters.
#pragma once

#include "terrain/grid.h"

namespace caprock::test {

inline Grid grid_of(double cell) {
    Grid grid;
    grid.cell = cell;
    return grid;
}

}  // namespace caprock::test
