// Thermal erosion (Frontier §5.4.1, after Jákó): slopes steeper than their talus angle crumble.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/volumes.h"

#include <cmath>

namespace caprock {

namespace {

enum class Rule { frontier, musgrave };

struct ThermalErosion {
    Rule rule = Rule::frontier;
    int steps = 100;
    double rate = 0.5;
    double talus = 33;
    double talus_gain = 0.7;

    void describe(Declaration& d) {
        d.summary("lets slopes steeper than their talus angle crumble onto what lies below them");
        d.source("Frontier, section 5.4.1");
        d.integer("steps", steps)
            .range(0, 100000)
            .slider(1, 1000)
            .logarithmic()
            .help("how often the whole terrain is worked on");
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

    // A step looks at what the neighbours give, and that depends on their neighbours.
    Reach reach(const Grid&) const { return Reach::steps(2, steps); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Field* hardness = terrain.find("hardness");
        const Rect& rect = terrain.rect();
        float cell = float(terrain.grid().cell);
        float diagonal = float(terrain.grid().cell * std::sqrt(2.0));
        float slope = float(tangent_of_degrees(talus));
        float gain = float(talus_gain);
        work.progress().expect(2 * rect.cells() * std::max(steps, 1));
        const Field original = terrain.height();
        Field height = original;
        bool classic = rule == Rule::musgrave;
        const Kernel& share_kernel = classic ? kernel::thermal_share_of_excess : kernel::thermal_share;
        const Kernel& move_kernel = classic ? kernel::thermal_move_excess : kernel::thermal_move;
        Field next(rect);
        Field share(rect);
        for (int step = 0; step < steps; step++) {
            const Field& before = height;
            work.launch_around(1, share_kernel, rect, before, hardness, share, float(rate), slope, gain, cell,
                               diagonal);
            const Field& given = share;
            work.launch_around(1, move_kernel, rect, before, hardness, given, next, slope, gain, cell,
                               diagonal);
            std::swap(height, next);
            if (work.snapshot_due(step + 1)) {
                terrain.set("height", height);
                work.take_snapshot(step + 1);
            }
        }
        if (work.keeps_ledger()) {
            Volumes volumes(terrain.grid());
            LedgerEntry rock;
            rock.quantity = "rock";
            rock.before = volumes.of(original);
            rock.after = volumes.of(height);
            rock.moved = volumes.lowered(original, height);
            work.enter(rock);
        }
        terrain.set("height", std::move(height));
    }
};

REGISTER_OPERATION("thermal-erosion", "erosion", ThermalErosion);

}  // namespace

}  // namespace caprock
