// What simulations of rain have in common, which flows over the land and carries sediment.
#pragma once

#include "operations/erosion/scales.h"

#include <vector>

namespace caprock {

// The part of a stretch of time in which it rains: a unit from the beginning of every period on, or only of the first where
// the period is 0.
double rainy_part(double from, double to, int period);

// What a share of something in a step is in a step of that length.
double share_in(double share, double length);

// The terrain's own cells first. Water crosses a cell in a step, so that in cells of half the size a step lasts half as long;
// how long is the stage's share. A twentieth as many steps as in the coarsest cells are enough to carve what is too fine for those.
std::vector<Stage> stages_of_water(const SimulatedTime& time, const Grid& grid);

// Heights, and depths of water and sediment on them. What is there already goes on flowing. What goes from rock to water and back is
// counted where it goes, step by step and cell by cell, and not told from what there is in the end: else all lines of the ledger
// would add up whatever the rules do.
class FlowingWater : public ScaledSimulation {
  public:
    SimulationFields ground(Work& work) const override;
    // Of what it rained and what evaporated, and of what was taken from rock and laid down.
    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override;

  protected:
    FlowingWater(std::vector<Stage> stages, std::vector<StepNumber> numbers);
};

}  // namespace caprock
