// What becomes of slopes while the rivers below them cut into their beds. A slope that drains too little ground for a channel wears as
// a surface does: it sinks by how steep it is, in whatever direction it falls, dh/dt = -R |grad h|^n. Along the ways of a flow graph
// it would fall in one of eight directions, and be combed by them. No slope stands steeper than its angle, in any direction either.
//
// One step is solved as a whole, from the channels upwards, by sweeps over all cells to and fro (H. Zhao, A fast sweeping method for
// eikonal equations, 2005), with the neighbours beside a cell and those on the diagonals, whichever make it lower. Sweeps are of bands
// of rows, which see their neighbours as they were before: it does not matter how many threads there are.
#pragma once

#include "base/progress.h"
#include "field/field.h"

#include <cstdint>
#include <span>

namespace caprock {

enum class SlopeKind : uint8_t {
    stays,   // what is held, and missing cells
    stands,  // channels and lakes: no steeper than their angle, else as they are
    wears,   // slopes
};

struct SlopeWear {
    const Field& before;  // what wears
    const Field&
        rate;  // R times the length of the step: metres that a slope of one metre each metre sinks by
    double slope_exponent = 1;
    double cell = 1;  // metres
    // Rise over run at which ground stands, by cell or everywhere.
    const Field* steepest = nullptr;
    float stands = 1;
};

// `height` is what rivers have left, of all cells; `kinds` goes row by row.
void wear_slopes(Field& height, std::span<const SlopeKind> kinds, const SlopeWear& wear, Progress& progress);

}  // namespace caprock
