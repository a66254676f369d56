// Erosion by velocity fields (N. Chiba, K. Muraoka and K. Fujita, 1998; Editor §6.2). Each step is an iteration of theirs: first
// water runs from all cells, and it is noted how much went through each, how fast and where to, and what energy it lost there;
// then these three fields say what is dissolved, carried and laid down.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/gravity.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// A way of more cells is not gone to its end.
constexpr int most_moves = 128;
// Streams are a cell wide; what they do is done so many cells around them.
constexpr int widenings = 2;
// What sediment water still carries at its end comes to rest while it spreads to all sides, or it would stand on hollows in heaps.
constexpr int spreadings = 8;

struct VelocityErosion {
    SimulatedTime time{.duration = 60};
    Number rain = 0.1;
    double way = 160;
    double momentum = 16;
    Number collision = 0.3;
    Number friction = 0.1;
    Number capacity = 0.5;
    double deposition = 0.3;

    void describe(Declaration& d) const {
        d.summary(
            "water carves where it runs fast and where it is stopped: by fields of water, velocity and "
            "collision");
        d.source("Editor, section 6.2, after Chiba, Muraoka and Fujita");
        time.describe(d,
                      "size of the cells that are worked on first. Finer ones follow and get gullies of "
                      "their own, so that "
                      "the land is the same at any resolution");
        d.number("rain", rain)
            .range(0, 10)
            .slider(0, 1)
            .unit("m")
            .help("depth of the water that runs in each step");
        d.number("way", way)
            .range(0, 100000)
            .slider(10, 1000)
            .logarithmic()
            .unit("m")
            .help("how far water runs in a step, and sediment behind it, at most 128 cells");
        d.number("momentum", momentum)
            .range(0, 100000)
            .slider(1, 200)
            .logarithmic()
            .unit("m")
            .help(
                "way on which the speed of water comes to that of the slope; on a longer one it is faster, "
                "and "
                "follows the slope less");
        d.number("collision", collision)
            .range(0, 100)
            .slider(0, 5)
            .help(
                "metres of rock that a metre of water dissolves where it loses as much height in speed as it "
                "goes");
        d.number("friction", friction)
            .range(0, 100)
            .slider(0, 5)
            .help(
                "metres of rock that a metre of water dissolves where it runs as fast as on a slope of 45 "
                "degrees");
        d.number("capacity", capacity)
            .range(0, 100)
            .slider(0, 5)
            .help("metres of sediment that it carries there");
        d.number("deposition", deposition)
            .range(0, 1)
            .help("share of what it cannot carry that is laid down on each cell of the way");
        d.changes("height");
        d.reads_if_there("hardness");
        d.works_with(16);
    }

    // More of the time in finer cells would be other streams there.
    std::vector<Stage> stages(const Grid& grid) const { return time.stages_alike(grid, 1.0 / 30); }

    // In the terrain's own cells, where these are larger than the scale: finer ones see the same, smaller.
    int moves(const Grid& grid) const {
        const double cell =
            time.steps > 0 ? grid.cell : std::ldexp(grid.cell, doublings_to(time.scale, grid));
        return int(std::clamp(std::ceil(way / cell), 1.0, double(most_moves)));
    }
    // Two for each move of water, one for each widening, one where it wears, and two for each move of sediment.
    int reach_of_step(const Grid& grid) const { return 4 * moves(grid) + 2 * spreadings + widenings + 1; }
    Reach reach(const Grid& grid) const { return time.reach(stages(grid), reach_of_step(grid)); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Velocities final : public ScaledSimulation {
  public:
    Velocities(const VelocityErosion& by, const Grid& grid)
        : ScaledSimulation(by.stages(grid), {}, {"taken", "laid"}, numbers_of(by)),
          by_(by),
          moves_(by.moves(grid)),
          reach_(by.reach_of_step(grid)) {}

    int reach() const override { return reach_; }
    int fields_in_step() const override { return 16 + varying_numbers(); }
    int launches_in_step() const override { return 2 + 4 * moves_ + 4 * widenings + 2 * spreadings; }
    SimulationFields ground(Work& work) const override { return ground_of(work, false); }

    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const Constants of(by_, state.cell());
        run_water(work, ground, state, step, of);
        const Rect& rect = state.rect();
        Field& height = state.at("height");
        Field& sediment = state.spare(moving);
        Field& load = state.spare(load_or_speed);
        Field& height_after = state.spare(next);
        work.launch_around(1, kernel::velocity_wear, rect,
                           {.height = height,
                            .passed = state.spare(passed),
                            .run_east = state.spare(run_east),
                            .run_south = state.spare(run_south),
                            .collided = state.spare(collided),
                            .hardness = ground.find("hardness"),
                            .worn = height_after,
                            .sediment = sediment,
                            .taken = state.find("taken"),
                            .collision = number("collision", ground, step.stage),
                            .friction = number("friction", ground, step.stage),
                            .per_slope = of.per_slope,
                            .per_energy = of.per_energy});
        std::swap(height, height_after);
        const int last = moves_ + spreadings - 1;
        for (int move = 0; move <= last; move++) {
            work.launch_around(1, kernel::velocity_settle, rect,
                               {.height = height,
                                .sediment = sediment,
                                .passed = state.spare(passed),
                                .run_east = state.spare(run_east),
                                .run_south = state.spare(run_south),
                                .settled = height_after,
                                .load = load,
                                .laid = state.find("laid"),
                                .capacity = number("capacity", ground, step.stage),
                                .per_slope = of.per_slope,
                                .deposition = float(by_.deposition),
                                .all = move == last});
            std::swap(height, height_after);
            // In the end all is laid down.
            if (move == last) break;
            work.launch_around(1, kernel::velocity_carry, rect,
                               {.height = height,
                                .load = load,
                                .run_east = state.spare(run_east),
                                .run_south = state.spare(run_south),
                                .area = ground.find("area"),
                                .sediment = sediment,
                                .evenly = move >= moves_});
        }
    }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override {
        work.enter(line_of_rock(ground, state, counted[1], counted[0]));
        // Nothing is carried from one step to the next.
        LedgerEntry sediment;
        sediment.quantity = "sediment";
        sediment.in = counted[0];
        sediment.out = counted[1];
        work.enter(sediment);
    }

  private:
    // What a step makes on its way.
    enum Spare {
        moving,
        east,
        south,
        passed,
        run_east,
        run_south,
        collided,
        ahead_east,
        ahead_south,
        load_or_speed,
        next
    };

    // What kernels are given in cells of one size.
    struct Constants {
        Constants(const VelocityErosion& by, double cell) {
            const double momentum = std::max(by.momentum, cell / 500);
            pull = float(2 * gravity * cell);
            per_two_cells = float(0.5 / cell);
            per_slope = float(2 * gravity * momentum);
            kept = float(exponential(-cell / momentum));
            per_energy = float(1 / (gravity * cell));
        }
        float pull, per_two_cells, per_slope, kept, per_energy;
    };

    static std::vector<StepNumber> numbers_of(const VelocityErosion& by) {
        const Schema& schema = StructSchema::of<VelocityErosion>().schema();
        return {{schema.at("rain"), by.rain,
                 [](double rain, const Stage& stage) { return float(rain * stage.share); }},
                {schema.at("collision"), by.collision, StepNumber::as_it_is},
                {schema.at("friction"), by.friction, StepNumber::as_it_is},
                {schema.at("capacity"), by.capacity, StepNumber::as_it_is}};
    }

    void run_water(Work& work, const SimulationFields& ground, SimulationFields& state,
                   const SimulationStep& step, const Constants& of) const {
        const Rect& rect = state.rect();
        const Field& height = state.at("height");
        work.launch(kernel::velocity_drop, rect,
                    {.height = height,
                     .moving = state.spare(moving),
                     .east = state.spare(east),
                     .south = state.spare(south),
                     .passed = state.spare(passed),
                     .run_east = state.spare(run_east),
                     .run_south = state.spare(run_south),
                     .collided = state.spare(collided),
                     .rain = number("rain", ground, step.stage)});
        for (int move = 0; move < moves_; move++) {
            work.launch_around(1, kernel::velocity_steer, rect,
                               {.height = height,
                                .east = state.spare(east),
                                .south = state.spare(south),
                                .ahead_east = state.spare(ahead_east),
                                .ahead_south = state.spare(ahead_south),
                                .speed_squared = state.spare(load_or_speed),
                                .pull = of.pull,
                                .per_two_cells = of.per_two_cells});
            work.launch_around(1, kernel::velocity_move, rect,
                               {.height = height,
                                .moving = state.spare(moving),
                                .ahead_east = state.spare(ahead_east),
                                .ahead_south = state.spare(ahead_south),
                                .speed_squared = state.spare(load_or_speed),
                                .next_moving = state.spare(next),
                                .east = state.spare(east),
                                .south = state.spare(south),
                                .passed = state.spare(passed),
                                .run_east = state.spare(run_east),
                                .run_south = state.spare(run_south),
                                .collided = state.spare(collided),
                                .twice_gravity = float(2 * gravity),
                                .per_slope = of.per_slope,
                                .kept = of.kept,
                                .per_two_cells = of.per_two_cells});
            std::swap(state.spare(moving), state.spare(next));
        }
        for (Spare field : {passed, run_east, run_south, collided})
            for (int widening = 0; widening < widenings; widening++) {
                work.launch_around(
                    1, kernel::velocity_banks, rect,
                    {.height = height, .field = state.spare(field), .around = state.spare(next)});
                std::swap(state.spare(field), state.spare(next));
            }
    }

    const VelocityErosion by_;
    const int moves_;
    const int reach_;
};

std::unique_ptr<const Simulation> VelocityErosion::simulation(const Grid& grid) const {
    return std::make_unique<Velocities>(*this, grid);
}

REGISTER_OPERATION("velocity-erosion", "erosion", VelocityErosion);

}  // namespace

}  // namespace caprock
