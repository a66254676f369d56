// Noise in plain double precision, from the formulas of the dissertation: what the kernels are compared with.
#pragma once

#include "base/random.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace caprock::test {

const double pi_ = std::acos(-1.0);

// What chooses the gradient of a lattice point; the light hash is that of erosive noise behind its first octave.
inline uint32_t light_hash(int column, int row, uint32_t seed) {
    uint32_t across = uint32_t(column) * 0x9e3779b1u + seed;
    uint32_t down = uint32_t(row) * 0x85ebca77u + seed;
    return ((across ^ across >> 15) * (down ^ down >> 15)) >> 29;
}
inline uint32_t lattice_hash(int column, int row, uint32_t seed) {
    uint32_t h = (uint32_t(column) * 0x9e3779b1u) ^ (uint32_t(row) * 0x85ebca77u + seed * 0xc2b2ae3du);
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    h ^= h >> 12;
    h *= 0x297a2d39u;
    return h ^ h >> 15;
}
// The gradient of a lattice point as a vector: the angle is an odd multiple of pi/8.
struct Gradient {
    double x, y;
};
inline Gradient reference_gradient(int column, int row, uint32_t seed, bool light) {
    uint32_t h = light ? light_hash(column, row, seed) : lattice_hash(column, row, seed);
    double along = std::cos(pi_ / 8);
    double across = std::sin(pi_ / 8);
    if (h & 4) std::swap(along, across);
    return {h & 1 ? -along : along, h & 2 ? -across : across};
}

inline double reference_perlin(double x, double y, uint32_t seed, bool light = false) {
    int column = int(std::floor(x));
    int row = int(std::floor(y));
    double fx = x - column;
    double fy = y - row;
    auto fade = [](double t) { return t * t * t * (t * (t * 6 - 15) + 10); };
    auto corner = [&](int dx, int dy) {
        Gradient g = reference_gradient(column + dx, row + dy, seed, light);
        return g.x * (fx - dx) + g.y * (fy - dy);
    };
    double top = corner(0, 0) + (corner(1, 0) - corner(0, 0)) * fade(fx);
    double bottom = corner(0, 1) + (corner(1, 1) - corner(0, 1)) * fade(fx);
    return (top + (bottom - top) * fade(fy)) * 1.530734;
}

// Its derivatives, by what they mean.
inline Gradient reference_slope(double x, double y, uint32_t seed, bool light) {
    constexpr double h = 1e-5;
    return {(reference_perlin(x + h, y, seed, light) - reference_perlin(x - h, y, seed, light)) / (2 * h),
            (reference_perlin(x, y + h, seed, light) - reference_perlin(x, y - h, seed, light)) / (2 * h)};
}

// The parameters of the operation, in cells.
struct ReferenceNoise {
    std::string kind = "sum";
    double feature = 37;
    double octaves = 4;
    double lacunarity = 1.92;
    double hurst = 0.8;
    double alpha = 0.15;
    double beta = 1.1;
    double stretch = 1;
    double angle = 0;
    double distortion = 0;
    std::string distortion_kind = "sum";
    double distortion_size = 1;
    double distortion_octaves = 4;
    double distortion_lacunarity = 1.92;
    double distortion_hurst = 1;
    uint32_t seed = 42;

    static double folded(double value, const std::string& kind) {
        if (kind == "billow") return std::fabs(value);
        if (kind == "ridged" || kind == "erosive") return 1 - std::fabs(value);
        return value;
    }

    // An octave's lattice is moved by a random part of a cell, and has a seed of its own.
    struct Octave {
        uint32_t seed;
        double shift_x, shift_y;
    };
    static Octave octave_of(uint32_t seed, int octave) {
        return {hashed(seed, uint32_t(octave), 0), unit(hashed(seed, uint32_t(octave), 1)),
                unit(hashed(seed, uint32_t(octave), 2))};
    }

    // One of the two distortions, -1..1.
    double swirl(double x, double y, const char* name) const {
        double sum = 0;
        double total = 0;
        for (int l = 0; l < distortion_octaves; l++) {
            Octave octave = octave_of(named_seed(seed, name), l);
            double step = std::pow(distortion_lacunarity, l) / (distortion_size * feature);
            double weight = std::pow(distortion_lacunarity, -distortion_hurst * l) *
                            std::min(1.0, distortion_octaves - l);
            sum += weight *
                   folded(reference_perlin(x * step + octave.shift_x, y * step + octave.shift_y, octave.seed),
                          distortion_kind);
            total += weight;
        }
        return distortion_kind == "sum" ? sum / total : 2 * sum / total - 1;
    }

    // From -1 to 1.
    double at(double x, double y) const {
        double east = std::sin(angle * pi_ / 180) * std::sqrt(1 - 1 / stretch);
        double south = -std::cos(angle * pi_ / 180) * std::sqrt(1 - 1 / stretch);
        double along = x * east + y * south;
        double moved_x = distortion > 0 ? distortion * swirl(x, y, "distortion across") : 0;
        double moved_y = distortion > 0 ? distortion * swirl(x, y, "distortion down") : 0;
        // In features.
        double px = (x - east * along) / feature;
        double py = (y - south * along) / feature;
        double sum = 0;
        double total = 0;
        double dx = 0;
        double dy = 0;
        double part = 1;
        double most_part = 1;
        for (int l = 0; l < octaves; l++) {
            Octave octave = octave_of(seed, l);
            double finer = std::pow(lacunarity, l);
            double weight = std::pow(lacunarity, -hurst * l);
            double amplitude = weight * std::min(1.0, octaves - l);
            bool erosive = kind == "erosive";
            double qx = finer * (px + weight * moved_x + (erosive ? alpha * dx : 0)) + octave.shift_x;
            double qy = finer * (py + weight * moved_y + (erosive ? alpha * dy : 0)) + octave.shift_y;
            double value = reference_perlin(qx, qy, octave.seed, erosive && l > 0);
            Gradient slope = reference_slope(qx, qy, octave.seed, erosive && l > 0);
            if (kind == "quilez") {
                dx += slope.x;
                dy += slope.y;
                value /= 1 + dx * dx + dy * dy;
            }
            sum += part * amplitude * folded(value, kind);
            total += most_part * amplitude;
            if (erosive) {
                dx += part * amplitude * -value * slope.x;
                dy += part * amplitude * -value * slope.y;
                part *= beta * std::clamp(sum, 0.0, 1.0);
                most_part *= beta;
            }
        }
        if (kind == "erosive") sum = std::max(sum, 0.0);
        return kind == "sum" || kind == "quilez" ? sum / total : 2 * sum / total - 1;
    }
};

// ---- what it is compared with ------------------------------------------------------------------------------

inline Terrain noise(const Parameters& parameters, const Grid& grid) {
    return applied("noise", parameters, Terrain(grid));
}

inline Grid square(int side, double cell = 1, Interval range = {-1, 1}) {
    return grid_of({side, side}, cell, range);
}

}  // namespace caprock::test
