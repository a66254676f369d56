// Where water goes, how deep and how fast it is, and when it comes: shallow water over ground that stays as it is (shallow_water.h).
#include "kernels.h"
#include "operation/operation.h"
#include "operations/on_land.h"
#include "operations/rivers/reservoir.h"
#include "operations/rivers/shallow_water.h"

#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

struct Flood {
    double duration = 1800;
    ShallowWater water{.rain = 20, .friction = 0.04, .deepest = 3};
    LinesValue reservoir;
    double level = 100;
    double reached = 0.05;

    void describe(Declaration& d) const {
        d.summary(
            "where water goes from rain, springs or a broken dam: its depth, its speed and when it comes");
        d.number("duration", duration)
            .range(0, 10000000)
            .slider(60, 36000)
            .logarithmic()
            .unit("s")
            .help("how long the water runs");
        water.describe(d);
        d.lines("reservoir", reservoir)
            .help("areas of water that breaks out: closed lines, \"x,y x,y ... close\" in metres");
        d.number("level", level)
            .range(-100000, 100000)
            .slider(0, 1000)
            .unit("m")
            .help("height that the water of a reservoir stands at, where the ground is lower");
        d.number("reached", reached)
            .range(0, 1000)
            .slider(0.01, 1)
            .unit("m")
            .help("depth from which on water has arrived");
        d.reads("height");
        // What is there already goes on flowing.
        d.reads_if_there("water");
        d.makes("water");
        d.makes("speed");
        d.makes("arrival");
        d.works_with(12);
    }

    void check(const Grid& grid) const { water.check(duration, grid.cell); }

    std::vector<Stage> stages(const Grid& grid) const {
        return water.until_stopped({water.stage_lasting(duration, grid.cell)});
    }

    Reach reach(const Grid& grid) const { return Reach::steps(3, stages(grid).front().steps); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Flooding final : public WaterSimulation {
  public:
    Flooding(const Flood& by, const Grid& grid)
        : WaterSimulation(by.water, by.stages(grid), {}, {},
                          numbers_of(StructSchema::of<Flood>().schema(), by.water, {})),
          by_(by) {}

    int fields_in_step() const override { return 14 + varying_numbers(); }

    SimulationFields ground(Work& work) const override {
        SimulationFields ground = ground_of_water(work, false);
        if (by_.reservoir.given()) {
            const LineSet& given = work.terrain().lines(by_.reservoir);
            if (const auto off = beside_the_land("reservoir", given, work.terrain().grid())) work.warn(*off);
            ground.set("water", filled_reservoir(given, by_.level, work.terrain().grid(), ground.at("height"),
                                                 ground.at("water")));
        }
        return ground;
    }

    SimulationFields begin(Work& work, const SimulationFields& ground) const override {
        SimulationFields state = WaterSimulation::begin(work, ground);
        Field arrival(state.rect());
        Field speed(state.rect());
        work.launch(
            kernel::flood_begin, state.rect(),
            {.water = state.at("water"), .arrival = arrival, .speed = speed, .reached = float(by_.reached)});
        state.set("arrival", std::move(arrival));
        state.set("speed", std::move(speed));
        return state;
    }

    void put(Work& work, const SimulationFields& state) const override {
        for (const char* name : {"water", "speed", "arrival"}) work.terrain().set(name, state.at(name));
    }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override {
        enter_water(work, ground, state, counted);
    }

  protected:
    void move(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        Field& water = state.at("water");
        Field& next_water = state.spare(0);
        work.launch_around(2, kernel::flood_move, step.cells,
                           {.ground = state.at("height"),
                            .water = water,
                            .east = state.at("east"),
                            .south = state.at("south"),
                            .area = ground.find("area"),
                            .springs = ground.find("springs"),
                            .water_rest = state.at("water-rest"),
                            .next_water = next_water,
                            .moved_east = state.at("moved-east"),
                            .moved_south = state.at("moved-south"),
                            .speed = state.at("speed"),
                            .arrival = state.at("arrival"),
                            .came = state.find("came"),
                            .came_rest = state.find("came-rest"),
                            .evaporated = state.find("evaporated"),
                            .evaporated_rest = state.find("evaporated-rest"),
                            .left = state.find("left"),
                            .left_rest = state.find("left-rest"),
                            .rain = number("rain", ground, step.stage),
                            .evaporation = number("evaporation", ground, step.stage),
                            .seconds = float(step.stage.share),
                            .advance = advance(state, step),
                            .reached = float(by_.reached),
                            .now = float(step.begins() + step.stage.share),
                            .open_border = is_open()});
        std::swap(water, next_water);
    }

  private:
    const Flood by_;
};

std::unique_ptr<const Simulation> Flood::simulation(const Grid& grid) const {
    return std::make_unique<Flooding>(*this, grid);
}

REGISTER_OPERATION("flood", "rivers", Flood);

}  // namespace

}  // namespace caprock
