// Rivers first, and land made for them. A drainage is drawn, by branching or from ridges, on a lattice in metres; beds rise up the
// rivers, ground rises from the beds, and ridges are where the ground of two rivers meets. So all of it drains, and rivers never
// flow uphill.
#include "base/error.h"
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/rivers/given_rivers.h"
#include "operations/rivers/ridge_sketch.h"
#include "operations/rivers/river_beds.h"
#include "operations/rivers/river_ground.h"
#include "operations/rivers/river_noise.h"
#include "operations/rivers/river_tree.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace caprock {

namespace {

enum class RiverMethod { branching, ridges };

// All in distances between rivers. Nowhere is farther from a river than half of one, and what the lattice and the smoothing of
// its rivers add to that.
constexpr double crest_to_spacing = 0.75;
constexpr double moved_to_spacing = 0.25;
constexpr double calm_to_spacing = 0.25;
// How much hillslopes differ by chance from valley to valley, and over what distance.
constexpr double slopes_differ = 0.22;
constexpr double slopes_differ_over = 3;
// What land that no ridge is near has of the hillslopes and the falls of rivers.
constexpr double flattest_part = 0.35;
// What it costs to cross a ridge.
constexpr double ridge_in_spacings = 14;
// Of a piece of river between two places, about.
constexpr double piece_to_spacing = 1.0 / 18;
// How round crests are at the most, as the slope's rise over such a distance. From rivers to so far away nothing of that is seen,
// and beyond all of it.
constexpr double round_to_spacing = 0.042;
constexpr double sharp_to_spacing = 0.06;
constexpr double even_to_spacing = 0.34;
// The octaves that move places: each half as wide as the one before, and moved by this part of its width.
constexpr int most_river_octaves = 10;
constexpr double moved_to_width = 0.36;
constexpr double finer_part = 0.87;  // of that, from octave to octave
// Units of progress for what the host does, a cell.
constexpr int host_units = 6;

enum NetworkPurpose : uint32_t {
    lattice_chance = 41,
    growth_chance,
    mouth_chance,
    slope_chance,
    rough_chance,
    ridge_chance
};

struct RiverNetwork {
    RiverMethod method = RiverMethod::branching;
    LinesValue rivers;
    int mouths = 7;
    int ridges = 6;
    double spacing = 200;
    double winding = 0.7;
    double junction = 65;
    double steepness = 0.085;
    double concavity = 0.38;
    Number hillslope = 37;
    double floor = 20;
    double crest = 0.7;
    Number roughness = 0.8;
    double base = 0;
    uint32_t seed = 1;
    std::string lines;
    std::string ridge_lines;

    void describe(Declaration& d) const {
        d.summary(
            "rivers are drawn first, and land is made for them: valleys that all lead somewhere, with ridges "
            "between");
        d.source("Editor, section 6.3.5");
        d.choice("method", method, {"branching", "ridges"})
            .help(
                "branching: tributaries are added until the rivers fill the land; ridges: ridges are drawn "
                "first, and "
                "water that rolls down from them makes the first rivers");
        d.lines("rivers", rivers)
            .help(
                "rivers that there are to be, each from its source to its mouth, \"x,y x,y ...\" or with "
                "heights of the bed "
                "\"x,y,z ...\"; without, all are drawn by chance");
        d.integer("mouths", mouths)
            .range(1, 1000)
            .slider(1, 40)
            .help("where rivers leave the land, if no river that is given does and no ridge decides it");
        d.integer("ridges", ridges)
            .range(1, 1000)
            .slider(1, 30)
            .help("how many ridges are drawn, by the method of that name");
        d.number("spacing", spacing)
            .range(2, 1e6)
            .slider(50, 5000)
            .logarithmic()
            .unit("m")
            .help(
                "about how far rivers lie apart: little for land that is finely cut, much for broad valleys");
        d.number("winding", winding)
            .range(0, 1)
            .help("how much rivers wind; at 0 they go as straight as they can");
        d.number("junction", junction)
            .range(5, 85)
            .slider(30, 75)
            .unit("degrees")
            .help("angle in which rivers join; a small one makes long tributaries beside their rivers");
        d.number("steepness", steepness)
            .range(0, 10)
            .slider(0.005, 0.5)
            .logarithmic()
            .help("how much a river falls that drains a square kilometre, metres for each metre");
        d.number("concavity", concavity)
            .range(0, 0.9)
            .slider(0.2, 0.6)
            .help("how much less a river falls that drains more; 0: all fall alike");
        d.number("hillslope", hillslope)
            .range(1, 80)
            .slider(5, 50)
            .unit("degrees")
            .help("how steep ground is between its river and its ridge");
        d.number("floor", floor)
            .range(0, 10000)
            .slider(0, 200)
            .unit("m")
            .help(
                "width of the valley floor of a river that drains a square kilometre; that of others goes by "
                "the root of what they drain");
        d.number("crest", crest).range(0, 1).help("how round ridges are; at 0 they are sharp");
        d.number("roughness", roughness)
            .range(0, 1)
            .help("how much slopes and ridges are broken up; nothing changes at rivers");
        d.number("base", base)
            .range(-100000, 100000)
            .slider(-500, 2000)
            .unit("m")
            .help("height of the rivers where they leave the land");
        d.seed("seed", seed).help("another seed gives other rivers");
        d.text("lines", lines)
            .help(
                "name of the lines to make of the rivers, a reach each, with order, area, length, slope and "
                "the reach "
                "that it goes into; none unless named");
        d.text("ridge-lines", ridge_lines)
            .help(
                "name of the lines to make of the ridges that the method of that name draws; none unless "
                "named");
        d.makes("height");
        if (!lines.empty()) d.makes_lines(lines);
        if (!ridge_lines.empty()) d.makes_lines(ridge_lines);
        d.works_with(2);
    }

    void check(const Grid& grid) const {
        if (!lines.empty()) check_line_name(lines);
        if (!ridge_lines.empty()) check_line_name(ridge_lines);
        if (!lines.empty() && lines == ridge_lines)
            throw Error(
                fmt::format("ridge-lines: {} are the rivers; ridges need a name of their own", lines));
        if (!ridge_lines.empty() && method != RiverMethod::ridges)
            throw Error("ridge-lines: branching draws no ridges; say --method ridges");
        const WorldArea land = grid.span_of(grid.extent);
        const double points = RiverLattice::points_on(land, spacing);
        if (points > RiverLattice::most_points)
            throw Error(fmt::format(
                "spacing {} m: too many rivers for {:.0f} by {:.0f} m of land; {} m or more would do",
                spacing, land.width(), land.height(),
                std::ceil(spacing * std::sqrt(points / RiverLattice::most_points) * 1.01)));
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const;
};

// What the host makes of it.
struct Drawn {
    std::vector<RiverPoint> points;
    std::optional<RiverBeds> beds;
    std::vector<std::vector<Place>> ridges;
};

class Drawing {
  public:
    Drawing(const RiverNetwork& by, Work& work, const Varying& hillslope)
        : by_(by), work_(work), hillslope_(hillslope), grid_(work.terrain().grid()) {
        if (hillslope.cells()) slopes_ = hillslope.cells()->rows();
    }

    Drawn made() {
        const RiverLattice lattice(grid_.span_of(grid_.extent), by_.spacing, seed(lattice_chance));
        std::optional<RidgeSketch> sketch;
        DrainageGrowth::Rules rules{.spacing = by_.spacing,
                                    .along_river = cosine(by_.junction * degree),
                                    .winding = by_.winding,
                                    .seed = seed(growth_chance)};
        if (by_.method == RiverMethod::ridges) {
            sketch.emplace(lattice, by_.ridges, by_.spacing, seed(ridge_chance));
            rules.uphill = sketch->heights;
            rules.price_of_climbing = ridge_in_spacings * by_.spacing;
        }
        progress().check();
        DrainageGrowth growth(lattice, std::move(rules));
        if (by_.rivers.given()) lay_given(lattice, growth);
        if (sketch) roll_down(*sketch, lattice, seed(ridge_chance), growth, progress());
        if (!growth.has_rivers()) add_mouths(lattice, growth);
        growth.fill([&](double share) { told(0.8 * share); });
        growth.count_areas();
        Drawn drawn;
        drawn.points = smooth_rivers(growth.points());
        told(0.85);
        BedRules beds;
        beds.base = by_.base;
        beds.steepness = by_.steepness;
        beds.concavity = by_.concavity;
        beds.floor = by_.floor;
        beds.crest_away = crest_to_spacing * by_.spacing;
        auto part_at = [&](const Place& place) {
            if (!sketch) return 1.0;
            return std::min(flattest_part + (1 - flattest_part) * sketch->at(lattice, place), 1.3);
        };
        beds.hillslope = [&](const Place& place) { return slope_at(place) * part_at(place); };
        beds.falls = part_at;
        drawn.beds.emplace(drawn.points, beds, progress());
        if (sketch) drawn.ridges = std::move(sketch->ridges);
        told(1);
        return drawn;
    }

  private:
    Progress& progress() { return work_.progress(); }
    uint32_t seed(NetworkPurpose purpose) const { return hashed(by_.seed, 0, purpose); }

    void told(double share) {
        const int64_t units = int64_t(share * double(host_units) * double(work_.rect().cells()));
        if (units <= advanced_) return progress().check();
        progress().advance(units - advanced_);
        advanced_ = units;
    }

    // The tangent, which differs from valley to valley.
    double slope_at(const Place& place) const {
        const double across = slopes_differ_over * by_.spacing;
        const double chance =
            smooth_chance(place.x / across, place.y / across, seed(slope_chance)) +
            0.5 * smooth_chance(2 * place.x / across, 2 * place.y / across, seed(slope_chance) + 1);
        return mapped_slope(place) * (1 + slopes_differ * std::clamp(chance, -1.0, 1.0));
    }

    double mapped_slope(const Place& place) const {
        if (!hillslope_.cells()) return double(hillslope_.everywhere());
        const Rect& rect = hillslope_.cells()->rect();
        const double x =
            std::clamp(grid_.metres_to_cells(place.x), double(rect.left), double(rect.right - 1));
        const double y =
            std::clamp(grid_.metres_to_cells(place.y), double(rect.top), double(rect.bottom - 1));
        const int column = int(std::floor(x)), row = int(std::floor(y));
        auto at = [&](int right, int down) {
            return double(slopes_[std::min(row + down, rect.bottom - 1)]
                                 [std::min(column + right, rect.right - 1) - rect.left]);
        };
        auto mix = [](double a, double b, double t) { return a + (b - a) * t; };
        return mix(mix(at(0, 0), at(1, 0), x - column), mix(at(0, 1), at(1, 1), x - column), y - row);
    }

    void add_mouths(const RiverLattice& lattice, DrainageGrowth& growth) {
        const std::vector<size_t> border = lattice.border();
        const double first = unit(hashed(seed(mouth_chance), 0, 1));
        for (int i = 0; i < by_.mouths; i++) {
            const double off = 0.6 * (unit(hashed(seed(mouth_chance), uint32_t(i), 2)) - 0.5);
            const double share = (i + off) / by_.mouths + first;
            growth.add_mouth(border[size_t((share + 1) * double(border.size())) % border.size()]);
        }
    }

    // Those that leave the land first, then those that flow into others; what ends inland finds its way down.
    void lay_given(const RiverLattice& lattice, DrainageGrowth& growth) {
        const std::vector<GivenRiver> given = given_rivers(work_.terrain().lines(by_.rivers), lattice);
        std::vector<int> ends(given.size(), RiverPoint::leaves);  // the number of each one's last point
        std::vector<bool> laid(given.size(), false);
        auto lay = [&](size_t i, int into) {
            ends[i] = int(growth.points().size());
            laid[i] = true;
            growth.add_line(given[i].points, into);
        };
        for (size_t i = 0; i < given.size(); i++)
            if (given[i].end == GivenRiver::End::leaves) lay(i, RiverPoint::leaves);
        if (!growth.has_rivers()) add_mouths(lattice, growth);
        for (;;) {
            bool some = false;
            for (size_t i = 0; i < given.size(); i++) {
                if (laid[i] || given[i].end != GivenRiver::End::joins || !laid[given[i].joins]) continue;
                const size_t other = given[i].joins;
                lay(i, ends[other] + int(given[other].points.size() - 1 - given[i].at));
                some = true;
            }
            if (some) continue;
            const auto next = std::find(laid.begin(), laid.end(), false);
            if (next == laid.end()) return;
            const size_t i = size_t(next - laid.begin());
            const Place& end = given[i].points.back().place;
            lay(i, growth.add_tributary(lattice.nearest(end.x, end.y), false));
        }
    }

    const RiverNetwork& by_;
    Work& work_;
    Varying hillslope_;
    Field::Rows slopes_;
    Grid grid_;
    int64_t advanced_ = 0;
};

// How places are moved between rivers.
struct RoughTables {
    std::vector<float> steps, shifts, sizes;
    std::vector<uint32_t> seeds;

    RoughTables(double spacing, double cell, uint32_t seed) {
        double width = spacing, part = 1;
        for (int i = 0; i < most_river_octaves && (i == 0 || width >= 2 * cell);
             i++, width /= 2, part *= finer_part) {
            steps.push_back(float(cell / width));
            sizes.push_back(float(moved_to_width * width * part));
            for (uint32_t axis = 0; axis < 2; axis++) {
                seeds.push_back(hashed(seed, uint32_t(2 * i) + axis, rough_chance));
                shifts.push_back(float(unit(hashed(seeds.back(), 0, rough_chance))));
            }
        }
    }
};

// Bilinear between four samples.
double ground_at(const Grid& grid, const Field::Rows& rows, const Rect& rect, const Place& place) {
    const double x = std::clamp(grid.metres_to_cells(place.x), double(rect.left), double(rect.right - 1));
    const double y = std::clamp(grid.metres_to_cells(place.y), double(rect.top), double(rect.bottom - 1));
    const int column = int(std::floor(x)), row = int(std::floor(y));
    auto at = [&](int right, int down) {
        return double(rows[std::min(row + down, rect.bottom - 1)]
                          [std::min(column + right, rect.right - 1) - rect.left]);
    };
    const double above = at(0, 0) + (at(1, 0) - at(0, 0)) * (x - column);
    const double below = at(0, 1) + (at(1, 1) - at(0, 1)) * (x - column);
    return above + (below - above) * (y - row);
}

void RiverNetwork::run(Work& work) const {
    WorkTerrain& terrain = work.terrain();
    const Grid grid = terrain.grid();
    const Rect rect = terrain.rect();
    work.progress().expect((host_units + 2) * rect.cells());
    const Varying slopes = work.varying("hillslope", hillslope,
                                        [](double degrees) { return float(tangent_of_degrees(degrees)); });
    const Varying rough = work.varying("roughness", roughness, [](double share) { return float(share); });
    Drawn drawn;
    work.on_host([&] { drawn = Drawing(*this, work, slopes).made(); });

    const double farthest = moved_to_spacing * spacing;
    const double calm = calm_to_spacing * spacing;
    const double rounding = round_to_spacing * spacing * crest;
    const RiverGround ground(drawn.beds->pieces(), {.crest_away = crest_to_spacing * spacing,
                                                    .moved_at_most = farthest * std::sqrt(2.0),
                                                    .rounding = rounding,
                                                    .piece = piece_to_spacing * spacing,
                                                    .cell = grid.cell});
    const RoughTables tables(spacing, grid.cell, seed);
    Field height(rect);
    for (int top = rect.top; top < rect.bottom;) {
        RiverGround::Lists lists;
        work.on_host([&] { lists = ground.lists_from(top, rect); });
        work.launch(kernel::river_network, lists.cells,
                    {.height = height,
                     .list_begins = lists.begins,
                     .list = lists.entries,
                     .steps = tables.steps,
                     .shifts = tables.shifts,
                     .sizes = tables.sizes,
                     .seeds = tables.seeds,
                     .roughness = rough,
                     .octaves = int(tables.steps.size()),
                     .left = rect.left,
                     .top = top,
                     .block_columns = lists.columns,
                     .cell = float(grid.cell),
                     .bed = float(ground.bed()),
                     .crest = float(crest_to_spacing * spacing),
                     .calm = float(calm),
                     .farthest = float(farthest),
                     .rounding = float(rounding),
                     .sharp = float(sharp_to_spacing * spacing),
                     .even = float((even_to_spacing - sharp_to_spacing) * spacing)});
        top = lists.cells.bottom;
    }
    if (!lines.empty()) terrain.set_lines(lines, lines_of_rivers(drawn.points, drawn.beds->heights()));
    if (!ridge_lines.empty()) {
        std::vector<Line> crests;
        const Field::Rows rows = height.rows();
        for (const std::vector<Place>& ridge : drawn.ridges) {
            Line line;
            for (const Place& place : ridge)
                line.points.emplace_back(place.x, place.y, ground_at(grid, rows, rect, place));
            crests.push_back(std::move(line));
        }
        terrain.set_lines(ridge_lines, LineSet(std::move(crests)));
    }
    terrain.set("height", std::move(height));
}

REGISTER_OPERATION("river-network", "rivers", RiverNetwork);

}  // namespace

}  // namespace caprock
