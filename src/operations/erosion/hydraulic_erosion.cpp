// Hydraulic erosion (Frontier §5.4.2, after Musgrave and Beneš): rain that flows, dissolves, carries, drops and
// evaporates.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/flowing_water.h"

#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

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
        d.summary(
            "a film of rain softens land: rills in what is loose and steep, hollows filled with what it "
            "carried. It makes no valleys: stream-power and river-erosion do, and droplet-erosion gullies");
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

    std::vector<Stage> stages(const Grid& grid) const { return stages_of_water(time, grid); }
    Reach reach(const Grid& grid) const { return time.reach(stages(grid)); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Flowing final : public FlowingWater {
  public:
    Flowing(const HydraulicErosion& by, const Grid& grid)
        : FlowingWater(by.stages(grid), numbers_of(by, grid)), by_(by) {}

    int fields_in_step() const override { return 10 + varying_numbers(); }
    int launches_in_step() const override { return 3; }

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

  private:
    static std::vector<StepNumber> numbers_of(const HydraulicErosion& by, const Grid& grid) {
        const Schema& schema = StructSchema::of<HydraulicErosion>().schema();
        auto in_step = [](double share, const Stage& stage) { return float(share_in(share, stage.share)); };
        const double span = grid.range.span();
        return {{schema.at("capacity"), by.capacity, StepNumber::as_it_is},
                {schema.at("deposition"), by.deposition, in_step},
                {schema.at("dissolving"), by.dissolving, in_step},
                {schema.at("evaporation"), by.evaporation,
                 [](double share, const Stage& stage) { return float(1 - share_in(share, stage.share)); }},
                {schema.at("rain-least"), by.rain_least, StepNumber::as_it_is},
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
