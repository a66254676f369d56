// A Gaussian of any width at nearly the same cost, by a pyramid of grids (Burt and Adelson's).
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/shaping/pyramid.h"

#include <cmath>

namespace caprock {

namespace {

// On the coarsest grid the Gaussian is at least this wide, in its cells. Narrower, its samples would no
// longer look like one; from the second level on wider, since there a few more weights cost nothing.
double least_deviation(int level) { return level == 1 ? 1.5 : 2.4; }
// Beyond this many deviations lies less than a two-thousandth of a Gaussian.
constexpr double truncation = 3.5;

// How a Gaussian is split over the pyramid.
struct Plan {
    int levels = 0;
    int radius = 0;           // of the convolution on the coarsest grid, in its cells
    std::vector<float> taps;  // its weights from the middle outwards
    int reach = 0;            // cells of the finest grid that decide one of its cells

    explicit Plan(double deviation) {
        double variance = deviation * deviation;
        // Halving and doubling each add their filter's variance, three quarters of a cell on the finer of
        // their grids.
        double of_filters = 0;
        double scale = 1;
        while (true) {
            double left = (variance - of_filters - 1.5 * scale) / (4 * scale);
            double least = least_deviation(levels + 1);
            if (left < least * least) break;
            of_filters += 1.5 * scale;
            scale *= 4;
            levels++;
        }
        double coarse_deviation = std::sqrt((variance - of_filters) / scale);
        radius = std::max(1, int(std::ceil(truncation * coarse_deviation)));
        taps = gaussian(coarse_deviation);
        int coarse_cell = 1 << levels;
        // Two cells of the finer grid at each level down and up, and a coarse cell for where its grid falls.
        reach = 4 * (coarse_cell - 1) + (radius + 1) * coarse_cell;
    }

    // How many times the cells of the finest grid are written on the way.
    double passes() const {
        double sum = 0;
        for (int level = 1; level <= levels; level++)
            sum += std::ldexp(1.0, -2 * level) + std::ldexp(1.0, 2 - 2 * level);
        return sum + 2 * std::ldexp(1.0, -2 * levels);
    }

    // Weights in multiples of 2^-20 that add up to exactly 1: their sums are exact in floats in any order.
    std::vector<float> gaussian(double deviation) const {
        constexpr double grain = 1 << 20;
        std::vector<double> exact;
        double total = 0;
        for (int k = 0; k <= radius; k++) {
            double exponent = double(k) * k / (2 * deviation * deviation);
            exact.push_back(exponent > 100 ? 0 : exponential(-exponent));
            total += (k == 0 ? 1 : 2) * exact.back();
        }
        std::vector<float> weights(exact.size());
        double others = 0;
        for (size_t k = 1; k < exact.size(); k++) {
            double rounded = std::floor(exact[k] / total * grain + 0.5) / grain;
            weights[k] = float(rounded);
            others += 2 * rounded;
        }
        weights[0] = float(1 - others);
        return weights;
    }
};

struct Smooth {
    double radius = 20;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("blurs a field with a Gaussian");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("features smaller than this disappear; the Gaussian's standard deviation is half of it");
        d.field("field", field).help("field to smooth");
        d.changes(field);
        d.works_with(3);  // sums, weights, and the result
    }

    double deviation(const Grid& grid) const { return grid.metres_to_cells(radius) / 2; }
    // Under a tenth of a cell the neighbours' weights are zero.
    bool nothing_to_do(const Grid& grid) const { return deviation(grid) < 0.1; }

    Reach reach(const Grid& grid) const {
        return Reach::area(nothing_to_do(grid) ? 0 : Plan(deviation(grid)).reach);
    }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        if (nothing_to_do(terrain.grid())) return;
        Plan plan(deviation(terrain.grid()));
        const Field original = terrain.field(field);
        const Rect& whole = terrain.rect();
        std::vector<Rect> rim = rim_of(whole, plan.reach);
        int64_t in_rim = 0;
        for (const Rect& part : rim) in_rim += part.expanded(plan.reach).intersected(whole).cells();
        // One look at every cell, two passes of the convolution or the pyramid down and up.
        double passes = 1 + plan.passes();
        work.progress().expect(
            int64_t(double(whole.cells()) * passes + double(in_rim) * (plan.passes() + 1)));

        bool holes = work.fold(kernel::count_missing, whole, {.field = original}).cells > 0;
        // Where weights are needed nearly everywhere, they are taken along everywhere.
        if (holes || 2 * in_rim > whole.cells()) {
            terrain.set(field, weighted_smooth(work, plan, original));
            return;
        }
        Field result = smooth(work, plan, original, false).value;
        for (const Rect& part : rim) {
            // The rim sees the border, and what it sees from must not be cut.
            Rect needed = part.expanded(plan.reach).intersected(whole);
            const Field smoothed = weighted_smooth(work, plan, original.cropped(needed));
            work.launch(kernel::copy, part, {.part = smoothed, .result = result});
        }
        terrain.set(field, std::move(result));
    }

    // The cells whose Gaussian reaches over the border, in four parts.
    static std::vector<Rect> rim_of(const Rect& whole, int reach) {
        Rect inner = whole.expanded(-reach);
        if (inner.empty()) return {whole};
        return {{whole.left, whole.top, whole.right, inner.top},
                {whole.left, inner.bottom, whole.right, whole.bottom},
                {whole.left, inner.top, inner.left, inner.bottom},
                {inner.right, inner.top, whole.right, inner.bottom}};
    }

    static Field weighted_smooth(Work& work, const Plan& plan, const Field& original) {
        const Weighted sums = smooth(work, plan, original, true);
        Field result(original.rect());
        work.launch(kernel::smooth_divide, original.rect(),
                    {.original = original, .value = sums.value, .weight = sums.weight, .result = result});
        return result;
    }

    // Down the pyramid, the convolution on the coarsest grid, and up again.
    static Weighted smooth(Work& work, const Plan& plan, const Field& original, bool weighted) {
        std::vector<Rect> rects = pyramid_rects(original.rect(), plan.levels);
        Weighted current{original, {}, false};
        for (int level = 0; level < plan.levels; level++)
            current = halved(work, current, rects[size_t(level) + 1], weighted);
        for (const auto* along : {&kernel::smooth_across, &kernel::smooth_down}) {
            Weighted next = Weighted::on(rects.back(), weighted);
            work.launch_around(plan.radius, *along, rects.back(),
                               {.value = current.value,
                                .weight = current.weight_or_none(),
                                .value_out = next.value,
                                .weight_out = next.weight_or_none(),
                                .taps = plan.taps,
                                .radius = plan.radius,
                                .weighted = weighted});
            current = std::move(next);
        }
        for (int level = plan.levels; level > 0; level--)
            current = doubled(work, current, rects[size_t(level) - 1], weighted);
        return current;
    }
};

REGISTER_OPERATION("smooth", "shaping", Smooth);

}  // namespace

}  // namespace caprock
