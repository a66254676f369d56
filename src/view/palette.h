// The colours of the relief map: tints by height, bare rock, and what is drawn where nothing is known.
//
// Colours are mixed in linear light, where a product of a tint and a brightness is what the eye expects of a
// painted surface in the sun; tints are interpolated in OKLab, where equal steps look equal.
#pragma once

#include "view/colour.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace caprock {

// Missing cells: violet greys in diagonal stripes. Green is the weakest of their three parts; in every tint
// of a height, under every light, it is not.
constexpr Bytes missing_ground = {0xc8, 0xbf, 0xcd};
constexpr Bytes missing_stripe = {0xba, 0xb0, 0xc1};
constexpr int missing_stripe_period = 10;  // pixels
constexpr int missing_stripe_width = 3;

constexpr bool missing_is_striped(int x, int y) {
    return (x + y) % missing_stripe_period < missing_stripe_width;
}
constexpr Bytes missing_colour(int x, int y) {
    return missing_is_striped(x, y) ? missing_stripe : missing_ground;
}

class Palette {
  public:
    static const Palette& relief();

    Light land(float share) const { return look_up(land_, share); }    // 0 lowest .. 1 highest
    Light water(float share) const { return look_up(water_, share); }  // 0 the shore .. 1 deepest
    Light rock(float share) const { return look_up(rock_, share); }    // steep ground at a height
    Light paper() const { return paper_; }                             // flat ground of a map without tints

    // What a picture stores for this light. Light beyond 1 fades into white instead of being cut off.
    Bytes encoded(const Light& light) const {
        return {encoded(light.red), encoded(light.green), encoded(light.blue)};
    }

  private:
    static constexpr int steps = 1024;
    using Ramp = std::array<Light, steps + 1>;

    Palette();
    static Light look_up(const Ramp& ramp, float share) {
        float place = share > 0 ? (share < 1 ? share * steps : float(steps)) : 0.0f;
        int below = place < steps ? int(place) : steps - 1;
        return mixed(ramp[below], ramp[below + 1], place - float(below));
    }
    // The encoding is tabulated over the square root of light, which puts its steps where the eye sees them.
    static constexpr float brightest = 4;
    static constexpr int encoding_steps = 16384;
    uint8_t encoded(float light) const {
        // Written so that a NaN is black and not an index.
        float bounded = light > 0 ? (light < brightest ? light : brightest) : 0.0f;
        return encoding_[size_t(std::sqrt(bounded / brightest) * encoding_steps + 0.5f)];
    }

    Ramp land_;
    Ramp water_;
    Ramp rock_;
    Light paper_;
    std::array<uint8_t, encoding_steps + 1> encoding_;
};

}  // namespace caprock
