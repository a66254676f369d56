// A shaded relief map, drawn on the CPU.
#pragma once

#include "base/picture.h"
#include "terrain/terrain.h"
#include "view/cell_rows.h"

namespace caprock {

struct ReliefOptions {
    double azimuth = 315;     // where the light comes from, degrees clockwise from north (up)
    double elevation = 40;    // of the light above the horizon, degrees
    double exaggeration = 1;  // heights are multiplied by this before shading
    bool tint = true;         // colours by height; otherwise grey
    int longest_side = 2048;  // larger terrains are averaged down to this many pixels
    int enlarge = 1;  // pixels for every cell of smaller ones, each way, as far as the longest side allows
};

// Shading is brought to a contrast that reads, on plains as in mountains; exaggeration comes on top of that.
// Tints span the terrain's height range, or the heights there are where they use little of it; where the
// range begins below 0, so does the sea. Missing cells and infinite ones are drawn in striped violet greys
// that no height has. Throws Error when there is no height.
Picture shaded_relief(const Terrain& terrain, const ReliefOptions& options = {});
// The same of heights that need not be in memory.
Picture shaded_relief(const CellRows& heights, const Grid& grid, const ReliefOptions& options = {});

}  // namespace caprock
