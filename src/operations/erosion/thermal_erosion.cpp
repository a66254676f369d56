// Thermal erosion: slopes steeper than their talus angle crumble, by the rule of Frontier (§5.4.1, after Jákó), by Musgrave's older
// one, or by one that leaves no ripples.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class Rule { smooth, frontier, musgrave };

struct ThermalErosion {
    static constexpr int version = 3;

    Rule rule = Rule::smooth;
    SimulatedTime time{.duration = 100};
    Number rate = 1;
    Number talus = 33;
    Number talus_gain = 0.7;

    void describe(Declaration& d) const {
        d.summary("lets slopes steeper than their talus angle crumble onto what lies below them");
        d.source("Frontier, section 5.4.1");
        time.describe(
            d,
            "size of the cells that are worked on first. Finer ones follow them and then settle among "
            "themselves, so that the land is the same at any resolution");
        d.choice("rule", rule, {"smooth", "frontier", "musgrave"})
            .help(
                "what crumbles: smooth: as much as the ground is too steep, in all directions alike; "
                "frontier: "
                "half of the steepest difference, the paper's rule; musgrave: the most that exceeds the "
                "talus, the classic one. The latter two leave ripples as wide as a cell");
        d.number("rate", rate)
            .range(0, 1)
            .help("how much of that moves in one step: Kt of the paper, c of the classic rule");
        d.number("talus", talus)
            .range(0, 85)
            .slider(10, 60)
            .unit("degrees")
            .help("angle that loose rock of hardness 0 stands at; its tangent is Ki");
        d.number("talus-gain", talus_gain)
            .range(0, 10)
            .slider(0, 2)
            .help(
                "Ka: how much steeper rock of hardness 1 stands, as rise over run; it never changes at all");
        d.changes("height");
        d.reads_if_there("hardness");
        d.works_with(3);  // heights before and after a step, and the shares
    }

    // Version 1 knew steps alone, and neither it nor version 2 the smooth rule.
    void from_version(int written) {
        if (written < 2) time = {.duration = 0, .scale = time.scale, .steps = 100};
        if (written < 3) {
            rule = Rule::frontier;
            rate = 0.5;
        }
    }

    // The terrain's own cells first. Crumbling is a diffusion: in cells of half the size a step moves a quarter as much. Finer
    // cells have only to let go of what is too steep between the coarser ones: that takes no longer.
    std::vector<Stage> stages(const Grid& grid) const {
        if (time.steps > 0) return time.until_stopped({{time.steps, 1}});
        int doublings = doublings_to(time.scale, grid);
        double cells = time.scale / std::ldexp(grid.cell, doublings);
        double first = time.duration * cells * cells;
        std::vector<Stage> stages(size_t(doublings), Stage::lasting(first / 4));
        stages.push_back(Stage::lasting(first));
        return time.until_stopped(std::move(stages));
    }

    // By the smooth rule a step looks at what the neighbours are; by the others at what they give, which depends on theirs.
    int reach_of_step() const { return rule == Rule::smooth ? 1 : 2; }
    Reach reach(const Grid& grid) const { return time.reach(stages(grid), reach_of_step()); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Crumbling final : public ScaledSimulation {
  public:
    Crumbling(const ThermalErosion& by, const Grid& grid)
        : ScaledSimulation(by.stages(grid), {}, {}, numbers_of(by)), by_(by) {}

    int fields_in_step() const override { return 4 + varying_numbers(); }
    int launches_in_step() const override { return by_.rule == Rule::smooth ? 1 : 2; }
    int reach() const override { return by_.reach_of_step(); }
    SimulationFields ground(Work& work) const override { return ground_of(work, false); }

    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const float cell = float(state.cell());
        const float diagonal = float(state.cell() * std::sqrt(2.0));
        const Varying rate = number("rate", ground, step.stage);
        const Varying talus = number("talus", ground, step.stage);
        const Varying gain = number("talus-gain", ground, step.stage);
        Field& height = state.at("height");
        Field& next = state.spare(1);
        if (by_.rule == Rule::smooth) {
            work.launch_around(1, kernel::thermal_settle, step.cells,
                               {.height = height,
                                .hardness = ground.find("hardness"),
                                .area = ground.find("area"),
                                .moved = next,
                                .rate = rate,
                                .talus = talus,
                                .talus_gain = gain,
                                .cell = cell});
            std::swap(height, next);
            return;
        }
        // Finer cells only let go of what is too steep.
        const bool classic = !step.coarsest || by_.rule == Rule::musgrave;
        const auto& share_kernel = classic ? kernel::thermal_share_of_excess : kernel::thermal_share;
        const auto& move_kernel = classic ? kernel::thermal_move_excess : kernel::thermal_move;
        Field& share = state.spare(0);
        work.launch_around(1, share_kernel, step.cells.expanded(1).intersected(state.rect()),
                           {.height = height,
                            .hardness = ground.find("hardness"),
                            .share = share,
                            .rate = rate,
                            .talus = talus,
                            .talus_gain = gain,
                            .cell = cell,
                            .diagonal = diagonal});
        work.launch_around(1, move_kernel, step.cells,
                           {.height = height,
                            .hardness = ground.find("hardness"),
                            .share = share,
                            .area = ground.find("area"),
                            .moved = next,
                            .talus = talus,
                            .talus_gain = gain,
                            .cell = cell,
                            .diagonal = diagonal});
        std::swap(height, next);
    }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>&) const override {
        work.enter(line_of_rock(ground, state));
    }

  private:
    static std::vector<StepNumber> numbers_of(const ThermalErosion& by) {
        const Schema& schema = StructSchema::of<ThermalErosion>().schema();
        return {{schema.at("rate"), by.rate,
                 [](double rate, const Stage& stage) { return float(rate * stage.share); }},
                {schema.at("talus"), by.talus,
                 [](double degrees, const Stage&) { return float(tangent_of_degrees(degrees)); }},
                {schema.at("talus-gain"), by.talus_gain, StepNumber::as_it_is}};
    }

    const ThermalErosion by_;
};

std::unique_ptr<const Simulation> ThermalErosion::simulation(const Grid& grid) const {
    return std::make_unique<Crumbling>(*this, grid);
}

REGISTER_OPERATION("thermal-erosion", "erosion", ThermalErosion);

}  // namespace

}  // namespace caprock
