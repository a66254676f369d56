// How much of something a field holds, for the ledger of a simulation. Added up in doubles, row by row: the same on
// every machine.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"

namespace caprock {

class Volumes {
  public:
    explicit Volumes(const Grid& grid) : Volumes(grid.cell) {}
    explicit Volumes(double cell) : area_(cell * cell) {}

    // Cubic metres over the level 0 of all known cells, each as large as its share of a cell where there are shares.
    double of(const Field& depth, const Field* shares = nullptr) const;
    // What lies below the old surface and above the new one.
    double lowered(const Field& before, const Field& after) const;

  private:
    double area_;
};

}  // namespace caprock
