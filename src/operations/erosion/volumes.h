// How much of something a field holds, for the ledger of a simulation. Added up in doubles, row by row: the same on
// every machine.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"

namespace caprock {

class Volumes {
  public:
    explicit Volumes(const Grid& grid) : area_(grid.cell * grid.cell) {}

    // Cubic metres over the level 0 of all known cells.
    double of(const Field& depth) const;
    // What lies below the old surface and above the new one.
    double lowered(const Field& before, const Field& after) const;

  private:
    double area_;
};

}  // namespace caprock
