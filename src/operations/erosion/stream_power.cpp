// Mountains: land that is lifted while rivers cut into it, over the ages.
//
//     dh/dt = U - K A^m S^n + D (d2h/dx2 + d2h/dy2)
//
// Lifting and creeping are kernels; rivers cut along a flow graph of the whole land (hydrology/incision.h), which is made on the host on
// every device. Water that always took the steepest of eight neighbours would leave valleys along the axes and diagonals, so a
// neighbour is taken by lot (FlowRules::scatter): always the same in a place, so that land can come to rest. Rivers come last in a
// step: creep that came behind them would fill their beds and leave hollows.
//
// Large cells are worked on first, for most of the time; what they have become goes over to those between them, which get the
// rest of it: valleys and divides are those of the large cells, at any resolution, and the small ones add their own slopes.
#include "base/mathematics.h"
#include "hydrology/incision.h"
#include "hydrology/rounds.h"
#include "hydrology/shared_flow.h"
#include "hydrology/slopes.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/hydrology/flow_settings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class LandEdge { fixed, open, falling };

constexpr double metres_of_millimetre_a_year = 0.001;
// The coarsest land is no narrower than this in cells, and each finer one has this part of the time.
constexpr int least_side = 96;
constexpr double part_of_finer = 0.08;
// Diffusion in plain steps is stable up to this times the square of a cell.
constexpr double plain_step = 0.3;
// Parts of the rain of a cell, where it is not the same everywhere.
constexpr double parts_of_rain = 65536;

struct StreamPower {
    double age = 5e6;
    int steps = 100;
    int stop_after = 0;
    Number uplift = 0.5;
    Number erodibility = 4e-5;
    Number rain = 1;
    Number diffusivity = 0.005;
    Number talus = 35;
    double channel_area = 0.5;
    double area_exponent = 0.4;
    double slope_exponent = 1;
    double deposition = 0;
    LandEdge edge = LandEdge::fixed;
    double fall = 0.5;
    Number sea = -100000;
    double roughness = 1;
    double scale = 0;
    bool scatter = true;
    bool walls = false;
    uint32_t seed = 1;

    void describe(Declaration& d) const {
        d.summary(
            "lifts land while rivers cut into it: ranges of mountains with valleys, over millions of years");
        d.number("age", age)
            .range(1, 1e10)
            .slider(1e4, 1e8)
            .logarithmic()
            .unit("years")
            .help(
                "how long it goes on: from a young plateau that canyons cut into to mountains that rise no "
                "more");
        d.integer("steps", steps)
            .range(1, 100000)
            .slider(20, 400)
            .help("in how many steps; more are closer to what rivers do, and make other small valleys");
        describe_stop_after(d.integer("stop-after", stop_after));
        d.number("uplift", uplift)
            .range(-100, 100)
            .slider(0, 5)
            .unit("mm/year")
            .help("how quickly the land rises");
        d.number("erodibility", erodibility)
            .range(0, 1)
            .slider(1e-7, 1e-3)
            .logarithmic()
            .help(
                "K: how easily rivers cut into rock of hardness 0, in the units that the exponents ask for");
        d.number("rain", rain)
            .range(0, 1000)
            .slider(0, 5)
            .help("how much more water than usual runs off: it counts as so much more ground that drains");
        d.number("diffusivity", diffusivity)
            .range(0, 10)
            .slider(0, 0.1)
            .unit("m2/year")
            .help("D: how quickly slopes creep and ridges become round");
        d.number("talus", talus)
            .range(1, 89)
            .slider(20, 60)
            .unit("degrees")
            .help("angle at which slopes stand: what is steeper slides into the rivers");
        d.number("channel-area", channel_area)
            .range(0, 1e6)
            .slider(0, 20)
            .unit("ha")
            .help(
                "ground that it takes to make a channel; slopes that drain less are even, at any resolution");
        d.number("area-exponent", area_exponent)
            .range(0, 2)
            .slider(0.3, 0.6)
            .help("m: how much more a river cuts that drains more ground");
        d.number("slope-exponent", slope_exponent)
            .range(0.2, 5)
            .slider(0.5, 2)
            .help("n: how much more a steeper one cuts; the ratio of both is the concavity of rivers");
        d.number("deposition", deposition)
            .range(0, 10)
            .slider(0, 2)
            .help(
                "G: how readily rivers lay down what they carry where they lose their slope: they fill "
                "basins and build "
                "fans; 0: all of it is carried away");
        d.choice("edge", edge, {"fixed", "open", "falling"})
            .help(
                "fixed: the edge of the land stays where it is; open: it rises with the land but where "
                "rivers "
                "leave; falling: it sinks");
        d.number("fall", fall)
            .range(0, 100)
            .slider(0, 5)
            .unit("mm/year")
            .help("how quickly a falling edge sinks");
        d.number("sea", sea)
            .range(-100000, 100000)
            .slider(-100, 1000)
            .unit("m")
            .help("level of the sea, in which rivers end; the land that is no higher rises without them");
        d.number("roughness", roughness)
            .range(0, 1000)
            .slider(0, 20)
            .unit("m")
            .help("differences by chance in the beginning, without which water runs straight on level land");
        d.number("scale", scale)
            .range(0, 1e6)
            .slider(0, 1000)
            .unit("m")
            .help(
                "size of the largest cells that are worked on first: valleys are as straight as those are "
                "large; 0: as large as can be, which is the quickest");
        d.flag("scatter", scatter)
            .help(
                "water takes one of the two neighbours that the slope points between; otherwise the steepest "
                "of eight");
        d.flag("walls", walls).help("missing cells hold water back; otherwise the land ends there");
        d.seed("seed", seed).help("of all that is by chance");
        d.changes("height");
        d.reads_if_there("hardness");
        // Heights lifted, crept and cut; the area, the rate and what is held; the graph.
        d.works_with(16);
    }

    void check(const Grid&) const {
        if (edge == LandEdge::falling && fall <= 0)
            throw Error("fall 0: an edge that falls needs to be told how quickly; or say --edge fixed");
    }

    // The terrain's own cells first.
    std::vector<Stage> stages(const Grid& grid) const {
        int doublings = 0;
        Rect rect = grid.extent;
        double cell = 2 * grid.cell;
        // What should be a whole number of cells is not one less for a rounding.
        while (std::min(rect.every_other().width(), rect.every_other().height()) >= least_side &&
               (scale <= 0 || cell <= scale * (1 + 1e-9))) {
            rect = rect.every_other();
            cell *= 2;
            doublings++;
        }
        const int finer = std::max(int(std::lround(part_of_finer * steps)), 1);
        doublings = std::min(doublings, (steps - 1) / finer);
        std::vector<Stage> plan(size_t(doublings), Stage{finer, 1});
        plan.push_back({steps - finer * doublings, 1});
        if (stop_after == 0) return plan;
        int left = stop_after;
        for (size_t i = plan.size(); i-- > 0;) {
            plan[i].steps = std::min(plan[i].steps, left);
            left -= plan[i].steps;
        }
        return plan;
    }
    double years_of_step() const { return age / steps; }

    Reach reach(const Grid&) const { return Reach::whole(); }

    std::unique_ptr<const Simulation> simulation(const Grid& grid) const;
};

class Rising final : public ScaledSimulation {
  public:
    Rising(const StreamPower& by, const Grid& grid)
        : ScaledSimulation(by.stages(grid), {}, {"lifted", "carried"}, numbers_of(by)), by_(by) {}

    int fields_in_step() const override { return 16 + varying_numbers(); }
    // As the host's work goes, which is most of it.
    int launches_in_step() const override {
        return 4 + FlowGraph::units_to_make + FlowGraph::units_of_areas + (by_.deposition > 0 ? 16 : 0);
    }
    SimulationFields ground(Work& work) const override { return ground_of(work, false); }

    SimulationFields begin(Work& work, const SimulationFields& ground) const override {
        SimulationFields state = ScaledSimulation::begin(work, ground);
        if (by_.roughness > 0) {
            Field rough(state.rect());
            work.launch(kernel::stream_roughen, state.rect(),
                        {.height = state.at("height"),
                         .lifted = state.find("lifted"),
                         .rough = rough,
                         .most = float(by_.roughness),
                         .seed = by_.seed});
            state.set("height", std::move(rough));
        }
        return state;
    }

    void step(Work& work, const SimulationFields& ground, SimulationFields& state,
              const SimulationStep& step) const override {
        const Rect& rect = state.rect();
        Field& height = state.at("height");
        Field& risen = state.spare(0);
        const bool held = by_.edge != LandEdge::open;
        work.launch_around(1, kernel::stream_rise, rect,
                           {.height = height,
                            .lifted = state.find("lifted"),
                            .risen = risen,
                            .uplift = number("uplift", ground, step.stage),
                            .held = held,
                            .walls = by_.walls,
                            .left = rect.left,
                            .top = rect.top,
                            .right = rect.right - 1,
                            .bottom = rect.bottom - 1});
        creep(work, ground, state, step);
        const Field lifted = risen;
        const Varying sea = number("sea", ground, step.stage);
        FlowRules rules{.leaves_at_missing = !by_.walls, .sea_levels = sea.cells()};
        if (!sea.cells()) rules.sea = sea.everywhere();
        if (by_.scatter) rules.scatter = by_.seed;
        std::optional<FlowGraph> graph;
        std::vector<uint32_t> cells;
        Field area;
        work.on_host([&] {
            graph.emplace(lifted, rules, work.progress());
            cells = graph->areas(work.progress());
            area = drained(work, *graph, cells, ground, step);
        });
        Field& rate = state.spare(1);
        work.launch(kernel::stream_rate, rect,
                    {.area = area,
                     .hardness = ground.find("hardness"),
                     .rate = rate,
                     .erodibility = number("erodibility", ground, step.stage),
                     .channel = float(by_.channel_area * square_metres_of_hectare),
                     .exponent = float(by_.area_exponent)});
        const Field stays = held_heights(*graph, height);
        const Varying talus = number("talus", ground, step.stage);
        const Incision incision{.rate = rate,
                                .slope_exponent = by_.slope_exponent,
                                .cell = state.cell(),
                                .held = &stays,
                                .steepest = talus.cells(),
                                .stands = talus.everywhere()};
        Field cut;
        work.on_host([&] {
            cut = incised_and_filled(*graph, incision, by_.deposition, cells, work.progress());
            wear_slopes(cut, slope_kinds(*graph, cut, area, stays),
                        {.before = lifted,
                         .rate = rate,
                         .slope_exponent = by_.slope_exponent,
                         .cell = state.cell(),
                         .steepest = talus.cells(),
                         .stands = talus.everywhere()},
                        work.progress());
        });
        if (Field* carried = state.find("carried")) count(*carried, lifted, cut);
        height = std::move(cut);
    }

    void enter(Work& work, const SimulationFields& ground, const SimulationFields& state,
               const std::vector<double>& counted) const override {
        work.enter(line_of_rock(ground, state, counted[0], counted[1]));
    }

  private:
    // Slopes creep in as many stages as a step of this length takes.
    void creep(Work& work, const SimulationFields& ground, SimulationFields& state,
               const SimulationStep& step) const {
        const Varying diffusivity = number("diffusivity", ground, step.stage);
        const double most =
            diffusivity.cells()
                ? double(work.fold(kernel::extent, state.rect(), {.field = *diffusivity.cells()}).high)
                : double(diffusivity.everywhere());
        const double plain = most / (state.cell() * state.cell() * plain_step);
        if (!(plain > 0)) return;
        const int stages = std::max(int(std::ceil((std::sqrt(1 + 8 * plain) - 1) / 2)), 1);
        const double weight = 2.0 / (double(stages) * stages + stages);
        const double change = 1 / (state.cell() * state.cell());
        Field& made = state.spare(0);
        Field& before = state.spare(2);
        Field& next = state.spare(3);
        for (int stage = 1; stage <= stages; stage++) {
            const double of_stage = (stage - 1.0) / stage;
            work.launch_around(1, kernel::stream_creep, state.rect(),
                               {.height = made,
                                .before = stage == 1 ? nullptr : &before,
                                .area = ground.find("area"),
                                .crept = next,
                                .diffusivity = diffusivity,
                                .of_stage = float(of_stage),
                                .of_change = float((1 + of_stage) * weight * change)});
            std::swap(before, made);
            std::swap(made, next);
        }
    }

    // Square metres, each with as much rain as falls on it.
    Field drained(Work& work, const FlowGraph& graph, const std::vector<uint32_t>& cells,
                  const SimulationFields& ground, const SimulationStep& step) const {
        const double cell = ground.cell();
        const Varying rain = number("rain", ground, step.stage);
        if (!rain.cells()) {
            return square_metres(graph, cells, cell * std::sqrt(double(rain.everywhere())));
        }
        std::vector<uint64_t> parts(graph.size(), 0);
        const Field::Rows rows = rain.cells()->rows();
        size_t index = 0;
        for (int y = graph.rect().top; y < graph.rect().bottom; y++)
            for (int x = 0; x < graph.rect().width(); x++, index++)
                if (!graph.is_missing(index))
                    parts[index] = uint64_t(std::lround(rows[y][x] * parts_of_rain));
        graph.accumulate(parts, work.progress());
        return square_metres(graph, parts, cell * std::sqrt(double(SharedFlow::parts) / parts_of_rain));
    }

    // What the edge of the land is at after a step, and where water leaves it other than into the sea; missing elsewhere.
    Field held_heights(const FlowGraph& graph, const Field& before) const {
        const Rect& rect = graph.rect();
        const float falls = by_.edge == LandEdge::falling
                                ? float(by_.fall * metres_of_millimetre_a_year * by_.years_of_step())
                                : 0.0f;
        Field result(rect);
        const Field::WritableRows to = result.writable_rows();
        const Field::Rows rows = before.rows();
        in_parallel(size_t(rect.height()), [&](size_t row) {
            const int y = rect.top + int(row);
            size_t cell = row * size_t(rect.width());
            for (int x = rect.left; x < rect.right; x++, cell++) {
                bool holds = false;
                if (!graph.is_missing(cell)) {
                    const bool at_edge = is_edge(graph, rows, x, y);
                    holds = by_.edge == LandEdge::open ? graph.leaves(cell) && at_edge : at_edge;
                }
                to[y][x - rect.left] = holds ? rows[y][x - rect.left] - falls : missing;
            }
        });
        return result;
    }

    // What drains too little ground for a channel wears as a slope, unless something was laid down on it or it lies under water.
    std::vector<SlopeKind> slope_kinds(const FlowGraph& graph, const Field& cut, const Field& area,
                                       const Field& stays) const {
        const Rect& rect = graph.rect();
        const float channel = float(by_.channel_area * square_metres_of_hectare);
        std::vector<SlopeKind> kinds(graph.size());
        const Field::Rows cuts = cut.rows(), areas = area.rows(), held = stays.rows();
        in_parallel(size_t(rect.height()), [&](size_t row) {
            const int y = rect.top + int(row);
            for (size_t x = 0; x < size_t(rect.width()); x++) {
                const size_t cell = row * size_t(rect.width()) + x;
                SlopeKind& kind = kinds[cell];
                if (graph.is_missing(cell) || !is_missing(held[y][x])) {
                    kind = SlopeKind::stays;
                } else if (areas[y][x] < channel && !graph.leaves(cell) && cuts[y][x] <= graph.height(cell) &&
                           graph.height(cell) >= graph.level(cell)) {
                    kind = SlopeKind::wears;
                } else {
                    kind = SlopeKind::stands;
                }
            }
        });
        return kinds;
    }

    bool is_edge(const FlowGraph& graph, const Field::Rows& rows, int x, int y) const {
        const Rect& rect = graph.rect();
        if (x == rect.left || y == rect.top || x + 1 == rect.right || y + 1 == rect.bottom) return true;
        if (by_.walls) return false;
        for (int v = y - 1; v <= y + 1; v++)
            for (int u = x - 1; u <= x + 1; u++)
                if (is_missing(rows[v][u - rect.left])) return true;
        return false;
    }

    static void count(Field& carried, const Field& before, const Field& after) {
        const Rect& rect = carried.rect();
        const Field::WritableRows to = carried.writable_rows();
        const Field::Rows from = before.rows(), now = after.rows();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = 0; x < rect.width(); x++) to[y][x] += from[y][x] - now[y][x];
    }

    static std::vector<StepNumber> numbers_of(const StreamPower& by) {
        const Schema& schema = StructSchema::of<StreamPower>().schema();
        const double years = by.years_of_step();
        return {{schema.at("uplift"), by.uplift,
                 [years](double rate, const Stage&) {
                     return float(rate * metres_of_millimetre_a_year * years);
                 }},
                {schema.at("erodibility"), by.erodibility,
                 [years](double rate, const Stage&) { return float(rate * years); }},
                {schema.at("rain"), by.rain, [](double rain, const Stage&) { return float(rain); }},
                {schema.at("diffusivity"), by.diffusivity,
                 [years](double rate, const Stage&) { return float(rate * years); }},
                {schema.at("sea"), by.sea, [](double level, const Stage&) { return float(level); }},
                {schema.at("talus"), by.talus,
                 [](double degrees, const Stage&) { return float(tangent_of_degrees(degrees)); }}};
    }

    const StreamPower by_;
};

std::unique_ptr<const Simulation> StreamPower::simulation(const Grid& grid) const {
    return std::make_unique<Rising>(*this, grid);
}

REGISTER_OPERATION("stream-power", "erosion", StreamPower);

}  // namespace

}  // namespace caprock
