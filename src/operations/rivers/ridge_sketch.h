// Ridges first (F. Belhadj and P. Audibert, Modeling landscapes with ridges and rivers, 2005): pairs of particles move apart in
// opposite directions, turning by fractional Brownian motion, and lay down bells, the lower the farther they have come. Water
// rolls down from both sides of the ridges on the land so sketched.
#pragma once

#include "base/progress.h"
#include "operations/rivers/drainage_growth.h"

#include <vector>

namespace caprock {

struct RidgeSketch {
    std::vector<float> heights;              // of the lattice: 0 far from ridges, about 1 on the highest
    std::vector<std::vector<Place>> ridges;  // from end to end of each pair's trail
    std::vector<Place> springs;              // on both sides of the ridges

    RidgeSketch(const RiverLattice& lattice, int count, double spacing, uint32_t seed);
    double at(const RiverLattice& lattice, const Place& place) const;
};

// Rolls water down from the springs: where it goes are rivers, and where it meets one it is part of that.
void roll_down(const RidgeSketch& sketch, const RiverLattice& lattice, uint32_t seed, DrainageGrowth& growth,
               Progress& progress);

}  // namespace caprock
