#include "operations/erosion/flowing_water.h"

#include "base/mathematics.h"
#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace caprock {

namespace {

// Steps that last about so long each; their share is their exact time.
Stage stage_lasting(double part, double step) {
    Stage stage = Stage::lasting(part / step);
    return {stage.steps, stage.steps > 0 ? part / stage.steps : 1};
}

}  // namespace

double rainy_part(double from, double to, int period) {
    // All rain that has fallen by then.
    auto fallen = [&](double time) {
        if (period == 0) return std::min(time, 1.0);
        double periods = std::floor(time / period);
        return periods + std::min(time - periods * period, 1.0);
    };
    return fallen(to) - fallen(from);
}

double share_in(double share, double length) {
    if (length == 1) return share;
    return share < 1 ? 1 - power(1 - share, length) : 1;
}

std::vector<Stage> stages_of_water(const SimulatedTime& time, const Grid& grid) {
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

FlowingWater::FlowingWater(std::vector<Stage> stages, std::vector<StepNumber> numbers)
    : ScaledSimulation(std::move(stages), {"water", "sediment"}, {"rained", "evaporated", "taken", "laid"},
                       std::move(numbers)) {}

SimulationFields FlowingWater::ground(Work& work) const {
    SimulationFields ground = ground_of(work, true);
    for (const char* name : {"water", "sediment"}) {
        Field begun(ground.rect());
        work.launch(kernel::hydraulic_begin, ground.rect(),
                    {.height = ground.at("height"), .before = work.terrain().find(name), .begun = begun});
        ground.set(name, std::move(begun));
    }
    return ground;
}

void FlowingWater::enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
                         const std::vector<double>& counted) const {
    const double rained = counted[0], evaporated = counted[1], taken = counted[2], laid = counted[3];
    work.enter(line_of_rock(ground, state, laid, taken));
    work.enter(line_of("sediment", "sediment", ground, state, taken, laid));
    work.enter(line_of("water", "water", ground, state, rained, evaporated));
}

}  // namespace caprock
