// A simulation is an operation that begins, takes steps and ends. Between two steps there is nothing but its state: named fields,
// and a few sums. So whoever runs it decides how: all at once on a device, page by page from files, with a pause, or
// from a checkpoint on. The bits are the same.
//
// Everything here works on fields of any rectangle. A cell of the result is right when the cells around it were, as far as
// is said; beyond a field's rectangle cells are missing, so at the border of the land nothing is lost.
#pragma once

#include "field/field.h"
#include "operation/work.h"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caprock {

// So many steps, each of which does `share` of what it would do in its unit of time.
struct Stage {
    int steps = 0;
    double share = 1;

    // As few steps as there can be with shares up to 1.
    static Stage lasting(double steps);

    double lasts() const { return steps * share; }
};

// Fields by name, all of one rectangle, in cells of one size.
class SimulationFields {
  public:
    SimulationFields() = default;
    SimulationFields(const Rect& rect, double cell) : rect_(rect), cell_(cell) {}

    const Rect& rect() const { return rect_; }
    double cell() const { return cell_; }
    bool has(std::string_view name) const { return find(name) != nullptr; }
    const Field* find(std::string_view name) const;
    Field* find(std::string_view name);
    // These throw std::logic_error where there is none.
    const Field& at(std::string_view name) const;
    Field& at(std::string_view name);
    void set(std::string_view name, Field field);
    // All others go.
    void keep(const std::vector<std::string>& names);
    const std::vector<std::pair<std::string, Field>>& all() const { return fields_; }
    SimulationFields cropped(const Rect& part) const;  // views

    // For what a step makes on its way. It is there from the first step on that asks for it, and nobody keeps what it holds.
    Field& spare(size_t index);

  private:
    Rect rect_;
    double cell_ = 0;
    std::vector<std::pair<std::string, Field>> fields_;
    std::deque<Field> spare_;  // others stay where they are when one comes
};

// Which step it is, and of which cells.
struct SimulationStep {
    Stage stage;
    int index = 0;         // within its stage
    double passed = 0;     // time before the stage
    bool coarsest = true;  // no stage was run before
    // What is to be right afterwards. What is around it was right before, as far as Simulation::reach() says.
    Rect cells;

    double begins() const { return passed + index * stage.share; }
};

class Parameter;

class Simulation {
  public:
    virtual ~Simulation() = default;

    // In the terrain's own cells first, then in cells of twice that size, and so on. The last of them is run first.
    virtual const std::vector<Stage>& stages() const = 0;
    // Cells around one that decide it in one step.
    virtual int reach() const = 0;
    // Fields that a step reads and writes, those of its own among them, and how often it goes over its cells.
    virtual int fields_in_step() const = 0;
    virtual int launches_in_step() const = 0;

    // What it works on, in the terrain's own cells: it stays as it is, whatever steps do.
    virtual SimulationFields ground(Work& work) const = 0;
    // The same in cells of twice the size; a cell depends on the two around it. What has to do with other cells than the
    // terrain's own is asked only where there are several stages.
    virtual SimulationFields coarser(Work& work, const SimulationFields& fine) const;
    // What changes, as it is before the first step.
    virtual SimulationFields begin(Work& work, const SimulationFields& ground) const = 0;
    // What changes, in cells of half the size: of the coarse ground before and after, and the fine ground.
    virtual SimulationFields finer(Work& work, const SimulationFields& fine, const SimulationFields& coarse,
                                   const SimulationFields& state) const;
    // Names of the ground that steps read; and those that finer() reads of the coarse one.
    virtual const std::vector<std::string>& read_by_steps() const = 0;
    virtual const std::vector<std::string>& read_by_finer() const;
    // Names of a stage's ground that are read when its steps begin, or later.
    std::vector<std::string> read_from(size_t stage) const;
    virtual void step(Work& work, const SimulationFields& ground, SimulationFields& state,
                      const SimulationStep& step) const = 0;
    // What a stage has counted in its state's fields for the ledger; those of all stages are added up.
    virtual std::vector<double> counted(Work&, const SimulationFields&, const SimulationFields&) const {
        return {};
    }
    // Puts what came out into the terrain.
    virtual void put(Work& work, const SimulationFields& state) const = 0;
    // Enters into the ledger what became of everything; the ground is that of the terrain's own cells, with the state's fields as
    // they were in the beginning. Asked only where somebody keeps it.
    virtual void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
                       const std::vector<double>& counted) const = 0;
};

// Every simulation has a parameter stop-after, a whole number: this is what it says of itself.
void describe_stop_after(Parameter& parameter);

// All of it, on the terrain of the work: this is what running an operation means that is a simulation.
void run_simulation(const Simulation& simulation, Work& work);

// Of all cells, from the step's index on to `end`.
void take_steps(const Simulation& simulation, Work& work, const SimulationFields& ground,
                SimulationFields& state, SimulationStep step, int end);

}  // namespace caprock
