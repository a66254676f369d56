#include "view/colour_scheme.h"

#include "base/error.h"
#include "base/text.h"
#include "view/palette.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

namespace caprock {

double ColourRange::share(double value) const {
    double span = value < middle ? middle - low : high - middle;
    if (!(span > 0)) return 0.5;
    return std::clamp(0.5 + 0.5 * (value - middle) / span, 0.0, 1.0);
}

double ColourRange::value_at(double share) const {
    return share < 0.5 ? std::lerp(low, middle, share * 2) : std::lerp(middle, high, share * 2 - 1);
}

Light ColourLayer::at(double share) const {
    double place = std::clamp(share, 0.0, 1.0) * (colour_table_size - 1);
    int below = std::min(int(place), colour_table_size - 2);
    if (seam && below == colour_table_size / 2 - 1) return light_of(table[size_t(below + (share >= 0.5))]);
    return mixed(light_of(table[size_t(below)]), light_of(table[size_t(below) + 1]), float(place - below));
}

namespace {

ColourRange evenly(const Interval& values) {
    return {values.low, (values.low + values.high) / 2, values.high};
}

// The terrain's range stays put while somebody edits; where it would show only a few of the colours, they span what
// there is.
Interval tinted(const FieldExtent& extent) {
    double shared =
        std::min(extent.usual.high, extent.range.high) - std::max(extent.usual.low, extent.range.low);
    bool fits = extent.within >= 0.5 && shared >= 0.4 * extent.range.span();
    bool level = extent.usual.span() <= 0;
    return fits || level ? extent.range : extent.usual;
}

ColourRange around_shore(const FieldExtent& extent, double sea_level) {
    Interval heights = tinted(extent);
    bool sea = extent.range.low < sea_level && heights.low < sea_level;
    if (!sea) return {heights.low, heights.low, heights.high};
    // A shallow sea beside high mountains is not drawn as an abyss, nor a low island as a mountain.
    double land = heights.high - sea_level;
    double depth = std::max(sea_level - heights.low, 0.25 * land);
    return {sea_level - depth, sea_level, sea_level + std::max(land, 0.05 * depth)};
}

}  // namespace

ColourRange colour_range(const Interval& values) { return evenly(values); }

ColourRange colour_range(const ColourLayer& layer, const FieldExtent& extent, double sea_level) {
    switch (layer.rule) {
        case RangeRule::terrain:
            return evenly(extent.range);
        case RangeRule::values:
            return evenly(extent.values);
        case RangeRule::around_zero: {
            const Interval& values = extent.values;
            if (values.low >= 0 || values.high <= 0) return evenly(values);
            double far = std::max(-values.low, values.high);
            return {-far, 0, far};
        }
        case RangeRule::shore:
            return around_shore(extent, sea_level);
    }
    return {};
}

std::string ColourScheme::field_of(const ColourLayer& layer, std::string_view drawn) const {
    if (layer.field.empty()) return drawn.empty() ? "height" : std::string(drawn);
    bool reads = drawn.empty() || std::ranges::any_of(layers, [&](const ColourLayer& other) {
                     return other.field.empty() || other.field == drawn;
                 });
    if (!reads) {
        std::vector<std::string> fields, free;
        for (const ColourLayer& other : layers) fields.push_back(other.field);
        for (const std::string& other : colour_scheme_names())
            if (colour_scheme(other).layers[0].field.empty()) free.push_back(other);
        throw Error(fmt::format("scheme '{}' is for {}, not for '{}'; any field can be drawn in {}", name,
                                listed(fields), one_line(drawn), listed(free, "or")));
    }
    return layer.field;
}

namespace {

// ---- tables ----------------------------------------------------------------------------------------------

ColourTable ramp(const Bytes& full) {
    ColourTable table;
    for (int i = 0; i < colour_table_size; i++)
        table[size_t(i)] = {uint8_t(full.red * i / 255), uint8_t(full.green * i / 255),
                            uint8_t(full.blue * i / 255)};
    return table;
}

struct LabStop {
    double at;
    double lightness, chroma, hue;
};

// Straight between the stops in lightness, strength and hue. What a picture cannot store is made paler, never
// darker or lighter: lightness is what the eye reads values from.
Bytes colour_at(std::span<const LabStop> stops, double place) {
    size_t above = 1;
    while (above + 1 < stops.size() && stops[above].at < place) above++;
    const LabStop& low = stops[above - 1];
    const LabStop& high = stops[above];
    double share = (place - low.at) / (high.at - low.at);
    double turned = share * share * (3 - 2 * share);
    return bytes_of(light_of(lab_within_gamut(std::lerp(low.lightness, high.lightness, share),
                                              std::lerp(low.chroma, high.chroma, turned),
                                              std::lerp(low.hue, high.hue, share))));
}

ColourTable along(std::span<const LabStop> stops) {
    ColourTable table;
    for (int i = 0; i < colour_table_size; i++)
        table[size_t(i)] = colour_at(stops, double(i) / (colour_table_size - 1));
    return table;
}

// Night to noon: violet, blue, sea green, leaf green, yellow. Lightness rises in equal steps.
constexpr LabStop verdant_stops[] = {
    {0.00, 0.24, 0.115, 312},  {0.25, 0.415, 0.120, 268}, {0.50, 0.59, 0.115, 192},
    {0.75, 0.765, 0.170, 142}, {1.00, 0.94, 0.165, 106},
};

// Blue to the one side, brick to the other, both as dark as the other at the same distance.
constexpr LabStop diverging_stops[] = {
    {0.00, 0.33, 0.110, 255},   {0.25, 0.61, 0.110, 240}, {0.4999, 0.965, 0.004, 235},
    {0.5001, 0.965, 0.004, 60}, {0.75, 0.61, 0.130, 45},  {1.00, 0.33, 0.120, 30},
};

struct ColourStop {
    double at;
    uint32_t colour;
};

// Straight in OKLab.
Bytes colour_at(std::span<const ColourStop> stops, double place) {
    size_t above = 1;
    while (above + 1 < stops.size() && stops[above].at < place) above++;
    float share = float((place - stops[above - 1].at) / (stops[above].at - stops[above - 1].at));
    Lab low = lab_of(light_of(bytes_of(stops[above - 1].colour)));
    Lab high = lab_of(light_of(bytes_of(stops[above].colour)));
    return bytes_of(light_of(Lab{std::lerp(low.lightness, high.lightness, share),
                                 std::lerp(low.a, high.a, share), std::lerp(low.b, high.b, share)}));
}

// Water from the deepest to the shore, then land from the shore to the highest.
template <typename Water, typename Land>
ColourTable shore(Water water, Land land) {
    constexpr int half = colour_table_size / 2;
    ColourTable table;
    for (int i = 0; i < half; i++) {
        double share = double(i) / (half - 1);
        table[size_t(i)] = water(1 - share);
        table[size_t(half + i)] = land(share);
    }
    return table;
}

constexpr ColourStop atlas_water[] = {{0, 0xcbe6ee}, {0.3, 0x9fcbe0}, {0.7, 0x6ba3ca}, {1, 0x3f76a8}};
constexpr ColourStop atlas_land[] = {{0.00, 0x7fae78}, {0.14, 0xa9c48a}, {0.30, 0xdcdda2}, {0.46, 0xe9cf93},
                                     {0.62, 0xcfa36c}, {0.76, 0xab7f5d}, {0.88, 0xb9a49b}, {1.00, 0xf6f3f1}};

// As on the national maps: hardly a tint, greenish below and white above.
constexpr ColourStop swiss_water[] = {{0, 0xc2dfee}, {0.4, 0x9fcbe2}, {1, 0x74abce}};
constexpr ColourStop swiss_land[] = {
    {0.00, 0xc3d4b4}, {0.25, 0xd6dfc0}, {0.50, 0xe6e5cf}, {0.75, 0xe9e6dc}, {1.00, 0xefefef}};

ColourTable earth_table() {
    const Palette& palette = Palette::relief();
    return shore([&](double share) { return bytes_of(palette.water(float(share))); },
                 [&](double share) { return bytes_of(palette.land(float(share))); });
}

ColourTable table_of(std::span<const ColourStop> water, std::span<const ColourStop> land) {
    return shore([&](double share) { return colour_at(water, share); },
                 [&](double share) { return colour_at(land, share); });
}

std::vector<ColourScheme> made_schemes() {
    constexpr Bytes brown = bytes_of(0x8a5426u);
    constexpr Bytes sienna = bytes_of(0x4f2f17u);
    constexpr Bytes orange = bytes_of(0xc8742bu);
    constexpr Bytes black = bytes_of(0x161616u);
    constexpr Bytes pale = bytes_of(0xefe6d2u);
    constexpr LightColours white = LightColours::white, daylight = LightColours::daylight,
                           printed = LightColours::printed;
    ColourLayer plain{"height", RangeRule::terrain, {}};
    plain.table.fill(bytes_of(Palette::relief().paper()));
    ColourLayer earth{"height", RangeRule::shore, earth_table(), true};
    ColourLayer swiss{"height", RangeRule::shore, table_of(swiss_water, swiss_land), true};
    ColourLayer atlas{"height", RangeRule::shore, table_of(atlas_water, atlas_land), true};
    ColourLayer grey{"", RangeRule::values, ramp({255, 255, 255})};
    ColourLayer red{"height", RangeRule::terrain, ramp({255, 0, 0})};
    ColourLayer green{"hardness", RangeRule::terrain, ramp({0, 255, 0})};
    ColourLayer blue{"solubility", RangeRule::terrain, ramp({0, 0, 255})};
    ColourLayer verdant{"", RangeRule::values, along(verdant_stops)};
    ColourLayer diverging{"", RangeRule::around_zero, along(diverging_stops)};
    return {
        {"earth", "meadows, sand, rock and snow by height", {earth}, true, daylight, sienna},
        {"swiss", "the paper tints of a topographic map", {swiss}, false, printed, brown},
        {"hypsometric", "an atlas: green lowlands, brown heights, blue sea", {atlas}, false, printed, sienna},
        {"plain", "shading alone", {plain}, false, white, sienna},
        {"verdant", "violet to yellow in equal steps of lightness", {verdant}, false, white, pale},
        {"diverging", "blue below, brick above, white in the middle", {diverging}, false, white, black},
        {"grey", "black to white", {grey}, false, white, orange},
        {"red", "the height as Frontier stores it", {red}, false, white, pale},
        {"green", "the hardness as Frontier stores it", {green}, false, white, pale},
        {"blue", "the solubility as Frontier stores it", {blue}, false, white, pale},
        {"rgb",
         "height, hardness and solubility as red, green and blue",
         {red, green, blue},
         false,
         white,
         pale},
    };
}

const std::vector<ColourScheme>& schemes() {
    static const std::vector<ColourScheme> all = made_schemes();
    return all;
}

}  // namespace

std::vector<std::string> colour_scheme_names() {
    std::vector<std::string> names;
    for (const ColourScheme& scheme : schemes()) names.push_back(scheme.name);
    return names;
}

const ColourScheme& colour_scheme(std::string_view name) {
    for (const ColourScheme& scheme : schemes())
        if (scheme.name == name) return scheme;
    std::vector<std::string> names = colour_scheme_names();
    throw Error(fmt::format("there is no colour scheme '{}'{}; there are {}", one_line(name),
                            suggestion(name, names), listed(names)));
}

}  // namespace caprock
