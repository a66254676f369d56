// One step of rivers that cut into their beds: dh/dt = -K A^m S^n, solved along a flow graph from its ends upwards, so that a step may be
// as long as one likes (J. Braun and S. Willett, A very efficient O(n), implicit and parallel method to solve the stream power
// equation governing fluvial incision and landscape evolution, 2013).
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "hydrology/flow_graph.h"

#include <cstdint>
#include <span>

namespace caprock {

struct Incision {
    // K A^m times the length of the step: metres cut where it falls a metre each metre.
    const Field& rate;
    double slope_exponent = 1;  // n
    double cell = 1;            // metres
    // Heights at which cells stay, missing where they do not. Those that leave the land stay besides.
    const Field* held = nullptr;
    // Rise over run at which ground stands, by cell or everywhere.
    const Field* steepest = nullptr;
    float stands = 1;
    // What is cut, where that is not what the graph was made of.
    const Field* ground = nullptr;
};

// The heights after it, of a graph that is of the heights before. Ground under water is not cut, but
// where the lake runs dry since its outlet is. What is cut is carried away.
Field incised(const FlowGraph& graph, const Incision& incision, Progress& progress);

// The same of rivers that lay down a part of what they carry where they lose their slope, and fill lakes with it: to what a cell is
// cut comes `deposition` times what all ground upstream has lost, over the area that drains through it (P. Davy and
// D. Lague, Fluvial erosion/transport equation of landscape evolution models revisited, 2009; solved as X. Yuan, J. Braun, L. Guerit, D. Rouby
// and G. Cordonnier do, A new efficient method to solve the stream power law model taking into account sediment deposition, 2019).
// `areas` are those of the graph.
Field incised_and_filled(const FlowGraph& graph, const Incision& incision, double deposition,
                         std::span<const uint32_t> areas, Progress& progress);

}  // namespace caprock
