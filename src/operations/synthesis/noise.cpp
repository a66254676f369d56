// Octaves of Perlin's gradient noise (Editor §8.3.1, §6.3.4).
#include "base/mathematics.h"
#include "base/random.h"
#include "kernels.h"
#include "operation/operation.h"

#include <cmath>

namespace caprock {

namespace {

// As kernels/noise.kernel numbers them.
enum class NoiseKind { sum, billow, ridged };

constexpr int most_octaves = 32;

// What an octave's random numbers decide.
enum Purpose : uint32_t { lattice, shift_across, shift_down };

struct Noise {
    NoiseKind kind = NoiseKind::sum;
    double feature = 3000;
    int octaves = 9;
    double lacunarity = 1.92;
    double hurst = 1.0;
    uint32_t seed = 1;
    std::string field = "height";

    void describe(Declaration& d) {
        d.summary("hills, dunes or ridges from octaves of gradient noise");
        d.source("Editor, sections 6.3.4 and 8.3.1");
        d.choice("kind", kind, {"sum", "billow", "ridged"})
            .help("sum: rolling fractal terrain; billow: rounded, with creases; ridged: sharp crests");
        d.number("feature", feature)
            .range(0.001, 1e7)
            .slider(50, 10000)
            .unit("m")
            .help("size of the largest features");
        d.integer("octaves", octaves)
            .range(1, most_octaves)
            .slider(1, 12)
            .help("how many ever finer layers are added; those finer than a cell are left out");
        d.number("lacunarity", lacunarity)
            .range(1.01, 8)
            .slider(1.5, 3)
            .help("how many times finer each octave is than the one before");
        d.number("hurst", hurst)
            .range(0, 2)
            .slider(0.3, 1.3)
            .help("each octave is lacunarity^-hurst times as high as the one before: 0.5 is rough, 1 smooth");
        d.seed("seed", seed).help("another seed gives another landscape");
        d.field("field", field).help("field to write");
        d.makes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        Terrain& terrain = work.terrain();
        std::vector<float> steps;
        std::vector<float> shifts_x;
        std::vector<float> shifts_y;
        std::vector<float> amplitudes;
        std::vector<uint32_t> seeds;
        uint32_t own_seed = seed_for(seed, field);
        double total = 0;
        double wavelength = feature / terrain.grid().cell;
        double amplitude = 1;
        for (int octave = 0; octave < octaves; octave++) {
            // An octave finer than the cells would only be white noise on them.
            if (octave > 0 && wavelength < 1) break;
            steps.push_back(float(1 / wavelength));
            shifts_x.push_back(float(unit(hashed(own_seed, uint32_t(octave), shift_across))));
            shifts_y.push_back(float(unit(hashed(own_seed, uint32_t(octave), shift_down))));
            amplitudes.push_back(float(amplitude));
            seeds.push_back(hashed(own_seed, uint32_t(octave), lattice));
            total += amplitude;
            wavelength /= lacunarity;
            amplitude *= power(lacunarity, -hurst);
        }
        // A sum lies in -1..1, the other two in 0..1; both are mapped onto the field's range.
        Interval range = terrain.range_of(field);
        bool symmetric = kind == NoiseKind::sum;
        float base = float(symmetric ? (range.low + range.high) / 2 : range.low);
        float scale = float((symmetric ? range.span() / 2 : range.span()) / total);
        Field result(terrain.rect());
        work.launch(kernel::noise, terrain.rect(), result, steps, shifts_x, shifts_y, amplitudes, seeds,
                    int(steps.size()), int(kind), base, scale);
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("noise", "synthesis", Noise);

}  // namespace

}  // namespace caprock
