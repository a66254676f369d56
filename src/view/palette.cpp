#include "view/palette.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <vector>

namespace caprock {

namespace {

struct TintStop {
    float at;
    uint32_t colour;  // 0xRRGGBB, sRGB
};

// Meadows, dry grass, sand, rock, snow. Lightness rises nearly all the way, so that height reads even in
// print; the dip at the brown belt keeps the peaks apart from the sand.
constexpr TintStop land_stops[] = {
    {0.00f, 0x466247}, {0.15f, 0x5c7851}, {0.32f, 0x87955f}, {0.48f, 0xb8ad7b}, {0.62f, 0xc3ae87},
    {0.74f, 0xa99880}, {0.85f, 0xa79f97}, {0.93f, 0xd6d3cd}, {1.00f, 0xf7f6f3},
};
constexpr TintStop water_stops[] = {
    {0.00f, 0xa9cdd2}, {0.12f, 0x86b6c6}, {0.40f, 0x5790b0}, {0.75f, 0x386a94}, {1.00f, 0x294d77},
};
// Earth and scree below, bare grey stone above.
constexpr TintStop rock_stops[] = {
    {0.00f, 0x75705c}, {0.35f, 0x948669}, {0.65f, 0x9a8470}, {0.85f, 0x8f877f}, {1.00f, 0x9d9994},
};
constexpr uint32_t paper_colour = 0xacacac;

Lab tint_at(std::span<const TintStop> stops, std::span<const Lab> colours, float place) {
    size_t above = 1;
    while (above + 1 < stops.size() && stops[above].at < place) above++;
    float from = stops[above - 1].at;
    float share = std::clamp((place - from) / (stops[above].at - from), 0.0f, 1.0f);
    const Lab& low = colours[above - 1];
    const Lab& high = colours[above];
    return {std::lerp(low.lightness, high.lightness, share), std::lerp(low.a, high.a, share),
            std::lerp(low.b, high.b, share)};
}

// Every tint is averaged over a little of the ramp around it: where two stretches of different steepness
// meet, the eye would otherwise see a line.
void fill(std::span<Light> ramp, std::span<const TintStop> stops) {
    constexpr int samples = 8;
    constexpr float reach = 0.07f;
    std::vector<Lab> colours;
    for (const TintStop& stop : stops) colours.push_back(lab_of(light_of(bytes_of(stop.colour))));
    for (size_t step = 0; step < ramp.size(); step++) {
        float place = float(step) / float(ramp.size() - 1);
        Lab sum{};
        float weights = 0;
        for (int i = -samples; i <= samples; i++) {
            float weight = float(samples + 1 - std::abs(i));
            Lab here = tint_at(stops, colours, std::clamp(place + reach * float(i) / samples, 0.0f, 1.0f));
            sum.lightness += here.lightness * weight;
            sum.a += here.a * weight;
            sum.b += here.b * weight;
            weights += weight;
        }
        ramp[step] = light_of(Lab{sum.lightness / weights, sum.a / weights, sum.b / weights});
    }
}

// Up to here light is drawn as it is; beyond, ever more of it is needed for the same step towards white.
constexpr float shoulder = 0.72f;

}  // namespace

Palette::Palette() : paper_(light_of(bytes_of(paper_colour))) {
    fill(land_, land_stops);
    fill(water_, water_stops);
    fill(rock_, rock_stops);
    for (int i = 0; i <= encoding_steps; i++) {
        double root = double(i) / encoding_steps;
        double light = root * root * brightest;
        if (light > shoulder) {
            double over = (light - shoulder) / (1 - shoulder);
            light = shoulder + (1 - shoulder) * over / (1 + over);
        }
        encoding_[i] = uint8_t(std::lround(encoded_light(light) * 255));
    }
}

const Palette& Palette::relief() {
    static const Palette palette;
    return palette;
}

}  // namespace caprock
