// The light on slopes: what gives a map its relief.
#pragma once

#include "view/colour_scheme.h"
#include "view/surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace caprock {

struct Gradient {
    float x, y;  // rise per metre to the right and downwards
};

inline float length(const Gradient& gradient) {
    return std::sqrt(gradient.x * gradient.x + gradient.y * gradient.y);
}

// The slopes of a surface whose pixels are so many metres wide and high. Where neighbours are missing they are taken
// from those that are there.
class Slopes {
  public:
    Slopes(const Surface& surface, double pixel_width, double pixel_height)
        : surface_(surface), per_x_(float(1 / pixel_width)), per_y_(float(1 / pixel_height)) {}

    // Of a pixel that is not missing.
    Gradient at(int x, int y) const {
        const float* above = surface_.row(y - 1) + x;
        const float* here = surface_.row(y) + x;
        const float* below = surface_.row(y + 1) + x;
        float right = above[1] + 2 * here[1] + below[1];
        float left = above[-1] + 2 * here[-1] + below[-1];
        float down = below[-1] + 2 * below[0] + below[1];
        float up = above[-1] + 2 * above[0] + above[1];
        Gradient rise = {(right - left) * 0.125f, (down - up) * 0.125f};
        if (is_missing(rise.x) || is_missing(rise.y)) rise = from_some(above, here, below);
        return {std::clamp(rise.x * per_x_, -steepest, steepest),
                std::clamp(rise.y * per_y_, -steepest, steepest)};
    }

  private:
    // Steeper than any cliff, and small enough to be squared.
    static constexpr float steepest = 1e9f;
    // From those neighbours that are there.
    static Gradient from_some(const float* above, const float* here, const float* below);

    const Surface& surface_;
    float per_x_, per_y_;
};

// A direction towards a light, of length 1.
struct LightDirection {
    float x, y, z;  // right, down, up
};

// Degrees clockwise from north (up), and above the horizon.
LightDirection towards(double azimuth, double elevation);

// How far slopes are steepened before they are lit. Typical slopes are brought towards one that reads, on plains as in
// mountains; exaggeration comes on top of that.
double steepening_of(double typical_slope, double exaggeration);

// A surface and its blurred form are lit as one: this is the share of the form. Without it, the grain of a rough
// terrain hides its mountains; the less of its slopes the blur takes away, the less grain there is, and the form would
// only make a clear picture soft.
constexpr double total_share = 1.55;
double form_share(double slope, double form_slope);

struct ShadeOptions {
    double azimuth = 315;
    double elevation = 40;
    bool many = false;  // four lights in place of one: no valley runs along all of them and is lost
    LightColours colours = LightColours::daylight;

    bool operator==(const ShadeOptions&) const = default;
};

// The light on a slope, as a factor to the tint. On level ground it is 1: there the map shows its tints unchanged.
class Shade {
  public:
    explicit Shade(const ShadeOptions& options);

    // Standing: how far the pixel rises above its surroundings, 1 being usual.
    Light on(const Gradient& gradient, float standing) const { return lit(gradient, openness_of(standing)); }

    // The two parts of it.
    Light on_slope(const Gradient& gradient) const { return lit(gradient, 1); }
    static float openness_of(float standing) {
        // Hollows are darker and ridges brighter by up to this, whatever the light's direction.
        constexpr float openness = 0.22f;
        return 1 + openness * standing / std::sqrt(1 + standing * standing);
    }

    // Lit slopes approach this one and never reach it: no exaggeration makes a picture of black and white alone.
    static constexpr float steepest_lit = 3.0f;
    static float tamed(float square) {
        return 1 / std::sqrt(1 + square * (1 / (steepest_lit * steepest_lit)));
    }

  private:
    struct Illumination {
        float sun;  // from the main light and those around it
        float sky;  // from everywhere above
    };
    Illumination illumination(const Gradient& gradient) const;
    float sunlight_on(const LightDirection& normal) const;
    Light lit(const Gradient& gradient, float open) const;

    bool many_;
    std::array<LightDirection, 4> lamps_;
    Light sun_;
    Light sky_;
    float per_level_sun_ = 1;
};

// 0 at one end and 1 at the other, level at both.
inline float soft_step(float from, float to, float value) {
    float t = std::clamp((value - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

// How much of the ground is bare rock where it rises by so much per metre: too steep to hold soil.
inline float bareness(float rise) { return 0.8f * soft_step(0.55f, 1.3f, rise); }

// What lies under water is seen less clearly.
constexpr float under_water = 0.55f;

// The light on slopes looked up instead of computed, for pictures that are drawn many times a second. It departs from
// the light itself by less than a picture can store.
class ShadeTable {
  public:
    explicit ShadeTable(const Shade& shade);

    Light on(const Gradient& gradient, float standing) const {
        // All slopes there can be, brought into -1 to 1 each way without a square root.
        float per = steps / (bent + std::fabs(gradient.x) + std::fabs(gradient.y));
        float x = gradient.x * per + middle, y = gradient.y * per + middle;
        int column = int(x), row = int(y);
        float right = x - float(column), down = y - float(row);
        const Light* at = lights_.data() + size_t(row) * side + size_t(column);
        Light above = mixed(at[0], at[1], right), below = mixed(at[side], at[side + 1], right);
        float place = standing / (1 + std::fabs(standing));
        return mixed(above, below, down) *
               openness_[size_t(place * standing_steps + (standing_steps + 0.5f))];
    }

  private:
    static constexpr int steps = 96;  // from level ground to the steepest
    static constexpr int side = 2 * steps + 3;
    static constexpr float middle = steps + 1;
    static constexpr float bent = 2.0f;  // slopes up to about this one are tabulated in equal steps
    static constexpr int standing_steps = 512;
    std::vector<float> openness_;
    std::vector<Light> lights_;
};

}  // namespace caprock
