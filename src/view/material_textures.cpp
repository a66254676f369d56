#include "view/material_textures.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "base/random.h"
#include "view/palette.h"
#include "view/periodic_noise.h"
#include "view/surface.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tbb/parallel_for.h>

namespace caprock {

namespace {

using namespace periodic_noise;

constexpr std::array<std::string_view, 8> names = {"grass", "rock",   "sand",  "snow",
                                                   "dirt",  "gravel", "scree", "mud"};

// ---- what a texture is made on -----------------------------------------------------------------------------------

struct Texel {
    float height = 0;  // in sides of the texture
    Light colour;
    float roughness = 1;
};

struct Canvas {
    int side;
    std::vector<Texel> texels;

    explicit Canvas(int side) : side(side), texels(size_t(side) * size_t(side)) {}
    Texel& at(int x, int y) { return texels[size_t(y & (side - 1)) * size_t(side) + size_t(x & (side - 1))]; }

    // Every texel by itself.
    template <typename Make>
    void fill(const Make& make) {
        for_rows(side, [&](int y) {
            for (int x = 0; x < side; x++) {
                Place place{(float(x) + 0.5f) / float(side), (float(y) + 0.5f) / float(side)};
                at(x, y) = make(place, x, y);
            }
        });
    }
};

float linear_of(int encoded) {
    double value = encoded / 255.0;
    return float(value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4));
}
Light painted(int red, int green, int blue) { return {linear_of(red), linear_of(green), linear_of(blue)}; }

// Grain of single texels, -1..1.
float grain(int x, int y, uint32_t seed) { return share_of(lattice_hash(x, y, seed)) * 2 - 1; }

// Random numbers for one of many things: the n-th for the thing.
struct Dice {
    uint32_t seed;
    uint32_t thing;

    float operator()(uint32_t n) const { return share_of(hashed(seed, thing, n)); }
    float operator()(uint32_t n, float low, float high) const { return low + (high - low) * (*this)(n); }
};

// ---- the kinds -----------------------------------------------------------------------------------------------------

// Blades in tufts, each drawn from its foot to its tip; what stands higher hides what is below.
void grow_grass(Canvas& canvas) {
    const Light earth = painted(62, 56, 38);
    const Light young = painted(106, 118, 64);
    const Light old = painted(136, 128, 80);
    const Light deep = painted(69, 89, 46);
    canvas.fill([&](Place place, int x, int y) {
        float patch = layered_noise(place, {9, 4}, 11);
        Light colour = mixed(earth, deep, limited(0.5f + 0.5f * patch)) * (0.55f + 0.08f * grain(x, y, 12));
        return Texel{0.002f * patch, colour, 0.95f};
    });
    constexpr int blades = 30000;
    const float scale = float(canvas.side);
    for (uint32_t i = 0; i < blades; i++) {
        Dice dice{21, i};
        Place foot{dice(1), dice(2)};
        // Blades of a tuft lean the same way, and tufts are greener or drier together.
        float lean = 6.2832f * layered_noise(foot, {7, 2}, 22) + dice(3, -1.1f, 1.1f);
        float lushness = layered_noise(foot, {5, 3}, 23);
        float length = dice(4, 0.018f, 0.036f) * (1 + 0.35f * lushness);
        float width = dice(5, 0.0011f, 0.0021f);
        float bend = dice(6, -0.9f, 0.9f);
        float dry = limited(0.28f - 0.75f * lushness + dice(7, -0.38f, 0.38f));
        Light colour = mixed(mixed(deep, young, dice(8)), old, dry) * dice(9, 0.78f, 1.15f);
        float top = dice(10, 0.006f, 0.015f);
        int steps = std::max(6, int(length * scale * 1.4f));
        auto angle_x = float(cosine(double(lean)));
        auto angle_y = float(sine(double(lean)));
        for (int step = 0; step <= steps; step++) {
            float along = float(step) / float(steps);
            float aside = bend * along * along * length * 0.5f;
            float x = (foot.u + along * length * angle_x - aside * angle_y) * scale;
            float y = (foot.v + along * length * angle_y + aside * angle_x) * scale;
            float half = std::max(0.5f, width * scale * (1 - 0.8f * along));
            // Rising from the foot, and hanging over at the tip.
            float height = top * (along * (1.7f - 0.8f * along));
            for (int py = int(std::floor(y - half)); py <= int(std::floor(y + half)); py++)
                for (int px = int(std::floor(x - half)); px <= int(std::floor(x + half)); px++) {
                    float dx = float(px) + 0.5f - x;
                    float dy = float(py) + 0.5f - y;
                    float off = (dx * angle_y - dy * angle_x) / half;
                    if (off * off > 1.1f) continue;
                    float here = height - 0.0016f * off * off;
                    Texel& texel = canvas.at(px, py);
                    if (here <= texel.height) continue;
                    // In the shade at the foot, a lighter keel.
                    float light = (0.42f + 0.62f * along) * (1.06f - 0.2f * off * off);
                    texel = {here, colour * light, 0.82f - 0.1f * along};
                }
        }
    }
}

void lay_rock(Canvas& canvas) {
    const Light pale = painted(152, 143, 130);
    const Light grey = painted(122, 117, 111);
    const Light rust = painted(134, 114, 94);
    const Light dark = painted(82, 78, 74);
    canvas.fill([&](Place place, int x, int y) {
        Place bent = warped(place, 5, 0.03f, 31);
        // Blocks wider than they are high, as beds break, and splinters on them.
        float blocks = broken_faces(bent, 6, 10, 0.09f, 32);
        float faces = broken_faces(bent, 13, 19, 0.09f, 33);
        float splinters = broken_faces(bent, 27, 37, 0.12f, 34);
        float bedding = straight_noise(bent, 3, 23, 35) * 0.6f + straight_noise(bent, 7, 61, 36) * 0.4f;
        float crags = ridged_noise(bent, {7, 4, 0.55f}, 37);
        float rough = layered_noise(place, {30, 3, 0.65f}, 38);
        float height = 0.0125f * blocks + 0.0095f * faces + 0.0045f * splinters + 0.004f * bedding +
                       0.010f * crags + 0.0035f * rough;
        Light colour = mixed(grey, pale, limited(0.5f + 0.55f * bedding + 0.3f * rough + 0.2f * faces));
        colour = mixed(colour, rust, limited(0.6f * layered_noise(place, {6, 3}, 39) + 0.2f));
        colour = colour * (0.86f + 0.12f * faces + 0.08f * splinters + 0.14f * crags + 0.14f * rough +
                           0.06f * grain(x, y, 40));
        // Dirt and shade stay in what is deep.
        colour = mixed(colour, dark, limited(-0.3f * faces - 0.22f * blocks - 0.5f * crags + 0.12f));
        return Texel{height, colour, limited(0.8f + 0.12f * rough - 0.08f * faces)};
    });
}

void blow_sand(Canvas& canvas) {
    const Light pale = painted(212, 190, 152);
    const Light warm = painted(188, 158, 116);
    const Light dark = painted(128, 104, 78);
    canvas.fill([&](Place place, int x, int y) {
        // Ripples wander and fork: the phase of their wave is disturbed by more than a wavelength.
        float phase = 22 * place.v + 2 * place.u + 1.15f * layered_noise(place, {4, 3, 0.4f}, 51) +
                      0.35f * layered_noise(place, {14, 2}, 52);
        float strength = limited(0.75f + 0.7f * layered_noise(place, {4, 2}, 53));
        float in_wave = phase - std::floor(phase);
        // A long windward side and a short lee.
        float wave = in_wave < 0.66f ? in_wave / 0.66f : (1 - in_wave) / 0.34f;
        wave = wave * wave * (3 - 2 * wave);
        float fine = layered_noise(place, {48, 2, 0.7f}, 54);
        float single = grain(x, y, 55);
        float height = 0.0062f * wave * strength + 0.0011f * fine + 0.00035f * single +
                       0.004f * layered_noise(place, {5, 2}, 56);
        Light colour = mixed(warm, pale, limited(0.35f + 0.45f * wave * strength + 0.2f * fine));
        colour = colour * (1 + 0.09f * single + 0.08f * layered_noise(place, {6, 2}, 57));
        // Dark grains gather in the troughs.
        if (share_of(lattice_hash(x, y, 58)) > 0.955f + 0.03f * wave) colour = mixed(colour, dark, 0.55f);
        return Texel{height, colour, limited(0.9f + 0.06f * single)};
    });
}

void drift_snow(Canvas& canvas) {
    const Light fresh = painted(246, 248, 251);
    const Light shade = painted(222, 231, 243);
    canvas.fill([&](Place place, int x, int y) {
        Place bent = warped(place, 3, 0.06f, 61);
        float drifts = layered_noise(bent, {5, 3, 0.45f}, 62);
        // Wind has cut shallow steps along one direction.
        float carved = straight_noise(bent, 7, 19, 63) * 0.6f + straight_noise(bent, 13, 41, 64) * 0.4f;
        float crust = layered_noise(place, {40, 3, 0.6f}, 65);
        float single = grain(x, y, 66);
        float height = 0.010f * drifts + 0.0034f * std::fabs(carved) + 0.0011f * crust + 0.0003f * single;
        Light colour = mixed(shade, fresh, limited(0.66f + 0.32f * drifts + 0.25f * crust));
        colour = colour * (0.985f + 0.015f * single);
        bool sparkles = share_of(lattice_hash(x, y, 67)) > 0.994f;
        return Texel{height, colour, sparkles ? 0.15f : limited(0.62f + 0.1f * crust + 0.05f * single)};
    });
}

void crumble_dirt(Canvas& canvas) {
    const Light brown = painted(112, 86, 62);
    const Light dry = painted(140, 115, 88);
    const Light humus = painted(66, 50, 37);
    canvas.fill([&](Place place, int x, int y) {
        float clods = 0, dust = 0;
        float size = 1;
        uint32_t seed = 71;
        for (int period : {17, 37, 79}) {
            Strewn crumbs =
                strewn_points(warped(place, period, 0.25f / float(period), seed), period, seed + 1);
            float dome = limited(1 - crumbs.nearest * 1.25f);
            float own = 0.35f + 0.65f * float(crumbs.id >> 12 & 0xff) / 255.0f;
            clods += size * own * dome * (2 - dome);
            dust += size;
            size *= 0.55f;
            seed += 16;
        }
        clods /= dust;
        float ground = layered_noise(warped(place, 7, 0.03f, 134), {9, 4, 0.58f}, 131);
        float fine = layered_noise(place, {90, 1}, 132);
        float single = grain(x, y, 133);
        float height = 0.017f * clods + 0.009f * ground + 0.001f * fine + 0.0005f * single;
        Light colour = mixed(humus, brown, limited(0.35f + 0.9f * clods + 0.35f * ground));
        colour = mixed(colour, dry, limited(1.5f * clods - 0.45f + 0.18f * fine + 0.35f * ground));
        colour = colour * (1 + 0.14f * single + 0.08f * fine);
        return Texel{height, colour, limited(0.93f + 0.05f * single)};
    });
}

// One stone seen from above.
struct Stone {
    float x;  // texels
    float y;
    float radius;
    float stretch;  // its longer side by its shorter
    float turn;     // radians
    float height;   // of its foot and its top, in sides of the texture
    float top;
    Light colour;
    float roughness;
    uint32_t seed;
};

void lay_rounded(Canvas& canvas, const Stone& stone) {
    auto c = float(cosine(double(stone.turn)));
    auto s = float(sine(double(stone.turn)));
    int reach = int(stone.radius * stone.stretch) + 2;
    Dice dice{stone.seed, 1};
    // Lobes make it an uneven pebble, not an ellipse.
    float lobe = dice(1, 0.04f, 0.16f), lobe_x = dice(2, -1, 1), lobe_y = dice(3, -1, 1);
    for (int y = int(stone.y) - reach; y <= int(stone.y) + reach; y++)
        for (int x = int(stone.x) - reach; x <= int(stone.x) + reach; x++) {
            float dx = float(x) + 0.5f - stone.x;
            float dy = float(y) + 0.5f - stone.y;
            float along = (dx * c + dy * s) / (stone.radius * stone.stretch);
            float across = (dy * c - dx * s) / stone.radius;
            float square = along * along + across * across;
            if (square >= 1.5f) continue;
            square *=
                std::max(0.5f, 1 + lobe * (2 * along * lobe_x + 2 * across * lobe_y + 3 * along * across));
            if (square >= 1) continue;
            float dome = std::sqrt(1 - square * (0.25f + 0.75f * square));
            float height = stone.height + stone.top * dome;
            Texel& texel = canvas.at(x, y);
            if (height <= texel.height) continue;
            float speck = grain(x & (canvas.side - 1), y & (canvas.side - 1), stone.seed);
            float veins = 0.5f + 0.5f * along * dice(4, -1, 1) + 0.3f * across * dice(5, -1, 1);
            Light colour = stone.colour * (0.4f + 0.62f * dome + 0.06f * speck + 0.09f * veins);
            texel = {height, colour, limited(stone.roughness + 0.05f * speck)};
        }
}

// A shard: a polygon whose top is cut into facets.
void lay_angular(Canvas& canvas, const Stone& stone) {
    constexpr int edges = 6;
    Dice dice{stone.seed, 2};
    std::array<float, edges> nx, ny, distance;
    for (uint32_t i = 0; i < edges; i++) {
        double angle = double(stone.turn) + (i + double(dice(i, -0.36f, 0.36f))) * (2 * pi / edges);
        nx[i] = float(cosine(angle));
        ny[i] = float(sine(angle));
        bool along = i % 3 == 0;
        distance[i] = stone.radius * dice(20 + i, 0.72f, 1.0f) * (along ? stone.stretch : 1.0f);
    }
    float tilt_x = dice(40, -0.4f, 0.4f), tilt_y = dice(41, -0.4f, 0.4f);
    float ridge = dice(42, -0.3f, 0.3f), ridge_angle = dice(43, 0, 6.2832f);
    auto ridge_x = float(cosine(double(ridge_angle)));
    auto ridge_y = float(sine(double(ridge_angle)));
    int reach = int(stone.radius * stone.stretch * 1.35f) + 2;
    for (int y = int(stone.y) - reach; y <= int(stone.y) + reach; y++)
        for (int x = int(stone.x) - reach; x <= int(stone.x) + reach; x++) {
            float dx = float(x) + 0.5f - stone.x;
            float dy = float(y) + 0.5f - stone.y;
            float inside = 9, second = 9;
            size_t facet = 0;
            for (size_t i = 0; i < edges; i++) {
                float left = (distance[i] - nx[i] * dx - ny[i] * dy) / stone.radius;
                if (left < inside) {
                    second = inside;
                    inside = left;
                    facet = i;
                } else
                    second = std::min(second, left);
            }
            if (inside <= 0) continue;
            // Flat on top, two planes that meet in a ridge, and bevelled along the edges.
            float plane = 1 + (tilt_x * dx + tilt_y * dy) / stone.radius * 0.6f;
            float fold = std::fabs(ridge_x * dx + ridge_y * dy + ridge * stone.radius) / stone.radius;
            bool bevelled = inside < 0.3f;
            float rise = plane - 0.35f * fold;
            if (bevelled) rise = std::min(rise, 0.25f + inside * 2.5f);
            float height = stone.height + stone.top * std::max(rise, 0.0f);
            Texel& texel = canvas.at(x, y);
            if (height <= texel.height) continue;
            float speck = grain(x & (canvas.side - 1), y & (canvas.side - 1), stone.seed);
            float side = ridge_x * dx + ridge_y * dy + ridge * stone.radius > 0 ? 0.05f : -0.05f;
            float tone = bevelled ? 0.78f + 0.22f * dice(60 + uint32_t(facet)) : 1.0f + side;
            texel = {height, stone.colour * (tone * (1 + 0.06f * speck)),
                     limited(stone.roughness + 0.05f * speck)};
        }
}

struct Heap {
    int count;
    float smallest;  // radii, in sides of the texture
    float largest;
    float flatness;  // top by radius
    bool angular;
    std::array<Light, 4> colours;
    uint32_t seed;
};

// Stones of all sizes, many small ones and few large: as many of each that each size covers the same area.
void heap_stones(Canvas& canvas, const Heap& heap) {
    const float scale = float(canvas.side);
    for (uint32_t i = 0; i < uint32_t(heap.count); i++) {
        Dice dice{heap.seed, i};
        float inverse = between(1 / heap.largest, 1 / heap.smallest, dice(1));
        float radius = 1 / inverse;
        Place place{dice(2), dice(3)};
        Light colour = mixed(heap.colours[hashed(heap.seed, i, 4) & 3],
                             heap.colours[hashed(heap.seed, i, 5) & 3], dice(6, 0, 0.5f));
        // Large ones of an odd colour would be known again in every tile.
        float oddness = 1 - 0.4f * step_between(0.5f * heap.largest, heap.largest, radius);
        float brightness = 1 + oddness * dice(7, -0.26f, 0.26f);
        Stone stone{place.u * scale, place.v * scale, std::max(radius * scale, 0.8f), dice(8, 1.0f, 1.5f),
                    dice(9, 0, 6.2832f),
                    // Large ones stand on the others, and are sunk into them more or less.
                    0.004f * layered_noise(place, {6, 2}, heap.seed + 9) + radius * dice(10, -0.25f, 0.2f),
                    radius * heap.flatness * dice(11, 0.7f, 1.1f),
                    mixed(heap.colours[0], colour, oddness) * brightness, dice(12, 0.68f, 0.9f),
                    hashed(heap.seed, i, 13)};
        if (heap.angular)
            lay_angular(canvas, stone);
        else
            lay_rounded(canvas, stone);
    }
}

void fill_ground(Canvas& canvas, const Light& colour, float depth, uint32_t seed) {
    canvas.fill([&](Place place, int x, int y) {
        float fine = layered_noise(place, {40, 2, 0.7f}, seed);
        return Texel{-depth + 0.002f * fine, colour * (0.7f + 0.25f * fine + 0.12f * grain(x, y, seed)),
                     0.95f};
    });
}

void strew_gravel(Canvas& canvas) {
    fill_ground(canvas, painted(84, 76, 66), 0.006f, 141);
    heap_stones(canvas, {9000,
                         0.0045f,
                         0.034f,
                         0.5f,
                         false,
                         {painted(140, 135, 128), painted(122, 119, 116), painted(146, 134, 118),
                          painted(112, 103, 94)},
                         142});
}

void strew_scree(Canvas& canvas) {
    fill_ground(canvas, painted(96, 90, 82), 0.008f, 151);
    heap_stones(canvas, {6500,
                         0.006f,
                         0.05f,
                         0.42f,
                         true,
                         {painted(158, 152, 143), painted(140, 136, 131), painted(166, 154, 136),
                          painted(128, 121, 113)},
                         152});
}

void dry_mud(Canvas& canvas) {
    const Light wet = painted(76, 64, 52);
    const Light moist = painted(87, 74, 59);
    const Light drying = painted(101, 87, 70);
    const Light fissure = painted(46, 37, 30);
    canvas.fill([&](Place place, int x, int y) {
        Place bent = warped(place, 9, 0.03f, 161);
        float level = layered_noise(bent, {9, 3, 0.5f}, 162);
        float wetness = step_between(0.02f, -0.3f, level);
        Place torn = warped(warped(place, 8, 0.03f, 163), 30, 0.008f, 164);
        Strewn plates = strewn_points(torn, 17, 165);
        Strewn shards = strewn_points(torn, 41, 166);
        float gap = plates.second - plates.nearest;
        float small_gap = shards.second - shards.nearest;
        // Cracks run out where the ground is still moist.
        float dryness = step_between(-0.22f, 0.28f, level + 0.25f * layered_noise(place, {13, 2}, 167));
        float wide = 0.075f * dryness - 0.015f;
        float cracked = dryness * (1 - step_between(wide, wide + 0.1f, gap));
        float hair =
            0.5f * dryness * (plates.id >> 5 & 1 ? 1.0f : 0.3f) * (1 - step_between(0.02f, 0.1f, small_gap));
        float lumps = layered_noise(place, {22, 3, 0.55f}, 168);
        float single = grain(x, y, 169);
        float firm = 1 - wetness;
        // Plates curl up towards their edges; water lies level.
        float curl = dryness * step_between(0.45f, 0.12f, gap) * (1 - cracked);
        float height = 0.009f * std::max(level, -0.24f) + 0.0022f * curl - 0.005f * cracked - 0.0016f * hair +
                       firm * (0.003f * lumps + 0.0003f * single);
        Light colour = mixed(moist, drying, limited(0.75f * dryness + 0.3f * lumps * firm + 0.2f * curl));
        colour = colour * (0.95f + 0.1f * dryness * float(plates.id >> 16 & 0xff) / 255.0f +
                           0.1f * firm * lumps + 0.05f * single * firm);
        colour = mixed(colour, wet, 0.85f * wetness);
        colour = mixed(colour, fissure, limited(0.7f * cracked + 0.4f * hair));
        float roughness = between(0.78f + 0.08f * single, 0.24f, wetness);
        return Texel{height, colour, limited(roughness)};
    });
}

struct Recipe {
    void (*make)(Canvas&);
    float luminance;  // of the whole, as light
};
constexpr std::array<Recipe, 8> recipes = {{{grow_grass, 0.085f},
                                            {lay_rock, 0.2f},
                                            {blow_sand, 0.35f},
                                            {drift_snow, 0.8f},
                                            {crumble_dirt, 0.12f},
                                            {strew_gravel, 0.2f},
                                            {strew_scree, 0.25f},
                                            {dry_mud, 0.08f}}};

// ---- bytes -----------------------------------------------------------------------------------------------------------

float luminance(const Light& light) {
    return 0.2126f * light.red + 0.7152f * light.green + 0.0722f * light.blue;
}

uint8_t encoded(float light) {
    constexpr int steps = 8192;
    static const std::vector<uint8_t> table = [] {
        std::vector<uint8_t> made;
        for (int i = 0; i <= steps; i++) {
            double value = double(i) / steps;
            double code = value <= 0.0031308 ? value * 12.92 : 1.055 * power(value, 1 / 2.4) - 0.055;
            made.push_back(uint8_t(code * 255 + 0.5));
        }
        return made;
    }();
    return table[size_t(limited(light) * steps + 0.5f)];
}

// Dust and moisture make what is deep darker, whatever light falls on it.
float in_hollow(float open) { return 0.7f + 0.3f * open; }

// The mean height over a square around each texel, columns and rows apart.
std::vector<float> surroundings(const Canvas& canvas, int radius) {
    int side = canvas.side;
    float share = 1.0f / float(2 * radius + 1);
    std::vector<float> across(canvas.texels.size()), all(canvas.texels.size());
    for_rows(side, [&](int y) {
        const Texel* row = canvas.texels.data() + size_t(y) * size_t(side);
        double sum = 0;
        for (int x = -radius; x <= radius; x++) sum += double(row[x & (side - 1)].height);
        for (int x = 0; x < side; x++) {
            across[size_t(y) * size_t(side) + size_t(x)] = float(sum) * share;
            sum += double(row[(x + radius + 1) & (side - 1)].height) -
                   double(row[(x - radius) & (side - 1)].height);
        }
    });
    for_rows(side, [&](int y) {
        float* to = all.data() + size_t(y) * size_t(side);
        for (int j = y - radius; j <= y + radius; j++) {
            const float* from = across.data() + size_t(j & (side - 1)) * size_t(side);
            for (int x = 0; x < side; x++) to[x] += from[x] * share;
        }
    });
    return all;
}

// The slow part of something, on a coarse grid: means over squares with a smooth surface through them.
class Slow {
  public:
    template <typename Value>
    Slow(const Canvas& canvas, const Value& value) {
        int square = canvas.side / squares;
        for (int j = 0; j < squares; j++)
            for (int i = 0; i < squares; i++) {
                double sum = 0;
                for (int y = j * square; y < (j + 1) * square; y++)
                    for (int x = i * square; x < (i + 1) * square; x++)
                        sum += double(value(canvas.texels[size_t(y) * size_t(canvas.side) + size_t(x)]));
                means_[size_t(j)][size_t(i)] = float(sum / square / square);
                mean_ += means_[size_t(j)][size_t(i)] / float(squares * squares);
            }
    }

    float mean() const { return mean_; }
    float at(Place place) const {
        std::array<float, 3> across, down;
        int i = around(place.u, across);
        int j = around(place.v, down);
        float sum = 0;
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++)
                sum += down[size_t(y)] * across[size_t(x)] *
                       means_[size_t((j + y - 1) & (squares - 1))][size_t((i + x - 1) & (squares - 1))];
        return sum;
    }

  private:
    static constexpr int squares = 8;

    // The square and the weights of it and its neighbours: a quadratic spline.
    static int around(float u, std::array<float, 3>& weights) {
        int i = std::min(int(u * squares), squares - 1);
        float off = u * squares - float(i) - 0.5f;
        weights = {0.5f * (0.5f - off) * (0.5f - off), 0.75f - off * off, 0.5f * (0.5f + off) * (0.5f + off)};
        return i;
    }

    std::array<std::array<float, squares>, squares> means_;
    float mean_ = 0;
};

// A tile that is darker or higher on one side than on the other is what the eye finds again in every repetition. What
// changes slowly is for the macro variation of a material set, which does not repeat.
void even_out(Canvas& canvas) {
    constexpr float share = 0.75f;
    Slow light(canvas, [](const Texel& texel) { return luminance(texel.colour); });
    Slow height(canvas, [](const Texel& texel) { return texel.height; });
    for_rows(canvas.side, [&](int y) {
        for (int x = 0; x < canvas.side; x++) {
            Place place{(float(x) + 0.5f) / float(canvas.side), (float(y) + 0.5f) / float(canvas.side)};
            Texel& texel = canvas.at(x, y);
            texel.colour = texel.colour * (light.mean() / between(light.mean(), light.at(place), share));
            texel.height -= share * (height.at(place) - height.mean());
        }
    });
}

MaterialTexture finished(Canvas& canvas, float wanted_luminance) {
    even_out(canvas);
    int side = canvas.side;
    auto [lowest, highest] =
        std::minmax_element(canvas.texels.begin(), canvas.texels.end(),
                            [](const Texel& a, const Texel& b) { return a.height < b.height; });
    float low = lowest->height;
    float relief = std::max(highest->height - low, 1e-6f);
    std::vector<float> open = surroundings(canvas, std::max(1, side / 64));
    double sum = 0;
    for (size_t i = 0; i < open.size(); i++) {
        const Texel& texel = canvas.texels[i];
        open[i] = limited(1 - 2.4f * std::max(open[i] - texel.height, 0.0f) / relief);
        sum += double(luminance(texel.colour) * in_hollow(open[i]));
    }
    float brighter = wanted_luminance / float(sum / double(open.size()));

    MaterialTexture texture;
    texture.side = side;
    texture.relief = double(relief);
    texture.albedo.resize(canvas.texels.size() * 4);
    texture.surface.resize(canvas.texels.size() * 4);
    for_rows(side, [&](int y) {
        auto row = [&](int j) { return canvas.texels.data() + size_t(j & (side - 1)) * size_t(side); };
        const Texel* above = row(y - 1);
        const Texel* here = row(y);
        const Texel* below = row(y + 1);
        for (int x = 0; x < side; x++) {
            size_t i = size_t(y) * size_t(side) + size_t(x);
            const Texel& texel = here[x];
            Light colour = texel.colour * (brighter * in_hollow(open[i]));
            uint8_t* albedo = texture.albedo.data() + i * 4;
            albedo[0] = encoded(colour.red);
            albedo[1] = encoded(colour.green);
            albedo[2] = encoded(colour.blue);
            albedo[3] = byte_of((texel.height - low) / relief);
            float scale = float(side) / 2;
            float dx = (here[(x + 1) & (side - 1)].height - here[(x - 1) & (side - 1)].height) * scale;
            float dy = (below[x].height - above[x].height) * scale;
            float shorter = 1 / std::sqrt(1 + dx * dx + dy * dy);
            uint8_t* surface = texture.surface.data() + i * 4;
            surface[0] = byte_of(0.5f - 0.5f * dx * shorter);
            surface[1] = byte_of(0.5f - 0.5f * dy * shorter);
            surface[2] = byte_of(texel.roughness);
            surface[3] = byte_of(open[i]);
        }
    });
    return texture;
}

}  // namespace

std::string_view name_of(MaterialKind kind) { return names[size_t(kind)]; }

std::optional<MaterialKind> material_kind(std::string_view name) {
    for (MaterialKind kind : material_kinds)
        if (name_of(kind) == name) return kind;
    return std::nullopt;
}

std::vector<std::string> material_kind_names() { return {names.begin(), names.end()}; }

MaterialTexture material_texture(MaterialKind kind, int side) {
    if (side < 16 || side > 4096 || (side & (side - 1)) != 0)
        throw Error(
            fmt::format("a texture of {} texels a side: it must be a power of two from 16 to 4096", side));
    Canvas canvas(side);
    const Recipe& recipe = recipes[size_t(kind)];
    recipe.make(canvas);
    return finished(canvas, recipe.luminance);
}

std::vector<MaterialTexture> material_textures(int side) {
    std::vector<MaterialTexture> all(material_kinds.size());
    tbb::parallel_for(size_t(0), all.size(),
                      [&](size_t i) { all[i] = material_texture(material_kinds[i], side); });
    return all;
}

}  // namespace caprock
