// Hydraulic erosion (Frontier §5.4.2, after Musgrave and Beneš): rain that flows, dissolves, carries, drops and
// evaporates.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/erosion/volumes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// The part of a stretch of time in which it rains: a unit from the beginning of every period on, or only of the first.
double rainy_part(double from, double to, int period) {
    // All rain that has fallen by then.
    auto fallen = [&](double time) {
        if (period == 0) return std::min(time, 1.0);
        double periods = std::floor(time / period);
        return periods + std::min(time - periods * period, 1.0);
    };
    return fallen(to) - fallen(from);
}

struct HydraulicErosion {
    static constexpr int version = 2;

    SimulatedTime time{.duration = 300};
    Number capacity = 0.7;
    Number deposition = 0.5;
    Number dissolving = 0.5;
    Number evaporation = 0.03;
    Number rain_gain = 0.01;
    Number rain_least = 0.01;
    int rain_every = 1;

    void describe(Declaration& d) const {
        d.summary("rain carves gullies and valleys, and fills hollows with what it carried");
        d.source("Frontier, section 5.4.2");
        time.describe(
                d,
                "size of the cells that are worked on first, and which water crosses in a step. Finer ones "
                "follow them and get gullies of their own, so that the land is the same at any resolution")
            .once_called("iterations");
        d.number("capacity", capacity)
            .range(0, 10)
            .slider(0, 1)
            .help("Kc: metres of sediment that a metre of water carries");
        d.number("deposition", deposition)
            .range(0, 1)
            .help("Kd: share of the sediment beyond that which is dropped in one step");
        d.number("dissolving", dissolving)
            .range(0, 1)
            .help("Ks: share of what could be carried besides that is taken from soluble ground in one step");
        d.number("evaporation", evaporation)
            .range(0, 1)
            .slider(0, 0.5)
            .help("Ke: share of all water, each step");
        d.number("rain-least", rain_least)
            .range(0, 10)
            .slider(0, 0.1)
            .unit("m")
            .help("Wmin: rain at the low end of the height range, in one step");
        d.number("rain-gain", rain_gain)
            .range(0, 10)
            .slider(0, 0.1)
            .unit("m")
            .help("W0: how much more rain falls at the high end");
        d.integer("rain-every", rain_every)
            .range(0, 100000)
            .slider(0, 100)
            .help("steps from one rain to the next; 0: it rains only at the beginning");
        d.changes("height");
        // What is there already goes on flowing.
        d.reads_if_there("water");
        d.makes("water");
        d.reads_if_there("sediment");
        d.makes("sediment");
        d.reads_if_there("hardness");
        d.reads_if_there("solubility");
        d.works_with(8);
    }

    // Version 1 knew steps alone.
    void from_version(int written) {
        if (written < 2) time = {.duration = 0, .scale = time.scale, .steps = 300};
    }

    // The terrain's own cells first. Water crosses a cell in a step, so that in cells of half the size a step lasts half as
    // long. A twentieth as many steps as in the coarsest cells are enough to carve what is too fine for those.
    std::vector<Stage> stages(const Grid& grid) const {
        if (time.steps > 0) return time.until_stopped({{time.steps, 1}});
        int doublings = doublings_to(time.scale, grid);
        double in_cells = std::ldexp(grid.cell, doublings) / time.scale;
        std::vector<Stage> stages;
        double left = time.duration;
        for (int i = 0; i < doublings; i++) {
            // Of a twentieth of all time the finest cells have the least.
            double part = 0.05 * time.duration * std::ldexp(1.0, i - doublings);
            stages.push_back(stage_lasting(part, in_cells * std::ldexp(1.0, i - doublings)));
            left -= part;
        }
        stages.push_back(stage_lasting(left, in_cells));
        return time.until_stopped(std::move(stages));
    }
    // Steps that last about so long each; their share is their exact time.
    static Stage stage_lasting(double part, double step) {
        Stage stage = Stage::lasting(part / step);
        return {stage.steps, stage.steps > 0 ? part / stage.steps : 1};
    }

    Reach reach(const Grid& grid) const { return time.reach(stages(grid)); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

// What goes from rock to water and back is counted where it goes, step by step and cell by cell, and not told from what there is
// in the end: else all lines of the ledger would add up whatever the rules do.
class Flowing final : public ScaledSimulation {
  public:
    Flowing(const HydraulicErosion& by, const Grid& grid)
        : ScaledSimulation(by.stages(grid), {"water", "sediment"}, {"rained", "evaporated", "taken", "laid"},
                           numbers_of(by, grid)),
          by_(by) {}

    int fields_in_step() const override { return 10 + varying_numbers(); }
    int launches_in_step() const override { return 3; }

    SimulationFields ground(Work& work) const override {
        SimulationFields ground = ground_of(work, true);
        for (const char* name : {"water", "sediment"}) {
            Field begun(ground.rect());
            work.launch(kernel::hydraulic_begin, ground.rect(),
                        {.height = ground.at("height"), .before = work.terrain().find(name), .begun = begun});
            ground.set(name, std::move(begun));
        }
        return ground;
    }

    // The stage's share is how long a step lasts.
    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const double length = step.stage.share;
        const Interval range = work.terrain().grid().range;
        const Field* hardness = ground.find("hardness");
        Field& height = state.at("height");
        Field& water = state.at("water");
        Field& sediment = state.at("sediment");
        Field& resting = state.spare(0);
        Field& flow = state.spare(1);
        Field& load = state.spare(2);
        Field& height_after = state.spare(3);
        Field& water_after = state.spare(4);
        auto around = [&](int cells) { return step.cells.expanded(cells).intersected(state.rect()); };
        const double rain = rainy_part(step.begins(), step.begins() + length, by_.rain_every);
        if (rain > 0) {
            const RainNumber least = rain_number("rain-least", by_.rain_least, 1, ground, step.stage, rain);
            const RainNumber gain =
                rain_number("rain-gain", by_.rain_gain, range.span(), ground, step.stage, rain);
            work.launch(kernel::hydraulic_rain, around(2),
                        {.height = height,
                         .water = water,
                         .rained = state.find("rained"),
                         .least = least.number,
                         .gain = gain.number,
                         .least_part = least.part,
                         .gain_part = gain.part,
                         .low = float(range.low)});
        }
        work.launch_around(1, kernel::hydraulic_leave, around(1),
                           {.height = height,
                            .water = water,
                            .sediment = sediment,
                            .hardness = hardness,
                            .solubility = ground.find("solubility"),
                            .ground = height_after,
                            .resting = resting,
                            .flow = flow,
                            .load = load,
                            .taken = state.find("taken"),
                            .laid = state.find("laid"),
                            .capacity = number("capacity", ground, step.stage),
                            .deposition = number("deposition", ground, step.stage),
                            .dissolving = number("dissolving", ground, step.stage)});
        work.launch_around(1, kernel::hydraulic_arrive, step.cells,
                           {.height = height,
                            .water = water,
                            .flow = flow,
                            .load = load,
                            .resting = resting,
                            .area = ground.find("area"),
                            .next_water = water_after,
                            .next_sediment = sediment,
                            .evaporated = state.find("evaporated"),
                            .remaining = number("evaporation", ground, step.stage)});
        std::swap(height, height_after);
        std::swap(water, water_after);
    }

    std::vector<double> counted(Work&, const SimulationFields& ground,
                                const SimulationFields& state) const override {
        Volumes volumes(ground.cell());
        std::vector<double> sums;
        for (const char* name : {"rained", "evaporated", "taken", "laid"})
            sums.push_back(volumes.of(state.at(name), ground.find("area")));
        return sums;
    }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override {
        Volumes volumes(ground.cell());
        auto entry = [&](const char* quantity, const char* field, double in, double out) {
            LedgerEntry entry;
            entry.quantity = quantity;
            entry.before = volumes.of(ground.at(field));
            entry.after = volumes.of(state.at(field));
            entry.in = in;
            entry.out = out;
            return entry;
        };
        const double rained = counted[0], evaporated = counted[1], taken = counted[2], laid = counted[3];
        LedgerEntry rock = entry("rock", "height", laid, taken);
        rock.moved = volumes.lowered(ground.at("height"), state.at("height"));
        work.enter(rock);
        work.enter(entry("sediment", "sediment", taken, laid));
        work.enter(entry("water", "water", rained, evaporated));
    }

  private:
    // What a share of something in a step is in a step of that length.
    static double share_in(double share, double length) {
        if (length == 1) return share;
        return share < 1 ? 1 - power(1 - share, length) : 1;
    }

    static std::vector<StepNumber> numbers_of(const HydraulicErosion& by, const Grid& grid) {
        const Schema& schema = StructSchema::of<HydraulicErosion>().schema();
        auto as_it_is = [](double number, const Stage&) { return float(number); };
        auto in_step = [](double share, const Stage& stage) { return float(share_in(share, stage.share)); };
        const double span = grid.range.span();
        return {{schema.at("capacity"), by.capacity, as_it_is},
                {schema.at("deposition"), by.deposition, in_step},
                {schema.at("dissolving"), by.dissolving, in_step},
                {schema.at("evaporation"), by.evaporation,
                 [](double share, const Stage& stage) { return float(1 - share_in(share, stage.share)); }},
                {schema.at("rain-least"), by.rain_least, as_it_is},
                {schema.at("rain-gain"), by.rain_gain,
                 [span](double gain, const Stage&) { return float(gain / span); }}};
    }

    // How much it rains is another matter in each step. One number for all cells is multiplied by that here, a map of them in the
    // kernel.
    struct RainNumber {
        Varying number;
        float part;
    };
    RainNumber rain_number(const char* name, const Number& everywhere, double span,
                           const SimulationFields& ground, const Stage& stage, double rain) const {
        if (everywhere.varies()) return {number(name, ground, stage), float(rain)};
        return {float(everywhere.everywhere() / span * rain), 1.0f};
    }

    const HydraulicErosion by_;
};

std::unique_ptr<const Simulation> HydraulicErosion::simulation(const Grid& grid) const {
    return std::make_unique<Flowing>(*this, grid);
}

REGISTER_OPERATION("hydraulic-erosion", "erosion", HydraulicErosion);

}  // namespace

}  // namespace caprock
