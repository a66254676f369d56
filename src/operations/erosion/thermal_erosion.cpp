// Thermal erosion (Frontier §5.4.1, after Jákó): slopes steeper than their talus angle crumble.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/erosion/volumes.h"

#include <cmath>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class Rule { frontier, musgrave };

struct ThermalErosion {
    static constexpr int version = 2;

    Rule rule = Rule::frontier;
    SimulatedTime time{.duration = 100};
    double rate = 0.5;
    double talus = 33;
    double talus_gain = 0.7;

    void describe(Declaration& d) const {
        d.summary("lets slopes steeper than their talus angle crumble onto what lies below them");
        d.source("Frontier, section 5.4.1");
        time.describe(
            d, "steps",
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
        if (time.steps > 0) return {{time.steps, 1}};
        int doublings = doublings_to(time.scale, grid);
        double cells = time.scale / std::ldexp(grid.cell, doublings);
        double first = time.duration * cells * cells;
        std::vector<Stage> stages(size_t(doublings), Stage::lasting(first / 4));
        stages.push_back(Stage::lasting(first));
        return stages;
    }

    Reach reach(const Grid& grid) const { return time.reach(stages(grid)); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const std::vector<Stage> plan = stages(terrain.grid());
        int doublings = int(plan.size()) - 1;
        int64_t cells = cells_to_coarsen(terrain.rect(), doublings);
        for (int i = 0; i <= doublings; i++)
            cells += (terrain.rect().cells() >> (2 * i)) * (1 + 2 * plan[size_t(i)].steps);
        work.progress().expect(cells);

        Ground finest = Ground::of(terrain);
        if (const Field* hardness = terrain.find("hardness")) finest.hardness = *hardness;
        const std::vector<Ground> grounds = doubled_grounds(work, std::move(finest), doublings);
        Field height = grounds.back().height;
        int done = 0;
        for (size_t i = grounds.size(); i-- > 0;) {
            if (i + 1 < grounds.size()) height = changed_by(work, grounds[i], grounds[i + 1], height);
            bool coarsest = i + 1 == grounds.size();
            height = crumbled(work, grounds[i], std::move(height), plan[i], coarsest ? rule : Rule::musgrave,
                              [&](const Field& now) {
                                  if (!work.snapshot_due(++done)) return;
                                  Field seen = now;
                                  for (size_t finer = i; finer-- > 0;)
                                      seen = changed_by(work, grounds[finer], grounds[finer + 1], seen);
                                  terrain.set("height", seen);
                                  work.take_snapshot(done);
                              });
        }
        if (work.keeps_ledger()) {
            Volumes volumes(terrain.grid());
            const Field& original = grounds[0].height;
            LedgerEntry rock;
            rock.quantity = "rock";
            rock.before = volumes.of(original);
            rock.after = volumes.of(height);
            rock.moved = volumes.lowered(original, height);
            work.enter(rock);
        }
        terrain.set("height", std::move(height));
    }

    template <typename AfterStep>
    Field crumbled(Work& work, const Ground& ground, Field height, const Stage& stage, Rule by,
                   const AfterStep& after_step) const {
        float cell = float(ground.cell);
        float diagonal = float(ground.cell * std::sqrt(2.0));
        float slope = float(tangent_of_degrees(talus));
        float gain = float(talus_gain);
        bool classic = by == Rule::musgrave;
        const auto& share_kernel = classic ? kernel::thermal_share_of_excess : kernel::thermal_share;
        const auto& move_kernel = classic ? kernel::thermal_move_excess : kernel::thermal_move;
        const Field* hardness = Ground::given(ground.hardness);
        const Field* area = Ground::given(ground.area);
        if (stage.steps == 0) return height;
        Field next(ground.rect);
        Field share(ground.rect);
        for (int step = 0; step < stage.steps; step++) {
            work.launch_around(1, share_kernel, ground.rect,
                               {.height = height,
                                .hardness = hardness,
                                .share = share,
                                .rate = float(rate * stage.share),
                                .talus = slope,
                                .talus_gain = gain,
                                .cell = cell,
                                .diagonal = diagonal});
            work.launch_around(1, move_kernel, ground.rect,
                               {.height = height,
                                .hardness = hardness,
                                .share = share,
                                .area = area,
                                .moved = next,
                                .talus = slope,
                                .talus_gain = gain,
                                .cell = cell,
                                .diagonal = diagonal});
            std::swap(height, next);
            after_step(height);
        }
        return height;
    }
};

REGISTER_OPERATION("thermal-erosion", "erosion", ThermalErosion);

}  // namespace

}  // namespace caprock
