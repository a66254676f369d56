// Fluvial erosion by the classic models on grids (Editor §6.2): F. K. Musgrave, C. E. Kolb and R. S. Mace, 1989; B. Beneš and
// R. Forsbach, 2002, with evaporation; J. Olsen, 2004, who trades accuracy for speed.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/flowing_water.h"

#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class FluvialModel { musgrave, benes, olsen };

struct FluvialErosion {
    FluvialModel model = FluvialModel::musgrave;
    SimulatedTime time{.duration = 500};
    Number rain = 0.7;
    int rain_every = 30;
    Number capacity = 0.5;
    Number dissolving = 0.5;
    double deposition = 0.3;
    double evaporation = 0.05;

    void describe(Declaration& d) const {
        d.summary("running water by the classic models on grids, from Musgrave's to Olsen's");
        d.source("Editor, section 6.2");
        d.choice("model", model, {"musgrave", "benes", "olsen"})
            .help(
                "musgrave: what flows carries by its volume, and what it cannot carry settles; benes: water "
                "takes up "
                "rock wherever it runs, and lays it down where it evaporates; olsen: the quickest, water "
                "always "
                "full of sediment that goes to the lowest of four neighbours");
        time.describe(d,
                      "size of the cells that are worked on first, and which water crosses in a step. Finer "
                      "ones follow them "
                      "and get gullies of their own, so that the land is the same at any resolution");
        d.number("rain", rain).range(0, 10).slider(0, 1).unit("m").help("depth of a rain");
        d.integer("rain-every", rain_every)
            .range(0, 100000)
            .slider(0, 100)
            .help("steps from one rain to the next; 0: it rains only at the beginning, as Musgrave has it");
        d.number("capacity", capacity)
            .range(0, 10)
            .slider(0, 1)
            .help("Kc: metres of sediment that a metre of water carries; of water that flows, by musgrave");
        d.number("dissolving", dissolving)
            .range(0, 1)
            .help("Ks: share of what could be carried besides that is taken from soluble ground in one step");
        d.number("deposition", deposition)
            .range(0, 1)
            .help("Kd: share of the sediment beyond that which is dropped in one step; not by olsen");
        d.number("evaporation", evaporation)
            .range(0, 1)
            .slider(0, 0.5)
            .help("Ke: share of all water, each step; by musgrave none evaporates");
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

    std::vector<Stage> stages(const Grid& grid) const { return stages_of_water(time, grid); }
    Reach reach(const Grid& grid) const { return time.reach(stages(grid)); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Fluvial final : public FlowingWater {
  public:
    Fluvial(const FluvialErosion& by, const Grid& grid)
        : FlowingWater(by.stages(grid), numbers_of(by)), by_(by) {}

    int fields_in_step() const override { return 10 + varying_numbers(); }
    int launches_in_step() const override { return by_.model == FluvialModel::musgrave ? 3 : 4; }

    // The stage's share is how long a step lasts.
    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const double rain = rainy_part(step.begins(), step.begins() + step.stage.share, by_.rain_every);
        if (rain > 0) {
            work.launch(kernel::fluvial_rain, around(state, step, 2),
                        {.height = state.at("height"),
                         .water = state.at("water"),
                         .sediment = state.at("sediment"),
                         .hardness = ground.find("hardness"),
                         .solubility = ground.find("solubility"),
                         .rained = state.find("rained"),
                         .taken = state.find("taken"),
                         .rain = number("rain", ground, step.stage),
                         .capacity = number("capacity", ground, step.stage),
                         .dissolving = number("dissolving", ground, step.stage),
                         .part = float(rain),
                         .saturated = by_.model == FluvialModel::olsen});
        }
        if (by_.model == FluvialModel::olsen) {
            flow_to_lowest(work, ground, state, step);
        } else {
            flow_to_all_below(work, ground, state, step);
        }
        if (by_.model == FluvialModel::musgrave) return;
        work.launch(kernel::fluvial_dry, step.cells,
                    {.height = state.at("height"),
                     .water = state.at("water"),
                     .sediment = state.at("sediment"),
                     .evaporated = state.find("evaporated"),
                     .laid = state.find("laid"),
                     .capacity = number("capacity", ground, step.stage),
                     .remaining = float(1 - share_in(by_.evaporation, step.stage.share)),
                     .deposition = float(share_in(by_.deposition, step.stage.share)),
                     .saturated = by_.model == FluvialModel::olsen});
    }

  private:
    static std::vector<StepNumber> numbers_of(const FluvialErosion& by) {
        const Schema& schema = StructSchema::of<FluvialErosion>().schema();
        // Olsen's rain takes its share at once, however long steps are.
        const bool at_once = by.model == FluvialModel::olsen;
        return {{schema.at("rain"), by.rain, StepNumber::as_it_is},
                {schema.at("capacity"), by.capacity, StepNumber::as_it_is},
                {schema.at("dissolving"), by.dissolving, [at_once](double share, const Stage& stage) {
                     return float(at_once ? share : share_in(share, stage.share));
                 }}};
    }

    static Rect around(const SimulationFields& state, const SimulationStep& step, int cells) {
        return step.cells.expanded(cells).intersected(state.rect());
    }

    void flow_to_all_below(Work& work, const SimulationFields& ground, SimulationFields& state,
                           const SimulationStep& step) const {
        Field& height = state.at("height");
        Field& water = state.at("water");
        Field& sediment = state.at("sediment");
        Field& resting = state.spare(0);
        Field& flow = state.spare(1);
        Field& load = state.spare(2);
        Field& height_after = state.spare(3);
        Field& water_after = state.spare(4);
        const Varying capacity = number("capacity", ground, step.stage);
        const Varying dissolving = number("dissolving", ground, step.stage);
        if (by_.model == FluvialModel::musgrave) {
            work.launch_around(1, kernel::fluvial_leave_musgrave, around(state, step, 1),
                               {.height = height,
                                .water = water,
                                .sediment = sediment,
                                .hardness = ground.find("hardness"),
                                .solubility = ground.find("solubility"),
                                .ground = height_after,
                                .resting = resting,
                                .flow = flow,
                                .load = load,
                                .taken = state.find("taken"),
                                .laid = state.find("laid"),
                                .capacity = capacity,
                                .dissolving = dissolving,
                                .deposition = float(share_in(by_.deposition, step.stage.share))});
        } else {
            work.launch_around(1, kernel::fluvial_leave_benes, around(state, step, 1),
                               {.height = height,
                                .water = water,
                                .sediment = sediment,
                                .hardness = ground.find("hardness"),
                                .solubility = ground.find("solubility"),
                                .ground = height_after,
                                .resting = resting,
                                .flow = flow,
                                .load = load,
                                .taken = state.find("taken"),
                                .capacity = capacity,
                                .dissolving = dissolving});
        }
        // Nothing evaporates on the way.
        work.launch_around(1, kernel::hydraulic_arrive, step.cells,
                           {.height = height,
                            .water = water,
                            .flow = flow,
                            .load = load,
                            .resting = resting,
                            .area = ground.find("area"),
                            .next_water = water_after,
                            .next_sediment = sediment,
                            .evaporated = nullptr,
                            .remaining = 1.0f});
        std::swap(height, height_after);
        std::swap(water, water_after);
    }

    void flow_to_lowest(Work& work, const SimulationFields& ground, SimulationFields& state,
                        const SimulationStep& step) const {
        Field& water = state.at("water");
        Field& sediment = state.at("sediment");
        Field& way = state.spare(0);
        Field& flow = state.spare(1);
        Field& load = state.spare(2);
        Field& water_after = state.spare(3);
        Field& sediment_after = state.spare(4);
        work.launch_around(1, kernel::fluvial_leave_olsen, around(state, step, 1),
                           {.height = state.at("height"),
                            .water = water,
                            .sediment = sediment,
                            .way = way,
                            .flow = flow,
                            .load = load});
        work.launch_around(1, kernel::fluvial_arrive_olsen, step.cells,
                           {.water = water,
                            .sediment = sediment,
                            .way = way,
                            .flow = flow,
                            .load = load,
                            .area = ground.find("area"),
                            .next_water = water_after,
                            .next_sediment = sediment_after});
        std::swap(water, water_after);
        std::swap(sediment, sediment_after);
    }

    const FluvialErosion by_;
};

std::unique_ptr<const Simulation> FluvialErosion::simulation(const Grid& grid) const {
    return std::make_unique<Fluvial>(*this, grid);
}

REGISTER_OPERATION("fluvial-erosion", "erosion", FluvialErosion);

}  // namespace

}  // namespace caprock
