// Water that runs over land, for simulations of it: river-erosion and flood. A cell has a pipe to the east and one to the south
// (kernels/shallow_water.h). Time is in seconds, and a step is as long as water of a stated depth allows in cells of a size, so
// that it is known before anything runs and is the same for every tile.
#pragma once

#include "operation/declaration.h"
#include "operation/number.h"
#include "operations/erosion/scales.h"
#include "terrain/grid.h"

#include <string>
#include <string_view>
#include <vector>

namespace caprock {

enum class WaterBorder { open, closed };

// What waters the land, how it flows and how it goes.
struct ShallowWater {
    Number rain = 0;
    LinesValue springs = {};
    double discharge = 10;
    double spring_radius = 20;
    Number evaporation = 0;
    Number friction = 0.035;
    double deepest = 2;
    WaterBorder border = WaterBorder::open;
    int stop_after = 0;

    void describe(Declaration& d) const;
    // Throws Error where so many seconds are more steps than anybody would wait for.
    void check(double seconds, double cell) const;

    // The longest step that is stable, in seconds.
    double longest_step(double cell) const;
    // As few steps as there can be, all of one length.
    Stage stage_lasting(double seconds, double cell) const;
    std::vector<Stage> until_stopped(std::vector<Stage> plan) const;
};

// Metres of depth a second that springs bring to each cell; a field without any is not made. All of a spring comes out on the land,
// in the circle around it, or in the cell next to it where the circle is too small for one.
class SpringField {
  public:
    SpringField(const LineSet& springs, double discharge, double radius, const Grid& grid);

    bool empty() const { return circles_.empty(); }
    Field on(const Rect& rect) const;

  private:
    struct Circle {
        double x, y, radius;  // in cells
        double rate;
    };
    // The cells of a row of a circle that are on the grid.
    static Interval span(const Circle& circle, int y, const Rect& extent);

    Rect extent_;
    std::vector<Circle> circles_;
};

// The part of a simulation that is about water. Its state has the speeds in the pipes, what went through them, and what depths and
// heights have no digits for. Whoever has more to say of a step says it in move().
class WaterSimulation : public ScaledSimulation {
  public:
    int reach() const override { return 3; }
    int launches_in_step() const override { return 2; }
    const std::vector<std::string>& read_by_steps() const override { return read_by_steps_; }

    SimulationFields ground(Work& work) const override { return ground_of_water(work, true); }
    SimulationFields coarser(Work& work, const SimulationFields& fine) const override;
    SimulationFields begin(Work& work, const SimulationFields& ground) const override;
    SimulationFields finer(Work& work, const SimulationFields& fine, const SimulationFields& coarse,
                           const SimulationFields& state) const override;
    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override;

  protected:
    // `depths` and `counts` are names of fields besides the water's own. What is counted is came, evaporated, left, and then those.
    WaterSimulation(const ShallowWater& water, std::vector<Stage> stages, std::vector<std::string> depths,
                    std::vector<std::string> counts, std::vector<StepNumber> numbers);

    SimulationFields ground_of_water(Work& work, bool hard) const;
    // What the speeds move: the state's new speeds are there.
    virtual void move(Work& work, const SimulationFields& ground, SimulationFields& state,
                      const SimulationStep& step) const = 0;

    const ShallowWater& water() const { return water_; }
    // The step by the cell, which a speed times that is a share of a cell.
    static float advance(const SimulationFields& state, const SimulationStep& step) {
        return float(step.stage.share / state.cell());
    }
    bool is_open() const { return water_.border == WaterBorder::open; }
    void enter_water(Work& work, const SimulationFields& ground, const SimulationFields& state,
                     const std::vector<double>& counted) const;

    // Those of the water, for a schema that has ShallowWater's parameters; the others follow.
    static std::vector<StepNumber> numbers_of(const Schema& schema, const ShallowWater& water,
                                              std::vector<StepNumber> others);

  private:
    void add_pipes(SimulationFields& state) const;

    const ShallowWater water_;
    const std::vector<std::string> depths_;
    std::vector<std::string> read_by_steps_;
};

}  // namespace caprock
