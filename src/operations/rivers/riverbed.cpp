// Riverbeds from particles (Riverbeds, eq. 1-3). The paths come first, from the ground as it is; then every cell adds up
// what the particles near it cut.
#include "base/error.h"
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/block_lists.h"
#include "operations/erosion/volumes.h"
#include "operations/line_places.h"
#include "operations/rivers/particle_paths.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace caprock {

namespace {

// RIVERBED_BLOCK_COLUMNS, _ROWS and RIVERBED_ENTRY of the kernel.
constexpr int step_block_width = 16;
constexpr int step_block_height = 8;
constexpr size_t step_entry_length = 5;
// So many entries of lists are made and used at once: what stays in a cache.
constexpr int64_t most_listed_steps = 1 << 20;
// In cells. Such a particle is in some 30,000 lists.
constexpr double largest_particle = 1000;
// Steps are kept until all are cut, 32 bytes each.
constexpr double most_steps = 5e7;

// Some steps that follow each other, and the cells that they touch.
struct StepBatch {
    size_t first, last;
    Rect cells;
};

// The whole number below. Particles are not far outside, and a conversion is sooner done than std::floor.
int whole_below(double cells) { return int(cells + 0x1p20) - (1 << 20); }

// Not one cell too few.
Rect touched(const ParticleStep& step, const Rect& extent) {
    return Rect{whole_below(step.x - double(step.radius)), whole_below(step.y - double(step.radius)),
                whole_below(step.x + double(step.radius)) + 1, whole_below(step.y + double(step.radius)) + 1}
        .intersected(extent);
}

std::vector<StepBatch> batches_of(const std::vector<ParticleStep>& steps, const Rect& extent) {
    std::vector<StepBatch> batches;
    int64_t listed = most_listed_steps;
    for (size_t i = 0; i < steps.size(); i++) {
        Rect cells = touched(steps[i], extent);
        if (cells.empty()) continue;
        if (listed >= most_listed_steps) {
            batches.push_back({i, i, cells});
            listed = 0;
        }
        StepBatch& batch = batches.back();
        batch.last = i + 1;
        batch.cells = {std::min(batch.cells.left, cells.left), std::min(batch.cells.top, cells.top),
                       std::max(batch.cells.right, cells.right), std::max(batch.cells.bottom, cells.bottom)};
        listed += (cells.width() / step_block_width + 1) * int64_t(cells.height() / step_block_height + 1);
    }
    return batches;
}

// The steps of a batch as the kernel takes them. One object serves all batches: its memory is used again.
class StepLists {
  public:
    int columns() const { return blocks_.columns(); }
    const std::vector<int>& begins() const { return blocks_.begins(); }
    const std::vector<float>& list() const { return list_; }

    // A step is weighted by its length, by its radius and by `strength`.
    void make(const StepBatch& batch, const std::vector<ParticleStep>& steps, double strength) {
        blocks_.begin(batch.cells);
        for (size_t i = batch.first; i < batch.last; i++)
            blocks_.add_circle(i, steps[i].x, steps[i].y, double(steps[i].radius));
        blocks_.close();
        list_.resize(step_entry_length * blocks_.entries());
        blocks_.fill([&](size_t place, size_t thing, int column, int row) {
            const ParticleStep& step = steps[thing];
            float* entry = &list_[step_entry_length * place];
            entry[0] = float(step.x - blocks_.block_left(column));
            entry[1] = float(step.y - blocks_.block_top(row));
            entry[2] = step.radius * step.radius;
            entry[3] = float(strength * double(step.length) / double(step.radius));
            entry[4] = step.rise;
        });
    }

  private:
    BlockLists blocks_{step_block_width, step_block_height};
    std::vector<float> list_;
};

struct Riverbed {
    int particles = 1000;
    std::vector<double> emitter;
    double window = 300;
    double direction = 90;
    LinesValue path;
    Interval velocity = {40, 40};
    Interval angle = {-1, 1};
    Interval rotation = {4.3, 5.3};
    Interval phase = {0, 0};
    Interval offset = {100, 300};
    Interval radius = {40, 120};
    Number depth = 0.25;
    Number deepest = 40;
    double climb = 500;
    Number grade = 1;
    bool water = false;
    Number level = 0.6;
    uint32_t seed = 1;
    std::string lines;

    void describe(Declaration& d) const {
        d.summary("a riverbed, cut by particles that roll over the land, deeper where rock is soft");
        d.source("Riverbeds, equations 1 to 3");
        d.integer("particles", particles)
            .range(0, 100000)
            .slider(0, 10000)
            .help("how many roll; more make a deeper bed");
        d.table("emitter", emitter)
            .range(-10000000, 10000000)
            .slider(0, 10000)
            .unit("m")
            .help("x,y where the river begins; without, the middle of the side it comes from");
        d.number("window", window)
            .range(0, 100000)
            .slider(0, 2000)
            .unit("m")
            .help("width of the place where particles start, across the river");
        d.number("direction", direction)
            .range(-360, 360)
            .slider(0, 360)
            .unit("degrees")
            .help("where the river flows to, as on a compass: 0 is north, 90 east");
        d.lines("path", path)
            .help("line that the river follows, not emitter and direction: \"x,y x,y ...\" in metres");
        d.interval("velocity", velocity)
            .range(0.1, 100000)
            .slider(2, 100)
            .unit("m")
            .help("of the particles, for each step; longer steps than their radius leave holes");
        d.interval("angle", angle)
            .range(-90, 90)
            .slider(-20, 20)
            .unit("degrees")
            .help("by which particles stray from the direction, to the right: the river widens");
        d.interval("rotation", rotation)
            .range(-180, 180)
            .slider(-20, 20)
            .unit("degrees")
            .help("by which particles circle around their line in each step: the river meanders");
        d.interval("phase", phase)
            .range(-360, 360)
            .unit("degrees")
            .help("of that circle at the start; a range parts the river into arms");
        d.interval("offset", offset)
            .range(0, 100000)
            .slider(0, 1000)
            .unit("m")
            .help("from that line: how far meanders reach");
        d.interval("radius", radius)
            .range(0.1, 4000)
            .slider(5, 300)
            .unit("m")
            .help("of the particles: half the width of what one cuts");
        d.number("depth", depth)
            .range(0, 1000)
            .slider(0, 2)
            .unit("m")
            .help("that the largest particle cuts out of the softest rock; smaller ones cut less");
        d.number("deepest", deepest)
            .range(0.1, 10000)
            .slider(1, 200)
            .logarithmic()
            .unit("m")
            .help("depth that the bed comes near to, but not below, however many particles cut");
        d.number("climb", climb)
            .range(0, 100000)
            .slider(0, 500)
            .unit("m")
            .help("a particle is stopped by ground this much above the lowest it has come to");
        d.number("grade", grade)
            .range(0, 1)
            .help(
                "how much of a rise in its way the river cuts down: 0 keeps it, at 1 the bed does not rise");
        d.flag("water", water).help("make the field water, which fills the bed");
        d.number("level", level)
            .range(0, 1)
            .help("how high the water stands, as a share of the bed's greatest depth");
        d.seed("seed", seed).help("another seed gives other particles");
        d.text("lines", lines).help("name of the lines to make: the river's course; none unless named");
        d.changes("height");
        if (!lines.empty()) d.makes_lines(lines);
        d.reads_if_there("hardness");
        if (water) {
            d.reads_if_there("water");
            d.makes("water");
        }
        d.works_with(water ? 4 : 3);
    }

    void check(const Grid& grid) const {
        if (emitter.size() != 0 && emitter.size() != 2)
            throw Error(fmt::format("emitter: {} numbers; give x,y in metres", emitter.size()));
        if (path.given() && !emitter.empty())
            throw Error("--path and --emitter exclude each other; give one of them");
        if (!lines.empty()) check_line_name(lines);
        if (grid.metres_to_cells(radius.high) > largest_particle)
            throw Error(fmt::format("radius {} m is more than {} cells of {} m", radius.high,
                                    largest_particle, grid.cell));
        // Lines of the terrain are seen only when it runs.
        if (!path.is_named()) check_way(grid, courses(grid, path.lines()));
    }
    void check_way(const Grid& grid, const std::vector<Course>& all) const {
        double across = (grid.extent.width() + grid.extent.height()) * grid.cell;
        double way = 0;
        for (const Course& course : all) way += (path.given() ? course.length() : across) + 2 * offset.high;
        if (particles * way / velocity.low > most_steps)
            throw Error(
                fmt::format("{} particles at {} m a step are too many steps; take fewer particles or "
                            "a higher velocity",
                            particles, velocity.low));
    }

    // A particle may come from anywhere, and be stopped anywhere on its way.
    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Grid& grid = terrain.grid();
        const Rect& rect = terrain.rect();
        const Field before = terrain.height();
        const LineSet& given = terrain.lines(path);
        std::vector<ParticleStep> steps = all_steps(work, courses(grid, given));
        if (!lines.empty()) terrain.set_lines(lines, path.given() ? given : across(grid));
        std::vector<StepBatch> batches = batches_of(steps, rect);
        int64_t cells = rect.cells() * (water ? 4 : 2);
        for (const StepBatch& batch : batches) cells += batch.cells.cells();
        work.progress().expect(cells);

        // A step of length l cuts so much that a whole way, in however many steps, cuts `depth` along its middle: the
        // integral of sqrt(s^2 - d^2) over a line through the middle is pi/2 s^2.
        const double largest = depth.varies() ? 1 : depth.everywhere();
        double strength = largest * (2 / pi) / grid.metres_to_cells(radius.high);
        Field depth_here(rect, 0.0f);
        Field rise_here(rect, 0.0f);
        StepLists lists;
        for (const StepBatch& batch : batches) {
            lists.make(batch, steps, strength);
            work.progress().check();
            work.launch(kernel::riverbed_carve, batch.cells,
                        {.carved = depth_here,
                         .risen = rise_here,
                         .list_begins = lists.begins(),
                         .list = lists.list(),
                         .left = batch.cells.left,
                         .top = batch.cells.top,
                         .block_columns = lists.columns()});
        }
        auto as_it_is = [](double number) { return float(number); };
        const Varying lowest = work.varying("deepest", deepest, as_it_is);
        work.launch(kernel::riverbed_depth, rect,
                    {.carved = depth_here,
                     .risen = rise_here,
                     .hardness = terrain.find("hardness"),
                     .metres = depth.varies() ? work.varying("depth", depth, as_it_is) : Varying(1.0f),
                     .deepest = lowest,
                     .grade = work.varying("grade", grade, as_it_is)});
        const Field &bed = depth_here, &rise = rise_here;
        Field height(rect);
        Field carried = work.keeps_ledger() ? Field(rect) : Field();
        work.launch(kernel::riverbed_cut, rect,
                    {.before = before,
                     .depth = bed,
                     .rise = rise,
                     .height = height,
                     .carried = work.keeps_ledger() ? &carried : nullptr,
                     .deepest = lowest});
        if (work.keeps_ledger()) enter_rock(work, before, carried, height);
        if (water) fill(work, before, bed, rise, lowest);
        terrain.set("height", std::move(height));
    }

    // One river for each line.
    std::vector<ParticleStep> all_steps(Work& work, const std::vector<Course>& all) const {
        const Grid& grid = work.terrain().grid();
        if (path.is_named()) check_way(grid, all);
        Particles own{particles, window, velocity, angle, rotation, phase, offset, radius, climb, seed};
        std::vector<ParticleStep> steps;
        for (const Course& course : all) {
            const std::vector<ParticleStep> more =
                particle_paths(grid, work.terrain().height(), course, own, work.progress());
            steps.insert(steps.end(), more.begin(), more.end());
            own.first += uint32_t(particles);
        }
        return steps;
    }

    Place start(const Grid& grid) const {
        return emitter.empty() ? middle_of_side(grid, direction) : Place{emitter[0], emitter[1]};
    }
    std::vector<Course> courses(const Grid& grid, const LineSet& given) const {
        if (!path.given()) return {Course::straight(start(grid), direction)};
        std::vector<Course> all;
        for (const std::vector<Place>& places : courses_of(given))
            if (places.size() > 1) all.push_back(Course::through(places));
        if (all.empty()) throw Error("path: one place is no line; give two or more, or --emitter");
        return all;
    }
    // Where a straight course lies: from its beginning to where it leaves the land.
    LineSet across(const Grid& grid) const {
        const Place from = start(grid);
        const Place ahead = Course::straight(from, direction).at(0, 0).ahead;
        const WorldArea land = grid.span_of(grid.extent);
        auto leaves = [](double at, double by, double low, double high) {
            return by == 0 ? std::numeric_limits<double>::infinity() : ((by > 0 ? high : low) - at) / by;
        };
        const double way = std::min(leaves(from.x, ahead.x, land.left, land.right),
                                    leaves(from.y, ahead.y, land.top, land.bottom));
        if (!(way > 0) || std::isinf(way)) return {};
        return LineSet({{{{from.x, from.y}, {from.x + ahead.x * way, from.y + ahead.y * way}}}});
    }

    void fill(Work& work, const Field& before, const Field& bed, const Field& rise,
              const Varying& lowest) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        float greatest =
            work.fold(kernel::riverbed_greatest, rect, {.height = before, .depth = bed}).greatest;
        auto below = [&](double share) { return float((1 - share) * double(greatest)); };
        const Field* there = terrain.find("water");
        Field filled(rect);
        work.launch(kernel::riverbed_water, rect,
                    {.before = before,
                     .depth = bed,
                     .rise = rise,
                     .water_before = there,
                     .water = filled,
                     .deepest = lowest,
                     .below = work.varying("level", level, below)});
        terrain.set("water", std::move(filled));
    }

    // What was cut is carried away, out of the terrain. It is counted by itself, so that the book shows what heights lose
    // by rounding. Of water there is no line: it comes from nowhere, and what came could only be told from what is there.
    static void enter_rock(Work& work, const Field& before, const Field& carried, const Field& after) {
        const Volumes volumes(work.terrain().grid());
        LedgerEntry entry;
        entry.quantity = "rock";
        entry.before = volumes.of(before);
        entry.out = volumes.of(carried);
        entry.after = volumes.of(after);
        work.enter(entry);
    }
};

REGISTER_OPERATION("riverbed", "rivers", Riverbed);

}  // namespace

}  // namespace caprock
