// Simulations that mean the same in cells of any size.
//
// What a step moves goes from a cell to the next one, so its effect is a matter of how large cells are. A simulation is
// therefore said to go on for so long in cells of so many metres, its scale. On finer land it first works in cells of about
// that size: what they change goes over evenly to the cells between them, and then the finer cells work for a while among
// themselves, halving after halving. Twice the resolution gives the same landscape, finer, and costs little more than the
// last steps. Land whose cells are larger than the scale knows nothing of what is smaller, and takes larger steps.
#pragma once

#include "operation/declaration.h"
#include "operation/ledger.h"
#include "operation/number.h"
#include "operation/reach.h"
#include "operation/simulation.h"
#include "terrain/grid.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

// How often the terrain's cells are doubled to be about as large as the scale: no more than 1.4 times as large or small.
int doublings_to(double scale, const Grid& grid);

// How long a simulation goes on: in cells as large as its scale, or for so many steps in the terrain's own cells.
struct SimulatedTime {
    double duration = 0;
    double scale = 8;    // metres
    int steps = 0;       // none: as the duration says
    int stop_after = 0;  // steps; none: not before the end

    // A simulation says itself what becomes of finer cells. Returns the parameter that counts steps.
    Parameter& describe(Declaration& d, const std::string& help_of_scale) const;

    // The terrain's own cells first. A step in finer cells is a step all the same, and of all time they have that share: enough to
    // carve what is too fine for the coarser ones. What is moved in a step has to be a matter of cells alone.
    std::vector<Stage> stages_alike(const Grid& grid, double share_of_finer) const;
    // Those of the plan, as far as they are run.
    std::vector<Stage> until_stopped(std::vector<Stage> plan) const;
    // Unless said otherwise, steps look at what the neighbours give, and that depends on their neighbours.
    Reach reach(const std::vector<Stage>& stages, int cells_of_step = 2) const;
};

// A number of a simulation that the kernels of its steps are given.
struct StepNumber {
    const Parameter& parameter;
    Number number;
    // What the kernels are given in the steps of a stage.
    std::function<float(double number, const Stage& stage)> made;

    static float as_it_is(double number, const Stage&) { return float(number); }
};

// The part of a simulation that has to do with sizes of cells. Its ground is the height, and what else it says: hardness,
// solubility, and fields of what lies on the ground, in metres of depth. Where cells have been doubled, it has their area as
// well, in cells: not 1 beside the border and missing cells. A number that varies is a field of the ground too, by the name of its
// parameter, and its map with an @ before that.
class ScaledSimulation : public Simulation {
  public:
    const std::vector<Stage>& stages() const override { return stages_; }
    int reach() const override { return 2; }
    const std::vector<std::string>& read_by_steps() const override { return read_by_steps_; }
    const std::vector<std::string>& read_by_finer() const override { return read_by_finer_; }

    SimulationFields coarser(Work& work, const SimulationFields& fine) const override;
    SimulationFields begin(Work& work, const SimulationFields& ground) const override;
    SimulationFields finer(Work& work, const SimulationFields& fine, const SimulationFields& coarse,
                           const SimulationFields& state) const override;
    std::vector<double> counted(Work& work, const SimulationFields& ground,
                                const SimulationFields& state) const override;
    void put(Work& work, const SimulationFields& state) const override;

  protected:
    ScaledSimulation(std::vector<Stage> stages, std::vector<std::string> depths,
                     std::vector<std::string> counts, std::vector<StepNumber> numbers);

    // The terrain's height, its hardness and solubility where it has them and they are wanted, and what numbers vary by.
    SimulationFields ground_of(Work& work, bool soluble, bool hard = true) const;
    // One of the numbers, for a step on that ground.
    Varying number(std::string_view name, const SimulationFields& ground, const Stage& stage) const;
    // How many of them vary.
    int varying_numbers() const;

    // A line of the ledger: what there was in a field and what there is, and what came to it and went from it, as counted.
    static LedgerEntry line_of(const char* quantity, const char* field, const SimulationFields& ground,
                               const SimulationFields& state, double in, double out);
    // That of rock, with what lies elsewhere than before.
    static LedgerEntry line_of_rock(const SimulationFields& ground, const SimulationFields& state,
                                    double in = 0, double out = 0);

  private:
    void begin_to_count(Work& work, SimulationFields& state) const;
    void make_numbers(Work& work, SimulationFields& ground, const Stage& stage) const;

    std::vector<Stage> stages_;
    std::vector<std::string> depths_;  // of the state besides the height
    // And those in which it counts for the ledger. What floats have no digits for is in a field of the name with -rest.
    std::vector<std::string> counts_;
    std::vector<StepNumber> numbers_;
    std::vector<std::string> read_by_steps_ = {"hardness", "solubility", "area"};
    std::vector<std::string> read_by_finer_ = {"height"};
};

// Ground from the terrain's own cells up to those doubled so often, or as long as there are cells.
std::vector<SimulationFields> doubled_grounds(Work& work, SimulationFields finest, int doublings);

// Cells around one that decide it, where each size of cells, the finest first, does so many steps of so many cells each.
int reach_of_stages(const std::vector<Stage>& stages, int cells_of_step = 2);

}  // namespace caprock
