#include "operations/erosion/scales.h"

#include "kernels.h"
#include "operations/erosion/volumes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

namespace {

std::string map_name(const StepNumber& one) { return "@" + one.parameter.name(); }

constexpr const char* rest_ending = "-rest";

// Cubic metres in a field, and in what it has no digits for.
double volume_of(const SimulationFields& fields, const std::string& name, const Field* area = nullptr) {
    const Volumes volumes(fields.cell());
    const Field* rest = fields.find(name + rest_ending);
    return volumes.of(fields.at(name), area) + (rest ? volumes.of(*rest, area) : 0);
}

SimulationFields coarser_ground(Work& work, const SimulationFields& fine) {
    SimulationFields coarse(fine.rect().every_other(), 2 * fine.cell());
    const Rect& rect = coarse.rect();
    if (rect.empty()) return coarse;
    auto made = [&](const auto& kernel, const char* name) {
        const Field* from = fine.find(name);
        if (!from) return;
        Field result(rect);
        work.launch_around(1, kernel, rect, {.value = *from, .coarse = result});
        coarse.set(name, std::move(result));
    };
    made(kernel::scales_sample, "height");
    made(kernel::scales_hardness, "hardness");
    made(kernel::scales_sample, "solubility");
    Field area(rect);
    work.launch_around(2, kernel::scales_area, rect,
                       {.height = fine.at("height"), .area = fine.find("area"), .coarse = area});
    coarse.set("area", std::move(area));
    return coarse;
}

}  // namespace

int doublings_to(double scale, const Grid& grid) {
    // Beyond that a landscape is one cell.
    constexpr int most = 17;
    int doublings = 0;
    for (double cell = grid.cell; 2 * cell * cell < scale * scale && doublings < most; cell *= 2) doublings++;
    return doublings;
}

Parameter& SimulatedTime::describe(Declaration& d, const std::string& help_of_scale) const {
    d.number("duration", duration)
        .range(0, 100000)
        .slider(1, 1000)
        .logarithmic()
        .help("how long it goes on: so many steps in cells as large as the scale");
    d.number("scale", scale).range(0.001, 100000).slider(1, 100).logarithmic().unit("m").help(help_of_scale);
    Parameter& counted = d.integer("steps", steps);
    counted.range(0, 100000).slider(0, 1000).help(
        "so many steps in the terrain's own cells instead, whatever their size; 0: as the duration says");
    describe_stop_after(d.integer("stop-after", stop_after));
    return counted;
}

std::vector<Stage> SimulatedTime::stages_alike(const Grid& grid, double share_of_finer) const {
    if (steps > 0) return until_stopped({{steps, 1}});
    const int doublings = doublings_to(scale, grid);
    std::vector<Stage> stages;
    double left = duration;
    for (int i = 0; i < doublings; i++) {
        // The finest cells have the least of it.
        const double part = share_of_finer * duration * std::ldexp(1.0, i - doublings);
        stages.push_back(Stage::lasting(part));
        left -= part;
    }
    stages.push_back(Stage::lasting(left));
    return until_stopped(std::move(stages));
}

std::vector<Stage> SimulatedTime::until_stopped(std::vector<Stage> plan) const {
    if (stop_after == 0) return plan;
    int left = stop_after;
    // The last is run first.
    for (size_t i = plan.size(); i-- > 0;) {
        plan[i].steps = std::min(plan[i].steps, left);
        left -= plan[i].steps;
    }
    return plan;
}

Reach SimulatedTime::reach(const std::vector<Stage>& stages, int cells_of_step) const {
    return steps > 0 ? Reach::steps(cells_of_step, steps)
                     : Reach::steps(reach_of_stages(stages, cells_of_step), 1);
}

ScaledSimulation::ScaledSimulation(std::vector<Stage> stages, std::vector<std::string> depths,
                                   std::vector<std::string> counts, std::vector<StepNumber> numbers)
    : stages_(std::move(stages)),
      depths_(std::move(depths)),
      counts_(std::move(counts)),
      numbers_(std::move(numbers)) {
    for (const StepNumber& one : numbers_)
        if (one.number.varies()) read_by_steps_.push_back(one.parameter.name());
}

SimulationFields ScaledSimulation::ground_of(Work& work, bool soluble, bool hard) const {
    const WorkTerrain& terrain = work.terrain();
    SimulationFields ground(terrain.rect(), terrain.grid().cell);
    ground.set("height", terrain.height());
    // Copies, since the terrain gets new fields on the way.
    if (hard)
        if (const Field* hardness = terrain.find("hardness")) ground.set("hardness", *hardness);
    if (soluble)
        if (const Field* solubility = terrain.find("solubility")) ground.set("solubility", *solubility);
    for (const StepNumber& one : numbers_)
        if (one.number.varies()) ground.set(map_name(one), terrain.field(one.number.map()->field()));
    make_numbers(work, ground, stages_.front());
    return ground;
}

void ScaledSimulation::make_numbers(Work& work, SimulationFields& ground, const Stage& stage) const {
    for (const StepNumber& one : numbers_) {
        if (!one.number.varies()) continue;
        ground.set(one.parameter.name(),
                   work.varying(one.parameter, *one.number.map(), ground.at(map_name(one)),
                                [&](double number) { return one.made(number, stage); }));
    }
}

Varying ScaledSimulation::number(std::string_view name, const SimulationFields& ground,
                                 const Stage& stage) const {
    for (const StepNumber& one : numbers_) {
        if (one.parameter.name() != name) continue;
        if (one.number.varies()) return ground.at(name);
        return one.made(one.number.everywhere(), stage);
    }
    throw std::logic_error(fmt::format("the steps of a simulation have no number '{}'", name));
}

int ScaledSimulation::varying_numbers() const {
    return int(std::ranges::count_if(numbers_, [](const StepNumber& one) { return one.number.varies(); }));
}

SimulationFields ScaledSimulation::coarser(Work& work, const SimulationFields& fine) const {
    SimulationFields coarse = coarser_ground(work, fine);
    const Rect& rect = coarse.rect();
    if (rect.empty()) return coarse;
    for (const StepNumber& one : numbers_) {
        if (!one.number.varies()) continue;
        Field sampled(rect);
        work.launch_around(1, kernel::scales_sample, rect,
                           {.value = fine.at(map_name(one)), .coarse = sampled});
        coarse.set(map_name(one), std::move(sampled));
    }
    const double doublings = std::log2(coarse.cell() / work.terrain().grid().cell);
    make_numbers(work, coarse, stages_[size_t(std::lround(doublings))]);
    for (const std::string& name : depths_) {
        Field collected(rect);
        work.launch_around(2, kernel::scales_collect, rect,
                           {.height = fine.at("height"),
                            .depth = fine.at(name),
                            .area = fine.find("area"),
                            .coarse_area = coarse.at("area"),
                            .coarse = collected});
        coarse.set(name, std::move(collected));
    }
    return coarse;
}

SimulationFields ScaledSimulation::begin(Work& work, const SimulationFields& ground) const {
    SimulationFields state(ground.rect(), ground.cell());
    state.set("height", ground.at("height"));
    for (const std::string& name : depths_) state.set(name, ground.at(name));
    begin_to_count(work, state);
    return state;
}

// The height as its coarser cells have changed, and what lies on it as that was collected from finer cells.
SimulationFields ScaledSimulation::finer(Work& work, const SimulationFields& fine,
                                         const SimulationFields& coarse,
                                         const SimulationFields& state) const {
    const Rect& rect = fine.rect();
    SimulationFields result(rect, fine.cell());
    Field changed(rect);
    work.launch_around(1, kernel::scales_change, rect,
                       {.fine = fine.at("height"),
                        .before = coarse.at("height"),
                        .after = state.at("height"),
                        .changed = changed});
    result.set("height", std::move(changed));
    for (const std::string& name : depths_) {
        Field spread(rect);
        work.launch_around(1, kernel::scales_spread, rect,
                           {.fine = fine.at(name), .after = state.at(name), .spread = spread});
        result.set(name, std::move(spread));
    }
    begin_to_count(work, result);
    return result;
}

void ScaledSimulation::begin_to_count(Work& work, SimulationFields& state) const {
    if (!work.keeps_ledger()) return;
    for (const std::string& name : counts_) state.set(name, Field(state.rect(), 0.0f));
}

void ScaledSimulation::put(Work& work, const SimulationFields& state) const {
    WorkTerrain& terrain = work.terrain();
    terrain.set("height", state.at("height"));
    for (const std::string& name : depths_) terrain.set(name, state.at(name));
}

std::vector<double> ScaledSimulation::counted(Work&, const SimulationFields& ground,
                                              const SimulationFields& state) const {
    std::vector<double> sums;
    for (const std::string& name : counts_)
        if (!name.ends_with(rest_ending)) sums.push_back(volume_of(state, name, ground.find("area")));
    return sums;
}

LedgerEntry ScaledSimulation::line_of(const char* quantity, const char* field, const SimulationFields& ground,
                                      const SimulationFields& state, double in, double out) {
    LedgerEntry line;
    line.quantity = quantity;
    line.before = volume_of(ground, field);
    line.after = volume_of(state, field);
    line.in = in;
    line.out = out;
    return line;
}

LedgerEntry ScaledSimulation::line_of_rock(const SimulationFields& ground, const SimulationFields& state,
                                           double in, double out) {
    LedgerEntry line = line_of("rock", "height", ground, state, in, out);
    line.moved = Volumes(ground.cell()).lowered(ground.at("height"), state.at("height"));
    return line;
}

std::vector<SimulationFields> doubled_grounds(Work& work, SimulationFields finest, int doublings) {
    std::vector<SimulationFields> grounds;
    grounds.push_back(std::move(finest));
    for (int i = 0; i < doublings && !grounds.back().rect().every_other().empty(); i++)
        grounds.push_back(coarser_ground(work, grounds.back()));
    return grounds;
}

int reach_of_stages(const std::vector<Stage>& stages, int cells_of_step) {
    double reach = 0;
    double cell = 1;
    for (size_t i = 0; i < stages.size(); i++, cell *= 2) {
        reach += cells_of_step * cell * stages[i].steps;
        // A cell to its coarser ones, and from those to the next coarse cells, which share what lies between.
        if (i + 1 < stages.size()) reach += 3 * cell;
    }
    return int(std::min(reach, double(1 << 17)));
}

}  // namespace caprock
