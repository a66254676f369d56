// Droplet erosion: particles with inertia that take rock from where they run fast and lay it down where they slow down (H. T.
// Beyer, Implementation of a method for hydraulic erosion, 2015; radius and limits as in S. Lague's, 2019).
//
// There all droplets run one after the other, each on what the one before has left, so that nothing can be shared among
// threads, and the first ones see another land than the last. Here a step lets one start in each square of four by four
// cells, and they all see the same land; droplets.h has what that takes. Their ways cross anywhere, and kernels cannot scatter:
// so droplets run on the host, whatever the device is, and what is done for every cell is done there.
#include "base/mathematics.h"
#include "base/random.h"
#include "compute/in_parallel.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/droplets.h"
#include "operations/erosion/scales.h"
#include "operations/erosion/volumes.h"
#include "operations/gravity.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// A way of more cells is not gone to its end, and no brush is wider.
constexpr int most_steps_of_way = 1024;
constexpr double widest_brush = 16;

struct DropletErosion {
    SimulatedTime time{.duration = 40};
    Number rain = 0.1;
    double capacity = 1;
    double erosion = 0.3;
    double deposition = 0.3;
    double radius = 24;
    double inertia = 0.1;
    double way = 800;
    double evaporation = 0.02;
    double gravity = caprock::gravity;
    double momentum = 20;
    double slope_least = 0.01;
    uint32_t seed = 1;

    void describe(Declaration& d) const {
        d.summary("droplets run down the land, carve gullies and build fans where they slow down");
        d.source("H. T. Beyer, Implementation of a method for hydraulic erosion, 2015");
        time.describe(
            d,
            "size of the cells that are worked on first: in each step a droplet starts in every four by four "
            "of "
            "them. Finer ones follow and get gullies of their own, so that the land is the same at any "
            "resolution");
        d.number("rain", rain)
            .range(0, 10)
            .slider(0, 0.5)
            .unit("m")
            .help(
                "depth of the water that comes down in one step: a droplet has that of its four by four "
                "cells");
        d.number("capacity", capacity)
            .range(0, 100)
            .slider(0, 5)
            .help("metres of sediment that a metre of water carries at 1 m/s down a slope of 45 degrees");
        d.number("erosion", erosion)
            .range(0, 1)
            .help("share of what it could carry besides that a droplet takes on a way as long as the scale");
        d.number("deposition", deposition)
            .range(0, 1)
            .help("share of what it cannot carry that it lays down on such a way");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 100)
            .unit("m")
            .help("how far around a droplet rock is taken, at most 16 cells: half the width of gullies");
        d.number("inertia", inertia)
            .range(0, 1)
            .help("how much of its direction it keeps on a way as long as the scale");
        d.number("way", way)
            .range(0, 100000)
            .slider(10, 5000)
            .logarithmic()
            .unit("m")
            .help("how far a droplet runs, at most 1024 cells");
        d.number("evaporation", evaporation)
            .range(0, 1)
            .slider(0, 0.2)
            .help("share of its water that it loses on a way as long as the scale");
        d.number("gravity", gravity).range(0, 100).slider(0, 20).unit("m/s²").help("what makes it fast");
        d.number("momentum", momentum)
            .range(0, 100000)
            .slider(1, 200)
            .logarithmic()
            .unit("m")
            .help("way on which its speed comes to that of the slope; on a longer one it is faster");
        d.number("slope-least", slope_least)
            .range(0, 1)
            .slider(0, 0.1)
            .help("flatter ground counts as so steep: a droplet carries something everywhere");
        d.seed("seed", seed).help("another seed lets droplets start elsewhere");
        d.changes("height");
        d.reads_if_there("hardness");
        // Besides fields what droplets take and lay down, and their ways.
        d.works_with(36);
    }

    std::vector<Stage> stages(const Grid& grid) const { return time.stages_alike(grid, 0.1); }

    // As in cells of the scale, or in the terrain's own where these are larger: finer ones see the same, smaller.
    double first_cell(const Grid& grid) const {
        return time.steps > 0 ? grid.cell : std::ldexp(grid.cell, doublings_to(time.scale, grid));
    }
    int steps_of_way(const Grid& grid) const {
        return int(std::clamp(std::ceil(way / first_cell(grid)), 1.0, double(most_steps_of_way)));
    }
    // No narrower than the cells beside one.
    double brush_in_cells(const Grid& grid) const {
        return std::clamp(radius / first_cell(grid), 1.5, widest_brush);
    }
    int brush_reach(const Grid& grid) const { return int(std::ceil(brush_in_cells(grid))) - 1; }
    // A droplet comes from no further than its way is long, reads the cell beyond, and is spread out by the brush, which knows all the
    // ground of another one.
    int reach_of_step(const Grid& grid) const { return steps_of_way(grid) + 2 * brush_reach(grid) + 3; }

    Reach reach(const Grid& grid) const { return time.reach(stages(grid), reach_of_step(grid)); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Running final : public ScaledSimulation {
  public:
    Running(const DropletErosion& by, const Grid& grid)
        : ScaledSimulation(by.stages(grid), {}, {"taken", "laid", "gone"}, numbers_of(by)),
          by_(by),
          first_cell_(by.first_cell(grid)),
          most_steps_(by.steps_of_way(grid)),
          brush_reach_(by.brush_reach(grid)),
          reach_(by.reach_of_step(grid)),
          brush_(brush(by.brush_in_cells(grid), brush_reach_)) {
        for (float weight : brush_) all_weights_ += weight;
    }

    int reach() const override { return reach_; }
    int fields_in_step() const override { return 36 + varying_numbers(); }
    int launches_in_step() const override { return 2; }
    SimulationFields ground(Work& work) const override { return ground_of(work, false); }

    SimulationFields begin(Work& work, const SimulationFields& ground) const override {
        return with_rests(ScaledSimulation::begin(work, ground));
    }
    SimulationFields finer(Work& work, const SimulationFields& fine, const SimulationFields& coarse,
                           const SimulationFields& state) const override {
        return with_rests(ScaledSimulation::finer(work, fine, coarse, state));
    }

    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const Rect& rect = state.rect();
        Field& height = state.at("height");
        Field& grip = state.at("grip");
        Field& hold = state.at("hold");
        Field& taken = state.spare(0);
        Field& laid = state.spare(1);
        Field& settled = state.spare(2);
        // What there is to be taken and to be laid on stays the same.
        if (step.index == 0)
            work.launch_around(std::max(brush_reach_, 1), kernel::droplet_ground, rect,
                               {.height = height,
                                .hardness = ground.find("hardness"),
                                .area = ground.find("area"),
                                .grip = grip,
                                .hold = hold,
                                .weights = brush_,
                                .radius = brush_reach_});
        const DropletRules rules = rules_of(state.cell(), step);
        const Varying rain = number("rain", ground, step.stage);
        work.on_host([&] {
            const std::lock_guard lock(running_);
            droplets_.run(rules, height, grip, all_weights_, rain, work.progress());
            spread(droplets_.taken(), rules.unit(), grip, taken);
            spread(droplets_.laid(), rules.unit(), hold, laid);
            if (state.find("gone")) {
                count(droplets_.taken(), rules.unit(), state.at("taken"));
                count(droplets_.laid(), rules.unit(), state.at("laid"));
                count(droplets_.gone(), rules.unit(), state.at("gone"));
            }
        });
        work.launch_around(std::max(brush_reach_, 1), kernel::droplet_settle, rect,
                           {.height = height,
                            .taken = taken,
                            .laid = laid,
                            .hardness = ground.find("hardness"),
                            .rest = state.at("rest"),
                            .settled = settled,
                            .weights = brush_,
                            .radius = brush_reach_});
        std::swap(height, settled);
    }

    // What droplets did is counted as they did it; what lies on the land is measured.
    std::vector<double> counted(Work&, const SimulationFields& ground,
                                const SimulationFields& state) const override {
        Volumes volumes(ground.cell());
        std::vector<double> sums;
        for (const char* name : {"taken", "laid", "gone"}) sums.push_back(volumes.of(state.at(name)));
        return sums;
    }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override {
        const double taken = counted[0], laid = counted[1], gone = counted[2];
        work.enter(line_of_rock(ground, state, laid, taken));
        // Droplets leave nothing behind that they would still carry, but some leave the land.
        LedgerEntry sediment;
        sediment.quantity = "sediment";
        sediment.in = taken;
        sediment.out = laid + gone;
        work.enter(sediment);
    }

  private:
    static std::vector<StepNumber> numbers_of(const DropletErosion& by) {
        const Schema& schema = StructSchema::of<DropletErosion>().schema();
        return {{schema.at("rain"), by.rain,
                 [](double rain, const Stage& stage) { return float(rain * stage.share); }}};
    }

    // Less from the middle to the rim; row after row.
    static std::vector<float> brush(double radius, int reach) {
        std::vector<float> weights;
        for (int dy = -reach; dy <= reach; dy++)
            for (int dx = -reach; dx <= reach; dx++)
                weights.push_back(float(std::max(1 - std::sqrt(double(dx * dx + dy * dy)) / radius, 0.0)));
        return weights;
    }

    static SimulationFields with_rests(SimulationFields state) {
        for (const char* name : {"rest", "grip", "hold"}) state.set(name, Field(state.rect(), 0.0f));
        return state;
    }

    DropletRules rules_of(double cell, const SimulationStep& step) const {
        // Shares are of a way as long as the scale.
        const double ways = by_.time.steps > 0 ? 1 : cell / by_.time.scale;
        auto kept = [&](double share) { return share > 0 ? power(share, ways) : 0.0; };
        DropletRules rules;
        rules.cell = cell;
        rules.most_steps = most_steps_;
        rules.inertia = float(kept(by_.inertia));
        const double momentum = std::max(by_.momentum, cell / 500);
        rules.speed_kept = exponential(-cell / momentum);
        rules.speed_gained = 2 * by_.gravity * momentum * (1 - rules.speed_kept) / cell;
        rules.water_kept = kept(1 - by_.evaporation);
        rules.capacity = by_.capacity;
        rules.slope_least = by_.slope_least;
        rules.erosion = 1 - kept(1 - by_.erosion);
        rules.deposition = 1 - kept(1 - by_.deposition);
        const auto halvings = uint32_t(std::lround(std::log2(first_cell_ / cell)));
        rules.seed = hashed(hashed(by_.seed, halvings, 0), uint32_t(step.index), 0);
        return rules;
    }

    // Amounts as metres over the ground that there is for them.
    static void spread(const Droplets::Amounts& amounts, double unit, const Field& ground, Field& metres) {
        const Rect& rect = ground.rect();
        const Field::Rows over = ground.rows();
        const Field::WritableRows to = metres.writable_rows();
        in_parallel(size_t(rect.height()), [&](size_t row) {
            const int y = rect.top + int(row);
            const std::atomic<int64_t>* from = &amounts[row * size_t(rect.width())];
            for (int x = 0; x < rect.width(); x++) {
                const int64_t amount = from[x].load(std::memory_order_relaxed);
                to[y][x] = amount != 0 ? float(double(amount) * unit / double(over[y][x])) : 0.0f;
            }
        });
    }

    static void count(const Droplets::Amounts& amounts, double unit, Field& sum) {
        const Rect& rect = sum.rect();
        const Field::WritableRows to = sum.writable_rows();
        for (int y = rect.top; y < rect.bottom; y++) {
            const std::atomic<int64_t>* from = &amounts[size_t(y - rect.top) * size_t(rect.width())];
            for (int x = 0; x < rect.width(); x++)
                to[y][x] += float(double(from[x].load(std::memory_order_relaxed)) * unit);
        }
    }

    const DropletErosion by_;
    const double first_cell_;
    const int most_steps_;
    const int brush_reach_;
    const int reach_;
    const std::vector<float> brush_;
    float all_weights_ = 0;
    // Room for droplets, which is used again in every step.
    mutable Droplets droplets_;
    mutable std::mutex running_;
};

std::unique_ptr<const Simulation> DropletErosion::simulation(const Grid& grid) const {
    return std::make_unique<Running>(*this, grid);
}

REGISTER_OPERATION("droplet-erosion", "erosion", DropletErosion);

}  // namespace

}  // namespace caprock
