#include "view/hillshade.h"

#include "base/mathematics.h"

namespace caprock {

namespace {

// From one neighbour to the other; where one is missing, from the pixel itself.
float rise(float before, float here, float after) {
    bool has_before = !is_missing(before);
    bool has_after = !is_missing(after);
    if (has_before && has_after) return (after - before) * 0.5f;
    if (has_after) return after - here;
    if (has_before) return here - before;
    return 0;
}

}  // namespace

Gradient Slopes::from_some(const float* above, const float* here, const float* below) {
    return {rise(here[-1], here[0], here[1]), rise(above[0], here[0], below[0])};
}

LightDirection towards(double azimuth, double elevation) {
    double around = std::fmod(azimuth, 360.0) * pi / 180;
    double above = std::clamp(elevation, 0.0, 90.0) * pi / 180;
    return {float(std::sin(around) * std::cos(above)), float(-std::cos(around) * std::cos(above)),
            float(std::sin(above))};
}

namespace {

// Typical slopes are brought towards this one by most of the way: plains stay calmer than mountains, but their swells
// are seen.
constexpr double pleasing_slope = 0.5;
constexpr double pleasing_share = 0.88;
constexpr double largest_boost = 25;  // what is flat but for rounding stays flat

constexpr double largest_form_share = 0.8;

}  // namespace

double steepening_of(double typical_slope, double exaggeration) {
    double boost = 1;
    if (typical_slope > 0)
        boost = std::min(std::pow(pleasing_slope / typical_slope, pleasing_share), largest_boost);
    return std::clamp(boost * exaggeration, -1e9, 1e9);
}

double form_share(double slope, double form_slope) {
    double kept = slope > 0 ? std::min(form_slope / slope, 1.0) : 1.0;
    return std::min(1.3 * (1 - kept * kept), largest_form_share);
}

namespace {

float cosine_between(const LightDirection& a, const LightDirection& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Lambert's cosine, with a soft passage into the shadow.
float direct(const LightDirection& normal, const LightDirection& lamp) {
    float straight = cosine_between(normal, lamp);
    return 0.5f * (straight + std::sqrt(straight * straight + 0.02f));
}

// Light from a wide part of the sky reaches around corners, and shapes what lies in shadow.
float filled(const LightDirection& normal, const LightDirection& lamp) {
    float half = 0.5f + 0.5f * cosine_between(normal, lamp);
    return half * half;
}

struct Tones {
    Light sun;
    Light sky;
    float sky_strength;
};

Tones tones_of(LightColours colours) {
    switch (colours) {
        case LightColours::white:
            return {{1, 1, 1}, {1, 1, 1}, 0.08f};
        case LightColours::daylight:
            return {{1.05f, 1.00f, 0.91f}, {0.90f, 0.98f, 1.13f}, 0.08f};
        case LightColours::printed:
            return {{1.08f, 1.02f, 0.82f}, {0.86f, 0.92f, 1.26f}, 0.24f};
    }
    return {};
}

}  // namespace

Shade::Shade(const ShadeOptions& options) : many_(options.many) {
    double azimuth = options.azimuth, elevation = options.elevation;
    if (many_) {
        for (size_t i = 0; i < 4; i++) lamps_[i] = towards(azimuth - 90 + 45 * double(i), elevation);
    } else {
        double aside = elevation * 0.85 + 5;
        lamps_ = {towards(azimuth, elevation), towards(azimuth - 65, aside), towards(azimuth + 65, aside)};
    }
    Tones tones = tones_of(options.colours);
    sun_ = tones.sun;
    sky_ = tones.sky * tones.sky_strength;
    Illumination level = illumination({0, 0});
    Light total = sun_ * level.sun + sky_ * level.sky;
    sun_ = {sun_.red / total.red, sun_.green / total.green, sun_.blue / total.blue};
    sky_ = {sky_.red / total.red, sky_.green / total.green, sky_.blue / total.blue};
    per_level_sun_ = 1 / level.sun;
}

float Shade::sunlight_on(const LightDirection& normal) const {
    if (!many_)
        return 0.68f * direct(normal, lamps_[0]) + 0.20f * filled(normal, lamps_[1]) +
               0.13f * filled(normal, lamps_[2]);
    // The chosen light leads, or the eye would not know where the sun is; the one at a right angle to it shows the
    // slopes that run along it.
    constexpr float weights[] = {0.27f, 0.17f, 0.40f, 0.16f};
    float sum = 0;
    for (size_t i = 0; i < 4; i++) sum += weights[i] * direct(normal, lamps_[i]);
    return sum;
}

Shade::Illumination Shade::illumination(const Gradient& gradient) const {
    float square = gradient.x * gradient.x + gradient.y * gradient.y;
    float tame = tamed(square);
    float x = -gradient.x * tame;
    float y = -gradient.y * tame;
    float up = 1 / std::sqrt(1 + x * x + y * y);
    return {sunlight_on({x * up, y * up, up}), 0.5f + 0.5f * up};
}

Light Shade::lit(const Gradient& gradient, float open) const {
    Illumination light = illumination(gradient);
    // The eye expects more contrast of a map than a cloudless day gives.
    float contrast = std::sqrt(std::sqrt(light.sun * per_level_sun_));
    return (sun_ * light.sun + sky_ * light.sky) * (contrast * open);
}

ShadeTable::ShadeTable(const Shade& shade) : lights_(size_t(side) * size_t(side)) {
    for_rows(side, [&](int row) {
        for (int column = 0; column < side; column++) {
            float x = (float(column) - middle) / steps, y = (float(row) - middle) / steps;
            // The other way round than on(). Beyond the steepest there are no slopes, but cells there have a corner.
            float far = std::fabs(x) + std::fabs(y);
            constexpr float farthest = 0.9999f;
            float kept = far > farthest ? farthest / far : 1.0f;
            float wild = kept * bent / (1 - std::min(far, farthest));
            lights_[size_t(row) * side + size_t(column)] = shade.on_slope({x * wild, y * wild});
        }
    });
    for (int i = -standing_steps; i <= standing_steps; i++) {
        float place = std::clamp(float(i) / standing_steps, -0.9999f, 0.9999f);
        openness_.push_back(Shade::openness_of(place / (1 - std::fabs(place))));
    }
}

}  // namespace caprock
