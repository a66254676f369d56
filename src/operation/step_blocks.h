// Steps of a simulation in blocks of cells that stay in a core's cache for several steps before they are written. Each block takes
// more cells around it along than one step needs, as many as decide it over all those steps; so blocks know nothing of
// each other, and the bits are those of all cells at once.
#pragma once

#include "operation/simulation.h"

#include <memory>
#include <vector>

namespace caprock {

class StepBlocks {
  public:
    StepBlocks(const Simulation& simulation, Work& work, const Rect& cells);

    // Whether it is quicker than going over all cells in every step: on a CPU, for land that its cache does not hold.
    bool worthwhile(int steps) const;
    // As take_steps says, from the step's index on.
    void take_steps(const SimulationFields& ground, SimulationFields& state, SimulationStep step, int end);

    // The shape of a block, and how many steps it stays in the cache.
    struct Shape {
        int width;
        int height;
        int steps;
    };
    static Shape shape(int fields_in_step, int reach);

  private:
    void pass(const SimulationFields& ground, SimulationFields& state, SimulationStep step, int end);

    const Simulation& simulation_;
    Work& work_;
    Rect cells_;
    Shape shape_;
    std::shared_ptr<Device>
        device_;               // that computes in the thread that asks it; none on other devices than a CPU
    std::vector<Field> next_;  // the state's fields after a pass
};

}  // namespace caprock
