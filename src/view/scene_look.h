// How a terrain is to look in three dimensions.
#pragma once

#include "base/interval.h"
#include "view/detail_selection.h"
#include "view/palette.h"

#include <array>
#include <optional>

namespace caprock {

struct SunPlace {
    double azimuth = 315;   // degrees clockwise from north
    double elevation = 35;  // degrees above the horizon
};

// Towards the sun, of length 1.
Vector3 direction_to(const SunPlace& sun);

struct ColourTable {
    std::array<Bytes, 256> colours;
    Interval values;  // of the first colour and of the last
};

struct BrushRing {
    double x = 0;  // metres
    double y = 0;
    double radius = 0;
    double full = 0;  // radius of full strength
};

struct SceneLook {
    DetailSettings detail;
    SunPlace sun;
    double lighting_exaggeration = 1;  // slopes are lit as if so many times as steep
    Light sun_colour = {1.35f, 1.22f, 1.0f};
    Light sky_colour = {0.42f, 0.55f, 0.78f};
    Light fog_colour = {0.62f, 0.72f, 0.84f};
    double visibility = 0;  // metres at which half of the light is the air's; 0: clear
    Light plain_colour = {0.42f, 0.38f, 0.32f};
    std::optional<ColourTable> scheme;  // paints by SurfaceFields::values
    bool sky = true;
    Light background = {0.2f, 0.2f, 0.2f};  // where there is no sky; as sRGB
    double contours = 0;                    // metres between them; 0: none
    double grid = 0;                        // metres between its lines
    std::optional<Interval> slope_limits;   // degrees; other ground is marked
    std::optional<BrushRing> ring;
    bool wire_frame = false;
};

}  // namespace caprock
