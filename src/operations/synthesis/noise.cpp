// Octaves of Perlin's gradient noise: plain, folded, aware of their slopes, distorted and stretched (Editor §8.3,
// §6.3.4).
#include "base/error.h"
#include "base/mathematics.h"
#include "base/random.h"
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// As kernels/noise.kernel numbers them.
enum class NoiseKind { sum, billow, ridged, quilez, erosive };

constexpr int most_octaves = 32;
// The kernel keeps both distortions' octaves along a row in the room of the others.
constexpr int most_distortion_octaves = most_octaves / 2;

// Beyond this many lattice cells a place is as good as any other: it keeps numbers within what devices agree on.
constexpr double furthest = 0x1p28;
// And a lattice this fine is white noise on the cells like any finer one.
constexpr double finest_step = 256;

// More than an octave's value times its slope can be: 1.012 and 3.17 a lattice cell.
constexpr double steepest_pull = 4;

// The kernel divides by what is left of an octave; without beta that would be nothing.
constexpr double least_left = 0x1p-20;

// What an octave's random numbers decide.
enum OctavePurpose : uint32_t { lattice, shift_across, shift_down };

// The tables of the kernels: an entry an octave.
struct OctaveTables {
    std::vector<float> across;
    std::vector<float> slant;
    std::vector<float> down;
    std::vector<float> shifts_x;
    std::vector<float> shifts_y;
    std::vector<float> amplitudes;
    std::vector<uint32_t> seeds;
    std::vector<float> bends;
    std::vector<float> pulls;
    double total = 0;

    int count() const { return int(seeds.size()); }
    void append(const OctaveTables& more) {
        auto put = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
        put(across, more.across);
        put(slant, more.slant);
        put(down, more.down);
        put(shifts_x, more.shifts_x);
        put(shifts_y, more.shifts_y);
        put(amplitudes, more.amplitudes);
        put(seeds, more.seeds);
        put(bends, more.bends);
        put(pulls, more.pulls);
    }
};

// A sum lies in -1..1, folded noise in 0..1.
bool is_symmetric(NoiseKind kind) { return kind == NoiseKind::sum || kind == NoiseKind::quilez; }

struct Noise {
    static constexpr int version = 2;  // amplitude

    NoiseKind kind = NoiseKind::sum;
    double feature = 3000;
    double octaves = 9;
    double lacunarity = 1.92;
    Number hurst = 1.0;
    Number amplitude = 1;
    double alpha = 0.15;
    double beta = 1.1;
    double stretch = 1;
    double angle = 45;
    double distortion = 0;
    NoiseKind distortion_kind = NoiseKind::sum;
    double distortion_size = 1;
    double distortion_octaves = 4;
    double distortion_lacunarity = 1.92;
    double distortion_hurst = 1;
    uint32_t seed = 1;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("hills, dunes, ridges or eroded mountains from octaves of gradient noise");
        d.source("Editor, sections 6.3.4 and 8.3");
        d.choice("kind", kind, {"sum", "billow", "ridged", "quilez", "erosive"})
            .help(
                "sum: rolling fractal terrain; billow: rounded, with creases; ridged: sharp crests; "
                "quilez: smooth, with broken heights; erosive: mountains with gullies");
        d.number("feature", feature)
            .range(0.001, 1e7)
            .slider(50, 10000)
            .logarithmic()
            .unit("m")
            .help("size of the largest features");
        d.number("octaves", octaves)
            .range(1, most_octaves)
            .slider(1, 12)
            .help("how many ever finer layers are added, the last in part; none finer than a cell");
        d.number("lacunarity", lacunarity)
            .range(1.01, 8)
            .slider(1.5, 3)
            .help("how many times finer each octave is than the one before");
        d.number("hurst", hurst)
            .range(0, 2)
            .slider(0.3, 1.3)
            .help("each octave is lacunarity^-hurst times as high as the one before: 0.5 is rough, 1 smooth");
        d.number("amplitude", amplitude)
            .range(0, 100)
            .slider(0, 2)
            .help("how much of the height range it takes: 1 is all of it, 0 is level");
        d.number("alpha", alpha)
            .range(0, 2)
            .slider(0, 0.5)
            .help("erosive: how far slopes pull finer octaves along, into gullies");
        d.number("beta", beta)
            .range(0, 4)
            .slider(0.5, 1.5)
            .help("erosive: how rough heights are; below 1 everything fine fades");
        d.number("stretch", stretch)
            .range(1, 100)
            .slider(1, 10)
            .help("how many times longer features are along the angle than across it");
        d.number("angle", angle)
            .range(-360, 360)
            .slider(0, 180)
            .unit("degrees")
            .help("where features are stretched to, clockwise from north: 0 is up on a map, 90 east");
        d.number("distortion", distortion)
            .range(0, 10)
            .slider(0, 2)
            .help("how far swirls move the largest features at most, in features; 0: not at all");
        d.choice("distortion-kind", distortion_kind, {"sum", "billow", "ridged"})
            .help("the noise that moves them");
        d.number("distortion-size", distortion_size)
            .range(0.01, 100)
            .slider(0.1, 4)
            .help("size of the largest swirls, in features");
        d.number("distortion-octaves", distortion_octaves)
            .range(1, most_distortion_octaves)
            .slider(1, 8)
            .help("how many ever finer layers the swirls have, the last in part");
        d.number("distortion-lacunarity", distortion_lacunarity)
            .range(1.01, 8)
            .slider(1.5, 3)
            .help("how many times finer each of them is than the one before");
        d.number("distortion-hurst", distortion_hurst)
            .range(0, 2)
            .slider(0.3, 1.3)
            .help("each of them moves things distortion-lacunarity^-hurst times as far as the one before");
        d.seed("seed", seed).help("another seed gives another landscape");
        d.field("field", field).help("field to write");
        d.makes(field);
    }

    void check(const Grid&) const {
        if (hurst.varies() && kind == NoiseKind::erosive)
            throw Error(
                "hurst: a map is for sum, billow, ridged and quilez; of erosive noise each octave depends on "
                "those before");
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        uint32_t own_seed = seed_for(seed, field);
        double cell = terrain.grid().cell;
        bool straight = distortion <= 0 && stretch <= 1;
        bool plain = straight && kind != NoiseKind::quilez && kind != NoiseKind::erosive;
        // Where roughness varies, kernels make the amplitudes themselves, and divide by their sum.
        const double even_hurst = hurst.varies() ? 0 : hurst.everywhere();
        OctaveTables tables = made_octaves(own_seed, feature / cell, octaves, lacunarity, even_hurst);
        const Varying gain =
            hurst.varies()
                ? work.varying("hurst", hurst, [&](double h) { return float(power(lacunarity, -h)); })
                : Varying(1.0f);
        Interval range = terrain.range_of(field);
        float base = float(is_symmetric(kind) ? (range.low + range.high) / 2 : range.low);
        auto scaled_by = [&](double total) {
            const double span = is_symmetric(kind) ? range.span() / 2 : range.span();
            return work.varying("amplitude", amplitude, [&, all = hurst.varies() ? 1 : total](double share) {
                return float(span / all * share);
            });
        };
        Field result(terrain.rect());
        if (plain) {
            const Varying scale = scaled_by(tables.total);
            work.launch(kernel::noise, terrain.rect(),
                        {.height = result,
                         .steps = tables.down,
                         .shifts_x = tables.shifts_x,
                         .shifts_y = tables.shifts_y,
                         .amplitudes = tables.amplitudes,
                         .seeds = tables.seeds,
                         .octaves = tables.count(),
                         .kind = int(kind),
                         .gain = gain,
                         .base = base,
                         .scale = scale});
        } else {
            OctaveTables swirls = distortion > 0 ? swirling(own_seed, cell) : OctaveTables();
            int swirl_octaves = swirls.count() / 2;
            double most = bend(tables);
            Erosion erosion;
            if (kind == NoiseKind::erosive) {
                erosion = eroded(tables, straight);
                most = erosion.total;
            }
            int count = tables.count();
            const Varying scale = scaled_by(most);
            tables.append(swirls);
            // Both ways alike, whatever the kind: -1..1.
            bool folded = distortion_kind != NoiseKind::sum;
            double swirl_total = swirl_octaves > 0 ? swirls.total : 1;
            float swirl_base = folded ? -1.0f : 0.0f;
            float swirl_scale = float((folded ? 2 : 1) / swirl_total);
            if (kind == NoiseKind::erosive)
                work.launch(kernel::noise_erosive, terrain.rect(),
                            {.height = result,
                             .across = tables.across,
                             .slant = tables.slant,
                             .down = tables.down,
                             .shifts_x = tables.shifts_x,
                             .shifts_y = tables.shifts_y,
                             .amplitudes = tables.amplitudes,
                             .seeds = tables.seeds,
                             .bends = tables.bends,
                             .pulls = tables.pulls,
                             .octaves = count,
                             .straight = int(straight),
                             .swirls = swirl_octaves,
                             .swirl_kind = int(distortion_kind),
                             .swirl_base = swirl_base,
                             .swirl_scale = swirl_scale,
                             .finer = float(lacunarity),
                             .most = float(erosion.most),
                             .last = float(erosion.last),
                             .base = base,
                             .scale = scale});
            else if (kind == NoiseKind::quilez)
                work.launch(kernel::noise_quilez, terrain.rect(),
                            {.height = result,
                             .across = tables.across,
                             .slant = tables.slant,
                             .down = tables.down,
                             .shifts_x = tables.shifts_x,
                             .shifts_y = tables.shifts_y,
                             .amplitudes = tables.amplitudes,
                             .seeds = tables.seeds,
                             .bends = tables.bends,
                             .gain = gain,
                             .octaves = count,
                             .straight = straight,
                             .swirls = swirl_octaves,
                             .swirl_kind = int(distortion_kind),
                             .swirl_base = swirl_base,
                             .swirl_scale = swirl_scale,
                             .base = base,
                             .scale = scale});
            else
                work.launch(kernel::noise_bent, terrain.rect(),
                            {.height = result,
                             .across = tables.across,
                             .slant = tables.slant,
                             .down = tables.down,
                             .shifts_x = tables.shifts_x,
                             .shifts_y = tables.shifts_y,
                             .amplitudes = tables.amplitudes,
                             .seeds = tables.seeds,
                             .bends = tables.bends,
                             .gain = gain,
                             .octaves = count,
                             .kind = int(kind),
                             .swirls = swirl_octaves,
                             .swirl_kind = int(distortion_kind),
                             .swirl_base = swirl_base,
                             .swirl_scale = swirl_scale,
                             .base = base,
                             .scale = scale});
        }
        terrain.set(field, std::move(result));
    }

  private:
    // Octaves on plain lattices. The last one has its share only of what a whole one would be.
    static OctaveTables made_octaves(uint32_t seed, double wavelength, double octaves, double lacunarity,
                                     double hurst) {
        OctaveTables made;
        double amplitude = 1;
        for (int octave = 0; octave < octaves; octave++) {
            // An octave finer than the cells would only be white noise on them.
            if (octave > 0 && wavelength < 1) break;
            double part = amplitude * std::min(1.0, octaves - octave);
            made.across.push_back(float(1 / wavelength));
            made.slant.push_back(0);
            made.down.push_back(float(1 / wavelength));
            made.shifts_x.push_back(float(unit(hashed(seed, uint32_t(octave), shift_across))));
            made.shifts_y.push_back(float(unit(hashed(seed, uint32_t(octave), shift_down))));
            made.amplitudes.push_back(float(part));
            made.seeds.push_back(hashed(seed, uint32_t(octave), lattice));
            made.bends.push_back(0);
            made.pulls.push_back(0);
            made.total += part;
            wavelength /= lacunarity;
            amplitude *= power(lacunarity, -hurst);
        }
        return made;
    }

    // Both distortions, one behind the other.
    OctaveTables swirling(uint32_t own_seed, double cell) const {
        double wavelength = std::max(distortion_size * feature / cell, 1 / finest_step);
        OctaveTables made = made_octaves(named_seed(own_seed, "distortion across"), wavelength,
                                         distortion_octaves, distortion_lacunarity, distortion_hurst);
        made.append(made_octaves(named_seed(own_seed, "distortion down"), wavelength, distortion_octaves,
                                 distortion_lacunarity, distortion_hurst));
        return made;
    }

    // Stretches the lattices and says how far each is distorted; the most that the sum can be.
    double bend(OctaveTables& tables) const {
        // p' = p - d (p . d) with |d|^2 = 1 - 1 / stretch.
        double turn = angle * pi / 180;
        double east = sine(turn);
        double south = -cosine(turn);
        double shorter = 1 - 1 / stretch;
        double finer = 1;
        double weight = 1;
        double most = 0;
        for (int i = 0; i < tables.count(); i++) {
            size_t at = size_t(i);
            double step = std::min(double(tables.down[at]), finest_step);
            tables.across[at] = float(step * (1 - shorter * east * east));
            tables.slant[at] = float(step * -shorter * east * south);
            tables.down[at] = float(step * (1 - shorter * south * south));
            tables.bends[at] = float(std::min(distortion * finer * weight, furthest));
            finer *= lacunarity;
            weight *= power(lacunarity, hurst.varies() ? 0 : -hurst.everywhere());
            most += double(tables.amplitudes[at]);
        }
        return most;
    }

    // What the kernel of erosive noise is told besides the tables.
    struct Erosion {
        double most = 1;   // how much of an octave is left for the next at most
        double last = 1;   // how much of the last octave there is
        double total = 1;  // of all octaves, as the kernel adds them up
    };
    // Fills in how far octaves are pulled, and what the kernel's way from lattice to lattice needs.
    Erosion eroded(OctaveTables& tables, bool straight) const {
        Erosion made;
        made.most = std::max(beta * power(lacunarity, -hurst.everywhere()), least_left);
        size_t count = size_t(tables.count());
        made.last = std::min(1.0, octaves - double(count - 1));
        made.total = 0;
        double part = made.most;
        double finest = 1;
        double moved = 0;
        for (size_t i = 0; i < count; i++) {
            made.total += part * (i + 1 < count ? 1 : made.last);
            if (i > 0) finest *= lacunarity;
            moved += steepest_pull * part / made.most;
            part *= made.most;
        }
        double finer = 1;
        for (size_t i = 0; i < count; i++) {
            tables.pulls[i] = float(std::min(alpha, furthest / (moved * finest)) * finer / made.most);
            finer *= lacunarity;
        }
        if (straight)
            for (size_t i = count - 1; i > 0; i--) {
                tables.shifts_x[i] = float(tables.shifts_x[i] / lacunarity - tables.shifts_x[i - 1]);
                tables.shifts_y[i] = float(tables.shifts_y[i] / lacunarity - tables.shifts_y[i - 1]);
            }
        return made;
    }
};

REGISTER_OPERATION("noise", "synthesis", Noise);

}  // namespace

}  // namespace caprock
