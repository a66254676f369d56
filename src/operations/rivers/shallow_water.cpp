#include "operations/rivers/shallow_water.h"

#include "base/error.h"
#include "kernels.h"
#include "operations/gravity.h"
#include "operations/on_land.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace caprock {

namespace {

// A wave of the deepest water crosses so much of a cell in a step. Water that breaks out runs twice as fast as that wave (Ritter 1892),
// and then has a few more tenths of a cell to go.
constexpr double courant = 0.35;
// So much of a cell water and its waves cross in a step, at most, along both axes together.
constexpr double furthest_in_step = 0.95;
// So many steps are a day of work on a small landscape.
constexpr double most_water_steps = 10'000'000;
constexpr double millimetres_an_hour = 1e-3 / 3600;

// What there is of every number that is counted, and what that has no digits for.
std::vector<std::string> with_rests(const std::vector<std::string>& names) {
    std::vector<std::string> all;
    for (const std::string& name : names) {
        all.push_back(name);
        all.push_back(name + "-rest");
    }
    return all;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

}  // namespace

// ---- parameters ------------------------------------------------------------------------------------------

void ShallowWater::describe(Declaration& d) const {
    d.number("rain", rain).range(0, 10000).slider(0, 200).unit("mm/h").help("that falls all the time");
    d.points("springs", springs)
        .help(
            "places where water comes out: \"x,y; x,y ...\" in metres. A point of a file may have a "
            "discharge");
    d.number("discharge", discharge)
        .range(0, 1000000)
        .slider(0.1, 1000)
        .logarithmic()
        .unit("m3/s")
        .help("of each spring");
    d.number("spring-radius", spring_radius)
        .range(0, 10000)
        .slider(0, 200)
        .unit("m")
        .help("of the place where its water comes out");
    d.number("evaporation", evaporation)
        .range(0, 10000)
        .slider(0, 50)
        .unit("mm/h")
        .help("of what stands or flows, and what seeps away");
    d.number("friction", friction)
        .range(0, 1)
        .slider(0.01, 0.1)
        .unit("s/m^(1/3)")
        .help("of the bed, Manning's n: 0.015 concrete, 0.03 gravel, 0.05 boulders, 0.1 woods");
    d.number("deepest", deepest)
        .range(0.01, 1000)
        .slider(0.5, 20)
        .logarithmic()
        .unit("m")
        .help(
            "depth that steps are made for, of cell / (9 * square root of depth) seconds; deeper water runs "
            "no "
            "faster");
    d.choice("border", border, {"open", "closed"})
        .help("whether water leaves over the border of the land and into missing cells");
    describe_stop_after(d.integer("stop-after", stop_after));
}

double ShallowWater::longest_step(double cell) const { return courant * cell / std::sqrt(gravity * deepest); }

Stage ShallowWater::stage_lasting(double seconds, double cell) const {
    const Stage units = Stage::lasting(std::min(seconds / longest_step(cell), most_water_steps));
    return {units.steps, units.steps > 0 ? seconds / units.steps : 1};
}

std::vector<Stage> ShallowWater::until_stopped(std::vector<Stage> plan) const {
    return SimulatedTime{.stop_after = stop_after}.until_stopped(std::move(plan));
}

void ShallowWater::check(double seconds, double cell) const {
    const double steps = seconds / longest_step(cell);
    if (steps > most_water_steps)
        throw Error(fmt::format(
            "water {} m deep takes steps of {:.2g} s in cells of {:g} m, and {:g} s are {:.2g} of them; "
            "the most are {:.2g}",
            deepest, longest_step(cell), cell, seconds, steps, most_water_steps));
}

// ---- springs ---------------------------------------------------------------------------------------------

SpringField::SpringField(const LineSet& springs, double discharge, double radius, const Grid& grid)
    : extent_(grid.extent) {
    for (const Line& line : springs.lines()) {
        double amount = discharge;
        if (auto noted = line.attributes.find("discharge"); noted != line.attributes.end()) {
            if (const double* number = std::get_if<double>(&noted->second)) amount = *number;
            if (const int64_t* number = std::get_if<int64_t>(&noted->second)) amount = double(*number);
        }
        for (const LinePoint& point : line.points) {
            Circle circle{grid.metres_to_cells(point.x), grid.metres_to_cells(point.y),
                          grid.metres_to_cells(radius), 0};
            double cells = 0;
            auto count = [&] {
                const double top = std::max(std::ceil(circle.y - circle.radius), double(extent_.top));
                const double bottom =
                    std::min(std::floor(circle.y + circle.radius), double(extent_.bottom - 1));
                for (double y = top; y <= bottom; y++) {
                    const Interval row = span(circle, int(y), extent_);
                    if (row.high >= row.low) cells += row.high - row.low + 1;
                }
            };
            count();
            if (cells == 0) {
                circle.x = grid.nearest_cell(point.x);
                circle.y = grid.nearest_cell(point.y);
                circle.radius = 0;
                count();
            }
            if (cells == 0 || !(amount > 0)) continue;
            circle.rate = amount / (cells * grid.cell * grid.cell);
            circles_.push_back(circle);
        }
    }
}

Interval SpringField::span(const Circle& circle, int y, const Rect& extent) {
    const double away = double(y) - circle.y;
    const double square = circle.radius * circle.radius - away * away;
    if (square < 0) return {1, 0};
    const double half = std::sqrt(square);
    return {std::max(std::ceil(circle.x - half), double(extent.left)),
            std::min(std::floor(circle.x + half), double(extent.right - 1))};
}

Field SpringField::on(const Rect& rect) const {
    Field field(rect, 0.0f);
    Field::WritableRows rows = field.writable_rows();
    for (const Circle& circle : circles_) {
        const double top = std::max(std::ceil(circle.y - circle.radius), double(rect.top));
        const double bottom = std::min(std::floor(circle.y + circle.radius), double(rect.bottom - 1));
        for (double y = top; y <= bottom; y++) {
            const Interval row = span(circle, int(y), rect);
            for (double x = row.low; x <= row.high; x++)
                rows[int(y)][int(x) - rect.left] += float(circle.rate);
        }
    }
    return field;
}

// ---- simulation ------------------------------------------------------------------------------------------

WaterSimulation::WaterSimulation(const ShallowWater& water, std::vector<Stage> stages,
                                 std::vector<std::string> depths, std::vector<std::string> counts,
                                 std::vector<StepNumber> numbers)
    : ScaledSimulation(std::move(stages), joined({"water"}, depths),
                       with_rests(joined({"came", "evaporated", "left"}, counts)), std::move(numbers)),
      water_(water),
      depths_(joined({"water"}, depths)),
      read_by_steps_(joined(ScaledSimulation::read_by_steps(), {"springs"})) {}

std::vector<StepNumber> WaterSimulation::numbers_of(const Schema& schema, const ShallowWater& water,
                                                    std::vector<StepNumber> others) {
    auto in_step = [](double rate, const Stage& stage) {
        return float(rate * millimetres_an_hour * stage.share);
    };
    others.push_back({schema.at("rain"), water.rain, in_step});
    others.push_back({schema.at("evaporation"), water.evaporation, in_step});
    others.push_back({schema.at("friction"), water.friction,
                      [](double n, const Stage& stage) { return float(gravity * n * n * stage.share); }});
    return others;
}

SimulationFields WaterSimulation::ground_of_water(Work& work, bool hard) const {
    SimulationFields ground = ground_of(work, false, hard);
    for (const std::string& name : depths_) {
        Field begun(ground.rect());
        work.launch(kernel::hydraulic_begin, ground.rect(),
                    {.height = ground.at("height"), .before = work.terrain().find(name), .begun = begun});
        ground.set(name, std::move(begun));
    }
    if (water_.springs.given()) {
        const LineSet& given = work.terrain().lines(water_.springs);
        // Half of a landscape may well have none of its springs.
        if (const auto off = beside_the_land("springs", given, work.terrain().grid(), water_.spring_radius))
            work.warn(*off);
        const SpringField springs(given, water_.discharge, water_.spring_radius, work.terrain().grid());
        if (!springs.empty()) ground.set("springs", springs.on(ground.rect()));
    }
    return ground;
}

SimulationFields WaterSimulation::coarser(Work& work, const SimulationFields& fine) const {
    SimulationFields coarse = ScaledSimulation::coarser(work, fine);
    const Field* springs = fine.find("springs");
    if (!springs || coarse.rect().empty()) return coarse;
    Field collected(coarse.rect());
    work.launch_around(2, kernel::scales_collect, coarse.rect(),
                       {.height = fine.at("height"),
                        .depth = *springs,
                        .area = fine.find("area"),
                        .coarse_area = coarse.at("area"),
                        .coarse = collected});
    coarse.set("springs", std::move(collected));
    return coarse;
}

void WaterSimulation::add_pipes(SimulationFields& state) const {
    for (const char* name : {"east", "south", "moved-east", "moved-south", "water-rest", "height-rest"})
        state.set(name, Field(state.rect(), 0.0f));
}

SimulationFields WaterSimulation::begin(Work& work, const SimulationFields& ground) const {
    SimulationFields state = ScaledSimulation::begin(work, ground);
    add_pipes(state);
    return state;
}

// Water begins to run anew, which takes it seconds.
SimulationFields WaterSimulation::finer(Work& work, const SimulationFields& fine,
                                        const SimulationFields& coarse, const SimulationFields& state) const {
    SimulationFields result = ScaledSimulation::finer(work, fine, coarse, state);
    add_pipes(result);
    return result;
}

void WaterSimulation::step(Work& work, const SimulationFields& ground, SimulationFields& state,
                           const SimulationStep& step) const {
    Field& east = state.at("east");
    Field& south = state.at("south");
    Field& next_east = state.spare(0);
    Field& next_south = state.spare(1);
    work.launch_around(1, kernel::shallow_water_flow, step.cells.expanded(2).intersected(state.rect()),
                       {.ground = state.at("height"),
                        .water = state.at("water"),
                        .east = east,
                        .south = south,
                        .moved_east = state.at("moved-east"),
                        .moved_south = state.at("moved-south"),
                        .next_east = next_east,
                        .next_south = next_south,
                        .drag = number("friction", ground, step.stage),
                        .gravity = float(gravity * step.stage.share / state.cell()),
                        .advance = advance(state, step),
                        .deepest = float(water_.deepest),
                        .fastest = float(furthest_in_step * state.cell() / step.stage.share)});
    std::swap(east, next_east);
    std::swap(south, next_south);
    move(work, ground, state, step);
}

void WaterSimulation::enter_water(Work& work, const SimulationFields& ground, const SimulationFields& state,
                                  const std::vector<double>& counted) const {
    work.enter(line_of("water", "water", ground, state, counted[0], counted[1] + counted[2]));
}

}  // namespace caprock
