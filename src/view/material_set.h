// Which ground lies where: up to eight layers of material, stacked from the bottom up.
//
// The first layer covers everything. Each further one covers what lies below it, as far as its opacity and its bands
// allow: a band is a range of one property of the ground, of its slope say, with soft edges that noise may disturb. A
// layer with a parent covers the parent and the parent's other children only, so that it shows nowhere where the parent
// would not (§5.3.1.5 of the dissertation, and its Figure 5-18). Weights of all layers add up to 1 everywhere.
//
// src/view/shaders/materials.glsl does the same on a GPU from a PackedMaterialSet.
#pragma once

#include "base/interval.h"
#include "view/material_textures.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

constexpr int most_material_layers = 8;

// The layer is there between the edges. Across each edge it comes in within `fade`, half of it on either side.
struct MaterialBand {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    double fade = 0;
    bool metres = false;  // of heights only: in metres, not in shares of the height range

    bool operator==(const MaterialBand&) const = default;
};

struct MaterialNoise {
    double feature = 50;  // metres
    double amount = 0;    // an edge moves by up to this share of all the values its property may have

    bool operator==(const MaterialNoise&) const = default;
};

struct MaterialLayer {
    std::string name;
    MaterialKind texture = MaterialKind::grass;
    std::string parent;                      // an earlier layer; empty: none
    std::array<double, 3> tint = {1, 1, 1};  // sRGB; its light multiplies the texture's
    double tile = 4;                         // metres a side of the texture

    std::optional<MaterialBand> height;     // 0..1 of the terrain's height range, or in metres
    std::optional<MaterialBand> slope;      // degrees
    std::optional<MaterialBand> curvature;  // -1 hollow .. 1 ridge
    std::optional<MaterialBand> flow;       // 0..1
    std::optional<MaterialBand>
        material;                      // index of a rock; both ends belong to the band. Noise leaves it alone
    std::optional<MaterialBand> mask;  // 0..1
    MaterialNoise noise;
    double opacity = 1;

    bool operator==(const MaterialLayer&) const = default;
};

enum class TextureProjection { vertical, triplanar };

// Slow changes of brightness over many tiles, against the look of a pattern.
struct MacroVariation {
    double amount = 0.25;  // 0 none .. 1
    double size = 180;     // metres

    bool operator==(const MacroVariation&) const = default;
};

struct MaterialSet {
    std::string title;
    TextureProjection projection = TextureProjection::triplanar;
    MacroVariation macro;
    std::vector<MaterialLayer> layers;

    // Throws Error, naming the layer: no layer or more than eight, a name twice or none, a parent that is no earlier
    // layer, a band that ends before it begins, a number that is out of bounds.
    void check() const;
    bool operator==(const MaterialSet&) const = default;
};

// What a layer may ask of a place. What a terrain has no field for keeps the value it has here.
struct SurfacePoint {
    float x = 0;  // metres to the east and to the south
    float y = 0;
    float height = 0;     // metres
    float slope = 0;      // degrees
    float curvature = 0;  // -1 hollow .. 1 ridge
    float flow = 0;       // 0..1
    float material = 0;   // index of a rock
    float mask = 1;       // 0..1
};

using MaterialWeights = std::array<float, most_material_layers>;

// How much of each layer is seen at a place; unused layers have 0. `heights` is the terrain's height range, as in its
// grid. The first layer's bands, opacity and parent count for nothing. For sets that have passed check().
MaterialWeights material_weights(const MaterialSet& set, const Interval& heights, const SurfacePoint& point);

// The noise that disturbs the edges, -1..1, at (x, y) metres times `frequency`. Public so that a shader can be held
// to it.
float material_noise(float x, float y, float frequency, uint32_t seed);

// The uniform block MaterialLayers of materials.glsl, byte for byte (std140).
struct PackedMaterialLayer {
    // from, to, 1 / fade, how far noise moves the edges
    std::array<float, 4> height;
    std::array<float, 4> slope;
    std::array<float, 4> curvature;
    std::array<float, 4> flow;
    std::array<float, 4> material;
    std::array<float, 4> mask;
    std::array<float, 4> tint_and_tiling;    // linear light; times the texture repeats within a metre
    std::array<float, 4> noise_and_opacity;  // 1 / feature, opacity, nothing, nothing
    std::array<int32_t, 4> links;  // texture, bits of the layers it covers, seed of its noise, nothing
};
struct PackedMaterialSet {
    std::array<PackedMaterialLayer, most_material_layers> layers;
    std::array<int32_t, 4> use;  // how many layers; 0 vertical, 1 triplanar; nothing; nothing
    std::array<float, 4> macro;  // amount, 1 / size, nothing, nothing
};
static_assert(offsetof(PackedMaterialLayer, slope) == 16);
static_assert(offsetof(PackedMaterialLayer, curvature) == 32);
static_assert(offsetof(PackedMaterialLayer, flow) == 48);
static_assert(offsetof(PackedMaterialLayer, material) == 64);
static_assert(offsetof(PackedMaterialLayer, mask) == 80);
static_assert(offsetof(PackedMaterialLayer, tint_and_tiling) == 96);
static_assert(offsetof(PackedMaterialLayer, noise_and_opacity) == 112);
static_assert(offsetof(PackedMaterialLayer, links) == 128);
static_assert(sizeof(PackedMaterialLayer) == 144);
static_assert(offsetof(PackedMaterialSet, use) == 1152);
static_assert(offsetof(PackedMaterialSet, macro) == 1168);
static_assert(sizeof(PackedMaterialSet) == 1184);

// For sets that have passed check().
PackedMaterialSet packed(const MaterialSet& set, const Interval& heights);

// JSON. Reading throws Error with what is wrong and where, after check(); what was written reads back the same.
MaterialSet parse_material_set(const std::string& text);
std::string material_set_text(const MaterialSet& set);
MaterialSet read_material_set(const std::string& path);
// The file appears whole or not at all.
void write_material_set(const MaterialSet& set, const std::string& path);

// The sets that come with the library: the files of materials/, put into it by the build.
std::vector<std::string> material_set_names();  // by the alphabet
// Throws Error with the nearest name where there is none.
MaterialSet material_set(std::string_view name);
constexpr std::string_view default_material_set = "temperate";

}  // namespace caprock
