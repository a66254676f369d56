// Thermal erosion (Frontier §5.4.1, after Jákó): slopes steeper than their talus angle crumble.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/erosion/volumes.h"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class Rule { frontier, musgrave };

struct ThermalErosion {
    static constexpr int version = 2;

    Rule rule = Rule::frontier;
    SimulatedTime time{.duration = 100};
    Number rate = 0.5;
    Number talus = 33;
    Number talus_gain = 0.7;

    void describe(Declaration& d) const {
        d.summary("lets slopes steeper than their talus angle crumble onto what lies below them");
        d.source("Frontier, section 5.4.1");
        time.describe(
            d,
            "size of the cells that are worked on first. Finer ones follow them and then settle among "
            "themselves, so that the land is the same at any resolution");
        d.choice("rule", rule, {"frontier", "musgrave"})
            .help(
                "what crumbles: half of the steepest difference, or what exceeds the talus (the classic "
                "rule)");
        d.number("rate", rate)
            .range(0, 1)
            .help("Kt, or c of the classic rule: how much of that moves in one step");
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

    // Version 1 knew steps alone.
    void from_version(int written) {
        if (written < 2) time = {.duration = 0, .scale = time.scale, .steps = 100};
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

    Reach reach(const Grid& grid) const { return time.reach(stages(grid)); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Crumbling final : public ScaledSimulation {
  public:
    Crumbling(const ThermalErosion& by, const Grid& grid)
        : ScaledSimulation(by.stages(grid), {}, {}, numbers_of(by)), by_(by) {}

    int fields_in_step() const override { return 4 + varying_numbers(); }
    int launches_in_step() const override { return 2; }
    SimulationFields ground(Work& work) const override { return ground_of(work, false); }

    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const float cell = float(state.cell());
        const float diagonal = float(state.cell() * std::sqrt(2.0));
        const Varying talus = number("talus", ground, step.stage);
        const Varying gain = number("talus-gain", ground, step.stage);
        // Finer cells only let go of what is too steep.
        const bool classic = !step.coarsest || by_.rule == Rule::musgrave;
        const auto& share_kernel = classic ? kernel::thermal_share_of_excess : kernel::thermal_share;
        const auto& move_kernel = classic ? kernel::thermal_move_excess : kernel::thermal_move;
        Field& height = state.at("height");
        Field& share = state.spare(0);
        Field& next = state.spare(1);
        work.launch_around(1, share_kernel, step.cells.expanded(1).intersected(state.rect()),
                           {.height = height,
                            .hardness = ground.find("hardness"),
                            .share = share,
                            .rate = number("rate", ground, step.stage),
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
        Volumes volumes(ground.cell());
        LedgerEntry rock;
        rock.quantity = "rock";
        rock.before = volumes.of(ground.at("height"));
        rock.after = volumes.of(state.at("height"));
        rock.moved = volumes.lowered(ground.at("height"), state.at("height"));
        work.enter(rock);
    }

  private:
    static std::vector<StepNumber> numbers_of(const ThermalErosion& by) {
        const Schema& schema = StructSchema::of<ThermalErosion>().schema();
        return {
            {schema.at("rate"), by.rate,
             [](double rate, const Stage& stage) { return float(rate * stage.share); }},
            {schema.at("talus"), by.talus,
             [](double degrees, const Stage&) { return float(tangent_of_degrees(degrees)); }},
            {schema.at("talus-gain"), by.talus_gain, [](double gain, const Stage&) { return float(gain); }}};
    }

    const ThermalErosion by_;
};

std::unique_ptr<const Simulation> ThermalErosion::simulation(const Grid& grid) const {
    return std::make_unique<Crumbling>(*this, grid);
}

REGISTER_OPERATION("thermal-erosion", "erosion", ThermalErosion);

}  // namespace

}  // namespace caprock
