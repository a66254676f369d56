// Patches of ground here and there: where gradient noise is above a threshold.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

constexpr double lacunarity = 2;
constexpr double hurst = 1;

// One octave of the noise: the variance of its values, and by how much the mean of their fourth powers, in terms of the
// variance, falls short of a normal distribution's 3. From twenty million values at random places.
constexpr double octave_variance = 0.1090;
constexpr double octave_flatness = -0.470;

// The number that so large a share of normally distributed ones is less than, within 1e-8.
// P. J. Acklam's rational approximations: one for the middle, one for both tails.
double normal_quantile(double share) {
    constexpr double tail = 0.02425;
    if (share > 0.5) return -normal_quantile(1 - share);
    if (share < tail) {
        double q = std::sqrt(-2 * natural_logarithm(share));
        return (((((-7.784894002430293e-03 * q - 3.223964580411365e-01) * q - 2.400758277161838e+00) * q -
                  2.549732539343734e+00) *
                     q +
                 4.374664141464968e+00) *
                    q +
                2.938163982698783e+00) /
               ((((7.784695709041462e-03 * q + 3.224671290700398e-01) * q + 2.445134137142996e+00) * q +
                 3.754408661907416e+00) *
                    q +
                1);
    }
    double q = share - 0.5;
    double r = q * q;
    return (((((-3.969683028665376e+01 * r + 2.209460984245205e+02) * r - 2.759285104469687e+02) * r +
              1.383577518672690e+02) *
                 r -
             3.066479806614716e+01) *
                r +
            2.506628277459239e+00) *
           q /
           (((((-5.447609879822406e+01 * r + 1.615858368580409e+02) * r - 1.556989798598866e+02) * r +
              6.680131188771972e+01) *
                 r -
             1.328068155288572e+01) *
                r +
            1);
}

// How the values of the noise operation are distributed around the middle of their range 0..1. Octaves are independent,
// so their cumulants add up.
struct Distribution {
    double deviation = 0;
    double flatness = 0;

    Distribution(const Grid& grid, double feature, int octaves) {
        double amplitude = 1;
        double total = 0;
        double variance = 0;
        double fourth = 0;
        double wavelength = grid.metres_to_cells(feature);
        for (int octave = 0; octave < octaves; octave++) {
            // As the noise operation leaves out octaves that are finer than the cells.
            if (octave > 0 && wavelength < 1) break;
            total += amplitude;
            variance += amplitude * amplitude;
            fourth += amplitude * amplitude * amplitude * amplitude;
            wavelength /= lacunarity;
            amplitude *= power(lacunarity, -hurst);
        }
        deviation = std::sqrt(variance * octave_variance) / total / 2;
        flatness = octave_flatness * fourth / (variance * variance);
    }

    // The value that so large a share of all is above: a normal distribution's, corrected by the fourth cumulant (Cornish
    // and Fisher's expansion). That is good for four deviations; the noise hardly goes further.
    double exceeded_by(double share) const {
        double z = normal_quantile(1 - std::clamp(share, 1e-4, 1 - 1e-4));
        return 0.5 + deviation * (z + flatness * (z * z * z - 3 * z) / 24);
    }
};

struct MaskNoise {
    Number coverage = 0.4;
    double feature = 1000;
    int octaves = 5;
    Number softness = 0.3;
    uint32_t seed = 1;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("a mask of patches at random places");
        d.number("coverage", coverage)
            .range(0, 1)
            .help("about what share of the ground is at least half in the mask");
        d.number("feature", feature)
            .range(0.001, 1e7)
            .slider(50, 10000)
            .logarithmic()
            .unit("m")
            .help("size of the largest patches");
        d.integer("octaves", octaves)
            .range(1, 32)
            .slider(1, 12)
            .help("how many ever finer layers make their outlines; 1: round patches");
        d.number("softness", softness)
            .range(0, 1)
            .help("how wide their edges are; 0: hard, 1: the mask fades nearly everywhere");
        d.seed("seed", seed).help("another seed gives other patches");
        d.field("field", field).help("mask to make");
        d.makes(field);
        d.works_with(2);
    }

    std::unique_ptr<Operation> noise() const {
        return operation_with("noise", {{"feature", feature},
                                        {"octaves", octaves},
                                        {"lacunarity", lacunarity},
                                        {"hurst", hurst},
                                        {"seed", seed},
                                        {"field", field}});
    }
    Reach reach(const Grid& grid) const { return noise()->reach(grid); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const int64_t cells = terrain.rect().cells();
        work.progress().expect(2 * cells);
        work.apply(*noise(), cells);
        const Field values = terrain.field(field);
        Distribution distribution(terrain.grid(), feature, octaves);
        // An edge of four deviations holds nearly all values.
        auto edge = [&](double share) { return 4 * share * distribution.deviation; };
        const double widest = edge(softness.bounds({0, 1}).high);
        auto threshold = [&](double share) {
            return share <= 0 ? 2 + widest : share >= 1 ? -1 - widest : distribution.exceeded_by(share);
        };
        Interval range = terrain.range_of(field);
        Field mask(terrain.rect());
        work.launch(kernel::mask_noise, terrain.rect(),
                    {.noise = values,
                     .mask = mask,
                     .threshold = work.varying(
                         "coverage", coverage,
                         [&](double share) { return float(range.low + threshold(share) * range.span()); }),
                     .edge = work.varying("softness", softness,
                                          [&](double share) { return float(edge(share) * range.span()); })});
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-noise", "masks", MaskNoise);

}  // namespace

}  // namespace caprock
