// Noise that repeats itself seamlessly, for textures.
#pragma once

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace caprock::periodic_noise {

// A place in the texture, 0..1 each way; from -1 to 2 is the texture again.
struct Place {
    float u;
    float v;
};

// Places are no further out than one texture on either side: comparisons do for a division.
inline int textures_away(int i, int period) { return int(i >= period) - int(i < 0); }
inline int wrapped(int i, int period) { return i - period * textures_away(i, period); }

inline int floored(float value) {
    int i = int(value);
    return i - int(float(i) > value);
}

inline uint32_t lattice_hash(int x, int y, uint32_t seed) {
    return scrambled(uint32_t(x) * 0x9e3779b9u + uint32_t(y) * 0x85ebca6bu + seed * 0xc2b2ae35u);
}

inline float share_of(uint32_t hash) { return float(unit(hash)); }

inline float fade(float t) { return t * t * t * (t * (t * 6 - 15) + 10); }
inline float between(float a, float b, float share) { return a + (b - a) * share; }
inline float limited(float value) { return std::clamp(value, 0.0f, 1.0f); }
// 0 below `from`, 1 above `to`, smooth between.
inline float step_between(float from, float to, float value) {
    float t = limited((value - from) / (to - from));
    return t * t * (3 - 2 * t);
}

// Gradient noise, about -1..1, on a lattice whose points `hash` tells apart. Every seed has its lattice lie elsewhere:
// noise is 0 at all lattice points, and where those of several octaves meet one would see them.
template <typename Hash>
inline float gradient_noise(float x, float y, uint32_t seed, const Hash& hash) {
    x += share_of(seed * 0x9e3779b9u);
    y += share_of(seed * 0x85ebca6bu);
    int left = floored(x);
    int top = floored(y);
    float s = x - float(left);
    float t = y - float(top);
    // Eight directions, none along the lattice. From a table: which it is nobody can foresee, and no branch either.
    constexpr float long_part = 0.92388f, short_part = 0.38268f;
    static constexpr float east[8] = {long_part,  long_part,   -long_part, -long_part,
                                      short_part, -short_part, short_part, -short_part};
    static constexpr float south[8] = {short_part, -short_part, short_part, -short_part,
                                       long_part,  long_part,   -long_part, -long_part};
    auto slope = [&](int i, int j, float dx, float dy) {
        uint32_t which = hash(left + i, top + j) >> 29;
        return east[which] * dx + south[which] * dy;
    };
    float above = between(slope(0, 0, s, t), slope(1, 0, s - 1, t), fade(s));
    float below = between(slope(0, 1, s, t - 1), slope(1, 1, s - 1, t - 1), fade(s));
    return between(above, below, fade(t)) * 1.530734f;
}

// So many lattice cells across and down.
inline float straight_noise(Place place, int across, int down, uint32_t seed) {
    return gradient_noise(place.u * float(across), place.v * float(down), seed, [&](int i, int j) {
        return lattice_hash(wrapped(i, across), wrapped(j, down), seed);
    });
}

// The lattice turned by arctan(1/2) and cells of about a period's size: an octave that lies askew to the next hides the
// directions that either has. A texture to the right lies 2 n lattice cells to the right and n up, one below n to the
// right and 2 n down.
inline float turned_noise(Place place, int period, uint32_t seed) {
    const int n = std::max(1, int(float(period) * 0.4472136f + 0.5f));
    return gradient_noise(
        float(n) * (2 * place.u + place.v), float(n) * (2 * place.v - place.u), seed, [&](int i, int j) {
            int right = textures_away(2 * i - j, 5 * n);
            int below = textures_away(i + 2 * j, 5 * n);
            return lattice_hash(i - n * (2 * right + below), j - n * (2 * below - right), seed);
        });
}

struct Octaves {
    int period;
    int count;
    float gain = 0.5f;
};

inline float octave(Place place, const Octaves& octaves, int i, uint32_t seed) {
    int period = octaves.period << i;
    uint32_t own = seed + uint32_t(i) * 0x3c6ef372u;
    return i % 2 == 0 ? turned_noise(place, period, own) : straight_noise(place, period, period, own);
}

inline float layered_noise(Place place, const Octaves& octaves, uint32_t seed) {
    float sum = 0, amplitude = 1, all = 0;
    for (int i = 0; i < octaves.count; i++) {
        sum += amplitude * octave(place, octaves, i, seed);
        all += amplitude;
        amplitude *= octaves.gain;
    }
    return sum / all;
}

// Sharp crests: 0..1, each octave rough only where the one before is high.
inline float ridged_noise(Place place, const Octaves& octaves, uint32_t seed) {
    float sum = 0, amplitude = 1, all = 0, weight = 1;
    for (int i = 0; i < octaves.count; i++) {
        float crest = 1 - std::fabs(octave(place, octaves, i, seed));
        crest *= crest;
        sum += amplitude * weight * crest;
        all += amplitude;
        weight = limited(crest * 1.6f);
        amplitude *= octaves.gain;
    }
    return sum / all;
}

inline Place warped(Place place, int period, float by, uint32_t seed) {
    return {place.u + by * turned_noise(place, period, seed),
            place.v + by * turned_noise(place, period, seed + 0x51ed270bu)};
}

// The two nearest of points strewn one to a lattice cell. Distances are in lattice cells.
struct Strewn {
    float nearest;
    float second;
    uint32_t id;
};

inline Strewn strewn_points(Place place, int period, uint32_t seed) {
    float x = place.u * float(period);
    float y = place.v * float(period);
    int cell_x = floored(x);
    int cell_y = floored(y);
    Strewn found{9, 9, 0};
    for (int j = cell_y - 1; j <= cell_y + 1; j++)
        for (int i = cell_x - 1; i <= cell_x + 1; i++) {
            uint32_t hash = lattice_hash(wrapped(i, period), wrapped(j, period), seed);
            float dx = float(i) + 0.05f + 0.9f * float(hash & 0xffff) / 65536.0f - x;
            float dy = float(j) + 0.05f + 0.9f * float(hash >> 16) / 65536.0f - y;
            float square = dx * dx + dy * dy;
            // Without branches: nobody can foresee which is nearer.
            found.id = square < found.nearest ? hash : found.id;
            found.second = std::min(found.second, std::max(found.nearest, square));
            found.nearest = std::min(found.nearest, square);
        }
    found.nearest = std::sqrt(found.nearest);
    found.second = std::sqrt(found.second);
    return found;
}

// Broken faces: every cell of a lattice is a plane of its own tilt and height, and the edges between them are a little
// worn. About -1..1.
inline float broken_faces(Place place, int across, int down, float worn, uint32_t seed) {
    float x = place.u * float(across);
    float y = place.v * float(down);
    int cell_x = floored(x);
    int cell_y = floored(y);
    float nearest = 9, second = 9, face = 0, beside = 0;
    for (int j = cell_y - 1; j <= cell_y + 1; j++)
        for (int i = cell_x - 1; i <= cell_x + 1; i++) {
            uint32_t hash = lattice_hash(wrapped(i, across), wrapped(j, down), seed);
            float dx = x - float(i) - 0.05f - 0.9f * float(hash & 0xff) / 256.0f;
            float dy = y - float(j) - 0.05f - 0.9f * float(hash >> 8 & 0xff) / 256.0f;
            float square = dx * dx + dy * dy;
            if (square >= second) continue;
            uint32_t other = scrambled(hash);
            float plane = (float(other & 0xff) / 128.0f - 1) * 0.45f +
                          dx * (float(other >> 8 & 0xff) / 128.0f - 1) * 0.8f +
                          dy * (float(other >> 16 & 0xff) / 128.0f - 1) * 0.8f;
            if (square < nearest) {
                second = nearest;
                beside = face;
                nearest = square;
                face = plane;
            } else {
                second = square;
                beside = plane;
            }
        }
    float inside = step_between(-worn, worn, std::sqrt(second) - std::sqrt(nearest));
    return between(beside, face, inside);
}

}  // namespace caprock::periodic_noise
