// Interpolation by constrained midpoint displacement (Frontier §5.3, after Belhadj): known points send their heights up
// the tree of midpoints, then diamond-square fills in what is left.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/repair/points.h"

#include <cmath>
#include <limits>

namespace caprock {

namespace {

// A number of its own for each field, so that no field's randomness is another's.
uint32_t purpose_of(std::string_view name) {
    uint32_t hash = 0x811c9dc5u;
    for (char letter : name) hash = (hash ^ uint8_t(letter)) * 0x01000193u;
    return hash;
}

// One step's grid, and what its points were reached with on the way up.
struct StepGrid {
    Rect rect;
    Field sum;
    Field count;
    Field wave;
    bool finest = false;

    const Field* counts() const { return finest ? nullptr : &count; }
    const Field* waves() const { return finest ? nullptr : &wave; }
};

struct Interpolate {
    double interpolation = 0;
    double roughness = 0.9;
    double translate = -0.5;
    double scale = 0.6;
    uint32_t seed = 1;
    LinesValue points;
    InputFile points_from = points_file();
    bool only_bottom_up = false;

    void describe(Declaration& d) const {
        d.summary(
            "fills in missing cells of all fields like a landscape, by midpoints that are displaced at "
            "random; "
            "makes a new one where there is none");
        d.source("Frontier, section 5.3");
        d.number("interpolation", interpolation)
            .range(-100, 100)
            .slider(-2, 2)
            .help(
                "I: how heights change on the way up from known points. 0: not at all; above, they sink "
                "towards "
                "the lower end of the range; below, they rise");
        d.number("roughness", roughness)
            .range(0, 4)
            .slider(0.2, 1.5)
            .help("H: how fast displacements shrink from step to step; near 0 all is noise");
        d.number("translate", translate)
            .range(-10, 10)
            .slider(-1, 0)
            .help("rt: added to the random number from 0 to 1; at -0.5 it goes up as often as down");
        d.number("scale", scale)
            .range(0, 100)
            .slider(0, 2)
            .help("rs: size of the first step's displacements, as a share of the height range");
        d.seed("seed", seed).help("another seed, another land between what is known");
        d.points("points", points).help("known heights, as x,y,height in metres, with spaces between points");
        d.file("points-file", points_from).help("the same from a file, a point in each line");
        d.flag("only-bottom-up", only_bottom_up)
            .help("stop before displacing: what known points do not reach stays missing");
        d.reads_if_there("height");
        d.makes("height");
        d.changes_every_field();
        d.fills_missing();
        d.works_with(4);  // half of the steps' grids together, and a grid before and after a step
    }

    std::vector<KnownPoint> known_points(const LineSet& given) const {
        std::vector<KnownPoint> all = points_in(given);
        if (!points_from.named()) return all;
        for (const KnownPoint& point : points_in_file(points_from)) all.push_back(point);
        return all;
    }

    void check(const Grid& grid) const {
        // Those of the terrain are seen only when it runs.
        for (const KnownPoint& point : known_points(points.lines())) cell_of(point, grid);
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        Field height = terrain.has("height") ? terrain.height() : Field(rect, missing);
        for (const KnownPoint& point : known_points(terrain.lines(points))) {
            Cell cell = cell_of(point, terrain.grid());
            height.set(cell.x, cell.y, float(point.height));
        }
        terrain.set("height", std::move(height));
        const std::vector<std::string> names = terrain.names();
        work.progress().expect(int64_t(double(names.size()) * double(rect.cells()) * 4));
        for (const std::string& name : names) {
            const Field field = terrain.field(name);
            if (work.fold(kernel::count_missing, rect, {.field = field}).cells == 0) continue;
            terrain.set(name, interpolated(field, name, work));
        }
    }

    // Every grid covers the one before it. Where its last corner lies beyond the border, that is a point like any
    // other that nothing is known of: a grid is the crop of the next larger square.
    static Rect coarser(const Rect& r) {
        return {r.left >> 1, r.top >> 1, (r.right >> 1) + 1, (r.bottom >> 1) + 1};
    }
    static int steps_of(Rect rect) {
        int steps = 0;
        for (; rect.width() > 2 || rect.height() > 2; rect = coarser(rect)) steps++;
        return steps;
    }

    // (1 - d / d_max)^|I| - 1 for I above 0, and its opposite below: what Delta adds to a height, as a share of it.
    float gain(double distance) const {
        if (interpolation == 0) return 0;
        double left = 1 - distance;
        double share = left > 0 ? power(left, std::abs(interpolation)) : 0;
        return float(interpolation > 0 ? share - 1 : 1 - share);
    }

    Field interpolated(const Field& field, const std::string& name, Work& work) const {
        const Interval range = work.terrain().range_of(name);
        const float low = float(range.low);
        const float span = float(range.span());
        const uint32_t purpose = purpose_of(name);
        const int displace = only_bottom_up ? 0 : 1;
        const auto [least, most] = limits(field, name, work);
        const int steps = steps_of(field.rect());
        // A corner and the centre of the first square are as far apart as parent and child can be.
        auto side_gain = [&](int level) { return gain(std::ldexp(std::sqrt(0.5), level + 1 - steps)); };
        auto diagonal_gain = [&](int level) { return gain(std::ldexp(1.0, level + 1 - steps)); };

        std::vector<StepGrid> levels = {{field.rect(), field, {}, {}, true}};
        for (int level = 0; level < steps; level++) {
            const StepGrid finer = levels.back();
            Rect rect = coarser(finer.rect);
            StepGrid next{rect, Field(rect), Field(rect), Field(rect), false};
            work.launch_around(2, kernel::interpolate_rise, rect,
                               {.sum = finer.sum,
                                .count = finer.counts(),
                                .wave = finer.waves(),
                                .sum_out = next.sum,
                                .count_out = next.count,
                                .wave_out = next.wave,
                                .low = low,
                                .side_gain = side_gain(level),
                                .diagonal_gain = diagonal_gain(level)});
            levels.push_back(std::move(next));
        }

        const StepGrid& roots = levels.back();
        Field corners(roots.rect);
        work.launch(kernel::interpolate_roots, roots.rect,
                    {.sum = roots.sum,
                     .count = roots.counts(),
                     .result = corners,
                     .seed = seed,
                     .purpose = purpose,
                     .low = low,
                     .span = span,
                     .displace = displace});
        for (int depth = 0; depth < steps; depth++) {
            levels.pop_back();
            const StepGrid& level = levels.back();
            const int number = steps - 1 - depth;
            const float amplitude = float(scale * range.span() * power(2, -depth * roughness));
            const uint32_t at_depth = purpose + 0x10000u * uint32_t(depth + 1);
            const Field before = std::move(corners);
            Field centres(level.rect);
            work.launch_around(1, kernel::interpolate_centres, level.rect,
                               {.corners = before,
                                .sum = level.sum,
                                .count = level.counts(),
                                .wave = level.waves(),
                                .result = centres,
                                .low = low,
                                .side_gain = side_gain(number),
                                .seed = seed,
                                .purpose = at_depth,
                                .translate = float(translate),
                                .amplitude = amplitude,
                                .least = least,
                                .most = most,
                                .displace = displace});
            corners = Field(level.rect);
            work.launch_around(1, kernel::interpolate_middles, level.rect,
                               {.corners = before,
                                .field = centres,
                                .result = corners,
                                .seed = seed,
                                .purpose = at_depth,
                                .translate = float(translate),
                                .amplitude = amplitude,
                                .least = least,
                                .most = most,
                                .displace = displace});
        }
        return corners;
    }

    // Heights may go anywhere. Other fields mean nothing outside what is known of them, or outside their range where
    // nothing is.
    static std::pair<float, float> limits(const Field& field, const std::string& name, Work& work) {
        constexpr float largest = std::numeric_limits<float>::max();
        if (is_ground(name)) return {-largest, largest};
        kernel::ExtentFolds known = work.fold(kernel::extent, field.rect(), {.field = field});
        if (known.low <= known.high) return {known.low, known.high};
        Interval range = work.terrain().range_of(name);
        return {float(range.low), float(range.high)};
    }
};

REGISTER_OPERATION("interpolate", "repair", Interpolate);

}  // namespace

}  // namespace caprock
