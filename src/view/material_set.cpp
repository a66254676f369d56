#include "view/material_set.h"

#include "base/error.h"
#include "base/random.h"
#include "base/text.h"
#include "view/material_set_texts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// The property a band is about: how messages call it, which values it may have, and which share of the noise it takes.
struct Property {
    const char* name;
    std::optional<MaterialBand> MaterialLayer::*band;
    float SurfacePoint::*value;
    std::array<float, 4> PackedMaterialLayer::*packed;
    double span;
};
constexpr Property slope_property = {"slope", &MaterialLayer::slope, &SurfacePoint::slope,
                                     &PackedMaterialLayer::slope, 90};
constexpr Property curvature_property = {"curvature", &MaterialLayer::curvature, &SurfacePoint::curvature,
                                         &PackedMaterialLayer::curvature, 2};
constexpr Property flow_property = {"flow", &MaterialLayer::flow, &SurfacePoint::flow,
                                    &PackedMaterialLayer::flow, 1};
constexpr Property material_property = {"material", &MaterialLayer::material, &SurfacePoint::material,
                                        &PackedMaterialLayer::material, 0};
constexpr Property mask_property = {"mask", &MaterialLayer::mask, &SurfacePoint::mask,
                                    &PackedMaterialLayer::mask, 1};
constexpr Property height_property = {"height", &MaterialLayer::height, &SurfacePoint::height,
                                      &PackedMaterialLayer::height, 1};
constexpr Property properties[] = {height_property, slope_property,    curvature_property,
                                   flow_property,   material_property, mask_property};

// A band in the units of a SurfacePoint, with edges that are never quite sharp: a step has no place on a float.
struct BandEdges {
    double from;
    double to;
    double fade;
    double moved;  // by noise of 1
};

constexpr double sharpest = 1e-5;  // of the span
constexpr double farthest = 1e20;  // an edge that nothing reaches, still small enough for sums of floats

BandEdges edges_of(const MaterialLayer& layer, const Property& property, const Interval& heights) {
    const MaterialBand band = (layer.*property.band).value_or(MaterialBand{});
    BandEdges edges{band.from, band.to, band.fade, layer.noise.amount * property.span};
    double least_fade = sharpest * std::max(property.span, 1.0);
    if (property.band == &MaterialLayer::height) {
        double span = std::max(heights.span(), 1e-6);
        if (!band.metres) {
            edges.from = heights.low + band.from * span;
            edges.to = heights.low + band.to * span;
            edges.fade = band.fade * span;
        }
        edges.moved = layer.noise.amount * span;
        least_fade = sharpest * span;
    } else if (property.band == &MaterialLayer::material) {
        // Rock 2 is whatever rounds to 2.
        edges.from -= 0.5;
        edges.to += 0.5;
    }
    edges.from = std::clamp(edges.from, -farthest, farthest);
    edges.to = std::clamp(edges.to, -farthest, farthest);
    edges.fade = std::max(edges.fade, least_fade);
    return edges;
}

double smooth_step(double share) {
    double t = std::clamp(share, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

double inside(const BandEdges& edges, double value) {
    return smooth_step((value - edges.from) / edges.fade + 0.5) *
           (1 - smooth_step((value - edges.to) / edges.fade + 0.5));
}

int index_of(const MaterialSet& set, const std::string& name) {
    for (size_t i = 0; i < set.layers.size(); i++)
        if (set.layers[i].name == name) return int(i);
    return -1;
}

// The layers that layer `i` lies on, as bits: its parent with all that the parent has above it, or everything.
uint32_t covered_by(const MaterialSet& set, int i) {
    uint32_t everything = (1u << i) - 1;
    int parent = set.layers[size_t(i)].parent.empty() ? -1 : index_of(set, set.layers[size_t(i)].parent);
    if (parent < 0) return everything;
    uint32_t family = 1u << parent;
    for (int other = parent + 1; other < i; other++) {
        const std::string& above = set.layers[size_t(other)].parent;
        if (!above.empty() && family >> index_of(set, above) & 1) family |= 1u << other;
    }
    return family;
}

uint32_t noise_seed(const MaterialLayer& layer) {
    // By its name: a layer keeps its edges when others come and go.
    return named_seed(0x6d617465u, layer.name);
}

double linear_light(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

float lattice_value(int32_t x, int32_t y, uint32_t seed) {
    uint32_t hash = scrambled(scrambled(uint32_t(x) + seed) ^ uint32_t(y) * 0x9e3779b9u);
    return float(hash >> 8) * 0x1p-23f - 1.0f;
}

}  // namespace

// Three octaves of values on a lattice. Written with floats and whole numbers only, in the order in which
// materials.glsl does it.
float material_noise(float x, float y, float frequency, uint32_t seed) {
    float sum = 0;
    float amplitude = 4.0f / 7.0f;
    float u = x * frequency;
    float v = y * frequency;
    for (uint32_t octave = 0; octave < 3; octave++) {
        float cell_x = std::floor(u);
        float cell_y = std::floor(v);
        float s = u - cell_x;
        float t = v - cell_y;
        s = s * s * s * (s * (s * 6.0f - 15.0f) + 10.0f);
        t = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
        auto i = int32_t(cell_x);
        auto j = int32_t(cell_y);
        uint32_t own = seed + octave * 0x85ebca6bu;
        float a = lattice_value(i, j, own);
        float b = lattice_value(i + 1, j, own);
        float c = lattice_value(i, j + 1, own);
        float d = lattice_value(i + 1, j + 1, own);
        float top = a + (b - a) * s;
        float bottom = c + (d - c) * s;
        sum += amplitude * (top + (bottom - top) * t);
        amplitude *= 0.5f;
        // Turned by arctan(3/4) and doubled: lattices that lie askew to one another show none of their own.
        float turned = 1.6f * u - 1.2f * v;
        v = 1.2f * u + 1.6f * v;
        u = turned;
    }
    return sum;
}

MaterialWeights material_weights(const MaterialSet& set, const Interval& heights, const SurfacePoint& point) {
    std::array<double, most_material_layers> seen{};
    for (size_t i = 0; i < set.layers.size(); i++) {
        const MaterialLayer& layer = set.layers[i];
        if (i == 0) {
            seen[0] = 1;
            continue;
        }
        double own = layer.opacity;
        double noise = 0;
        if (layer.noise.amount > 0)
            noise = material_noise(point.x, point.y, float(1 / layer.noise.feature), noise_seed(layer));
        for (const Property& property : properties) {
            if (!(layer.*property.band)) continue;
            BandEdges edges = edges_of(layer, property, heights);
            own *= inside(edges, double(point.*property.value) + noise * edges.moved);
        }
        uint32_t covered = covered_by(set, int(i));
        double below = 0;
        for (size_t other = 0; other < i; other++) {
            if (!(covered >> other & 1)) continue;
            below += seen[other];
            seen[other] *= 1 - own;
        }
        seen[i] = own * below;
    }
    MaterialWeights weights{};
    for (size_t i = 0; i < weights.size(); i++) weights[i] = float(seen[i]);
    return weights;
}

PackedMaterialSet packed(const MaterialSet& set, const Interval& heights) {
    PackedMaterialSet result{};
    for (size_t i = 0; i < set.layers.size(); i++) {
        const MaterialLayer& layer = set.layers[i];
        PackedMaterialLayer& to = result.layers[i];
        for (const Property& property : properties) {
            BandEdges edges = edges_of(layer, property, heights);
            to.*property.packed = {float(edges.from), float(edges.to), float(1 / edges.fade),
                                   float(edges.moved)};
        }
        to.tint_and_tiling = {float(linear_light(layer.tint[0])), float(linear_light(layer.tint[1])),
                              float(linear_light(layer.tint[2])), float(1 / layer.tile)};
        to.noise_and_opacity = {layer.noise.amount > 0 ? float(1 / layer.noise.feature) : 0.0f,
                                float(layer.opacity), 0, 0};
        to.links = {int32_t(layer.texture), int32_t(covered_by(set, int(i))), int32_t(noise_seed(layer)), 0};
    }
    result.use = {int32_t(set.layers.size()), int32_t(set.projection), 0, 0};
    result.macro = {float(set.macro.amount), float(1 / set.macro.size), 0, 0};
    return result;
}

namespace {

void check_layer(const MaterialSet& set, size_t i) {
    const MaterialLayer& layer = set.layers[i];
    auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("layer '{}': {}", one_line(layer.name), why));
    };
    auto within = [&](const char* what, double value, double low, double high) {
        if (!(value >= low && value <= high))
            refuse(fmt::format("{} is {}, but must be {} to {}", what, number_text(value), number_text(low),
                               number_text(high)));
    };
    if (size_t(index_of(set, layer.name)) != i) refuse("the name is taken by an earlier layer");
    if (!layer.parent.empty()) {
        int parent = index_of(set, layer.parent);
        std::vector<std::string> earlier;
        for (size_t other = 0; other < i; other++) earlier.push_back(set.layers[other].name);
        if (parent < 0)
            refuse(fmt::format("no layer '{}' that could be its parent{}", one_line(layer.parent),
                               suggestion(layer.parent, earlier)));
        if (size_t(parent) >= i)
            refuse(fmt::format("its parent '{}' must come before it", one_line(layer.parent)));
    }
    for (double part : layer.tint) within("a part of the tint", part, 0, 1);
    within("tile", layer.tile, 0.01, 1e5);
    within("opacity", layer.opacity, 0, 1);
    within("the noise's feature", layer.noise.feature, 0.01, 1e6);
    within("the noise's amount", layer.noise.amount, 0, 1);
    for (const Property& property : properties) {
        if (!(layer.*property.band)) continue;
        const MaterialBand& band = *(layer.*property.band);
        constexpr double nowhere = std::numeric_limits<double>::infinity();
        if (std::isnan(band.from) || std::isnan(band.to) || band.from == nowhere || band.to == -nowhere)
            refuse(fmt::format("an end of {} is no number", property.name));
        if (band.metres && property.band != &MaterialLayer::height)
            refuse(fmt::format("{} is not measured in metres", property.name));
        if (band.from > band.to)
            refuse(fmt::format("{} goes from {} to {}: it must not end before it begins", property.name,
                               number_text(band.from), number_text(band.to)));
        if (!(band.fade >= 0 && std::isfinite(band.fade)))
            refuse(fmt::format("the fade of {} is {}, but must be 0 or more", property.name,
                               number_text(band.fade)));
    }
}

}  // namespace

void MaterialSet::check() const {
    if (layers.empty()) throw Error("a material set needs a layer");
    if (layers.size() > size_t(most_material_layers))
        throw Error(
            fmt::format("{} layers: a material set has {} at most", layers.size(), most_material_layers));
    for (size_t i = 0; i < layers.size(); i++) {
        if (layers[i].name.empty()) throw Error(fmt::format("layer {} has no name", i + 1));
        check_layer(*this, i);
    }
    if (!(macro.amount >= 0 && macro.amount <= 1))
        throw Error(fmt::format("the amount of macro variation is {}, but must be 0 to 1",
                                number_text(macro.amount)));
    if (!(macro.size >= 0.01 && macro.size <= 1e6))
        throw Error(fmt::format("the size of macro variation is {}, but must be 0.01 to 1000000 metres",
                                number_text(macro.size)));
}

std::vector<std::string> material_set_names() { return names_of(material_set_texts()); }

MaterialSet material_set(std::string_view name) {
    return parsed_text(material_set_texts(), name, "material set",
                       [](const std::string& text) { return parse_material_set(text); });
}

}  // namespace caprock
