// Cells on another grid: a map from the cells of the result to places among the cells of the source. Moves, turns, scales
// and other resolutions are one such map, so a source is sampled once, however it is placed.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"
#include "terrain/quantity.h"

namespace caprock {

// From cell (x, y) of the result to the place in the source, in its cells: x' = xx x + xy y + x0, and so on.
struct CellMap {
    double xx = 1, xy = 0, x0 = 0;
    double yx = 0, yy = 1, y0 = 0;

    WorldPoint at(double x, double y) const { return {xx * x + xy * y + x0, yx * x + yy * y + y0}; }
    // Whole cells only: the result is the source, moved.
    bool whole_move() const;
    // Cells of the source from one cell of the result to the next.
    double step() const;
    // The cells of the source that a region of the result may be made of.
    Rect source_region(const Rect& region) const;
    // The same map into a source of half the resolution.
    CellMap into_half() const;
};

// The source on the cells of `region`, by cubic interpolation (Catmull and Rom's) where all sixteen cells around are
// known, by linear interpolation of the known ones elsewhere. Missing where the nearest cell is, or there is none.
// Places that are cells have the very bits of the cell.
// Indices are taken from the nearest cell: there is nothing between two of them. And between values within the quantity's
// limits there are none beyond: where the curve would leave them, it ends there.
Field placed(const Field& source, const CellMap& map, const Rect& region,
             const Quantity& quantity = ground_quantity());

// Every second cell, as it is: what a grid of twice the cell size holds.
Field thinned(const Field& fine, const Rect& coarse);
// Weighted 1 2 1 with its neighbours before: what a source is made of before it is placed at less than its size.
Field halved(const Field& fine, const Rect& coarse);

}  // namespace caprock
