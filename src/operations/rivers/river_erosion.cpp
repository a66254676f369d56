// Rivers that shape their valleys: shallow water with sediment. The water is that of shallow_water.h; what it takes, carries and drops
// is in kernels/river_erosion.kernel. Layout of pipes and capacity after Mei, Decaudin and Hu (2007), banks after Stava, Benes,
// Brisbin and Krivanek (2008), momentum after Stelling and Duinmeijer (2003).
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/rivers/shallow_water.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// Of what stands too steeply, so much slumps in a step. Four neighbours take it from both sides, which is stable up to an eighth.
constexpr double slump_in_step = 0.05;

struct RiverErosion {
    double duration = 3600;
    double acceleration = 300;
    double scale = 8;
    ShallowWater water{.rain = 50};
    Number capacity = 0.5;
    Number dissolving = 0.0003;
    Number settling = 0.02;
    double spreading = 0.6;
    Number talus = 40;

    void describe(Declaration& d) const {
        d.summary("water that runs for hours carves channels and valleys, and lays fans and bars");
        d.number("duration", duration)
            .range(0, 10000000)
            .slider(60, 36000)
            .logarithmic()
            .unit("s")
            .help("how long the water runs");
        d.number("acceleration", acceleration)
            .range(0, 1000000)
            .slider(1, 10000)
            .logarithmic()
            .help(
                "how many times faster than the water the bed changes: an hour of water is so many hours of "
                "erosion");
        d.number("scale", scale)
            .range(0.001, 100000)
            .slider(1, 100)
            .logarithmic()
            .unit("m")
            .help(
                "size of the cells that are worked on first. Finer ones follow them and get channels of "
                "their "
                "own, so that the land is the same at any resolution");
        water.describe(d);
        d.number("capacity", capacity)
            .range(0, 1000)
            .slider(0, 5)
            .unit("s/m")
            .help(
                "sediment that water carries, as a share of its volume, for each metre that it comes down in "
                "a "
                "second");
        d.number("dissolving", dissolving)
            .range(0, 10)
            .slider(0, 0.003)
            .unit("m/s")
            .help("how fast it takes that from a bed of hardness 0; rock of hardness 1 is never worn");
        d.number("settling", settling)
            .range(0, 10)
            .slider(0, 0.1)
            .unit("m/s")
            .help("how fast what is too much sinks to the bed: 0.001 silt, 0.02 sand, 0.2 gravel");
        d.number("spreading", spreading)
            .range(0, 1000)
            .slider(0, 5)
            .help(
                "how readily sediment on its way rolls down across it: more of it makes beds wide and "
                "shallow");
        d.number("talus", talus)
            .range(0, 85)
            .slider(10, 60)
            .unit("degrees")
            .help("angle that banks stand at; steeper ones slump where water is");
        d.changes("height");
        // What is there already goes on flowing.
        d.reads_if_there("water");
        d.makes("water");
        d.reads_if_there("sediment");
        d.makes("sediment");
        d.reads_if_there("hardness");
        d.works_with(13);
    }

    void check(const Grid& grid) const { water.check(duration, grid.cell); }

    // The terrain's own cells first. A twentieth of all time is enough to carve what is too fine for the coarsest cells.
    std::vector<Stage> stages(const Grid& grid) const {
        const int doublings = doublings_to(scale, grid);
        std::vector<Stage> stages;
        double left = duration;
        for (int i = 0; i < doublings; i++) {
            const double part = 0.05 * duration * std::ldexp(1.0, i - doublings);
            stages.push_back(water.stage_lasting(part, std::ldexp(grid.cell, i)));
            left -= part;
        }
        stages.push_back(water.stage_lasting(left, std::ldexp(grid.cell, doublings)));
        return water.until_stopped(std::move(stages));
    }

    Reach reach(const Grid& grid) const {
        double cells = 0;
        double cell = 1;
        for (const Stage& stage : stages(grid)) {
            // Three in a step, and from one size of cells to the next those that share what lies between.
            cells += cell * (3.0 * stage.steps + 3);
            cell *= 2;
        }
        return Reach::steps(int(std::min(cells, double(1 << 17))), 1);
    }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Eroding final : public WaterSimulation {
  public:
    Eroding(const RiverErosion& by, const Grid& grid)
        : WaterSimulation(by.water, by.stages(grid), {"sediment"}, {"taken", "laid", "carried-off"},
                          numbers_of(by)),
          by_(by) {}

    int fields_in_step() const override { return 15 + varying_numbers(); }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override {
        const double taken = counted[3], laid = counted[4], off = counted[5];
        work.enter(line_of_rock(ground, state, laid, taken));
        work.enter(line_of("sediment", "sediment", ground, state, taken, laid + off));
        enter_water(work, ground, state, counted);
    }

  protected:
    void move(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        Field& height = state.at("height");
        Field& water = state.at("water");
        Field& sediment = state.at("sediment");
        Field& next_height = state.spare(0);
        Field& next_water = state.spare(1);
        Field& next_sediment = state.spare(2);
        work.launch_around(2, kernel::river_erosion_move, step.cells,
                           {.ground = height,
                            .water = water,
                            .sediment = sediment,
                            .east = state.at("east"),
                            .south = state.at("south"),
                            .area = ground.find("area"),
                            .hardness = ground.find("hardness"),
                            .springs = ground.find("springs"),
                            .water_rest = state.at("water-rest"),
                            .ground_rest = state.at("height-rest"),
                            .next_ground = next_height,
                            .next_water = next_water,
                            .next_sediment = next_sediment,
                            .moved_east = state.at("moved-east"),
                            .moved_south = state.at("moved-south"),
                            .came = state.find("came"),
                            .came_rest = state.find("came-rest"),
                            .evaporated = state.find("evaporated"),
                            .evaporated_rest = state.find("evaporated-rest"),
                            .left = state.find("left"),
                            .left_rest = state.find("left-rest"),
                            .taken = state.find("taken"),
                            .taken_rest = state.find("taken-rest"),
                            .laid = state.find("laid"),
                            .laid_rest = state.find("laid-rest"),
                            .carried_off = state.find("carried-off"),
                            .carried_off_rest = state.find("carried-off-rest"),
                            .rain = number("rain", ground, step.stage),
                            .evaporation = number("evaporation", ground, step.stage),
                            .capacity = number("capacity", ground, step.stage),
                            .dissolving = number("dissolving", ground, step.stage),
                            .settling = number("settling", ground, step.stage),
                            .stands = number("talus", ground, step.stage),
                            .slump = float(slump_in_step),
                            .spread = float(by_.spreading / (2 * state.cell())),
                            .seconds = float(step.stage.share),
                            .advance = advance(state, step),
                            .cell = float(state.cell()),
                            .open_border = is_open()});
        std::swap(height, next_height);
        std::swap(water, next_water);
        std::swap(sediment, next_sediment);
    }

  private:
    static std::vector<StepNumber> numbers_of(const RiverErosion& by) {
        const Schema& schema = StructSchema::of<RiverErosion>().schema();
        const double acceleration = by.acceleration;
        auto in_step = [](double speed, const Stage& stage) { return float(speed * stage.share); };
        return WaterSimulation::numbers_of(
            schema, by.water,
            {{schema.at("capacity"), by.capacity,
              [acceleration](double share, const Stage&) { return float(share * acceleration); }},
             {schema.at("dissolving"), by.dissolving, in_step},
             {schema.at("settling"), by.settling, in_step},
             {schema.at("talus"), by.talus,
              [](double degrees, const Stage&) { return float(tangent_of_degrees(degrees)); }}});
    }

    const RiverErosion by_;
};

std::unique_ptr<const Simulation> RiverErosion::simulation(const Grid& grid) const {
    return std::make_unique<Eroding>(*this, grid);
}

REGISTER_OPERATION("river-erosion", "rivers", RiverErosion);

}  // namespace

}  // namespace caprock
