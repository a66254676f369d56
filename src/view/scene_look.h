// How a terrain is to look in three dimensions.
#pragma once

#include "base/interval.h"
#include "view/colour.h"
#include "view/detail_selection.h"
#include "view/light_map.h"
#include "view/material_set.h"

#include <optional>

namespace caprock {

// Towards the sun, of length 1.
Vector3 direction_to(const Sun& sun);

struct BrushRing {
    double x = 0;  // metres
    double y = 0;
    double radius = 0;
    double full = 0;  // radius of full strength
};

enum class GroundPaint { plain, colours, materials };

struct SceneLook {
    DetailSettings detail;
    GroundPaint paint = GroundPaint::plain;
    MaterialSet materials;
    Light plain_colour = {0.30f, 0.27f, 0.23f};

    Sun sun;
    double lighting_exaggeration = 1;  // slopes are lit as if so many times as steep
    Light sun_colour = {2.15f, 1.92f, 1.55f};
    Light sky_colour = {0.40f, 0.52f, 0.72f};
    Light haze_colour = {0.60f, 0.70f, 0.82f};
    double visibility = 0;                  // metres at which half of the light is the air's; 0: clear
    bool sky = true;                        // else the background
    Light background = {0.2f, 0.2f, 0.2f};  // as sRGB, 0..1
    double clear_water = 6;                 // metres of water through which a third of the light comes back

    double contours = 0;                   // metres between them; 0: none
    double grid = 0;                       // metres between its lines
    std::optional<Interval> slope_limits;  // degrees; other ground is marked
    std::optional<BrushRing> ring;
    bool walls = false;  // the terrain stands there as a block
    bool wire_frame = false;
};

}  // namespace caprock
