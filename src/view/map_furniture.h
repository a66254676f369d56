// What lies on a map besides the land: grid, legend, scale bar, the line around it.
#pragma once

#include "base/picture.h"
#include "terrain/terrain.h"
#include "view/colour_scheme.h"
#include "view/map_paper.h"
#include "view/map_view.h"

#include <span>
#include <string>
#include <vector>

namespace caprock {

// Lines every so many metres, with their places written at the upper and the left end. From cell (0, 0); of georeferenced
// terrains with north up, at round coordinates. Nothing is written where something is reserved.
void print_grid(Picture& picture, const Terrain& terrain, const MapView& view, double metres, double detail,
                std::span<const Rect> reserved = {}, const MapPaper& paper = {});

// A thin line around the terrain.
void print_border(Picture& picture, const Terrain& terrain, const MapView& view, double detail,
                  const MapPaper& paper = {});

// One bar of a legend.
struct LegendBar {
    std::string title;
    const ColourLayer* layer = nullptr;
    ColourRange range;
    Interval values;  // from its lower to its upper end
};
// In the lower right corner; nowhere (an empty box) in a picture without room for it.
Rect legend_box(Size picture, const std::vector<LegendBar>& bars, double detail);
void print_legend(Picture& picture, const std::vector<LegendBar>& bars, double detail,
                  const MapPaper& paper = {});

// In the lower left corner, of round length; nowhere in a picture without room for it.
Rect scale_bar_box(Size picture, const MapView& view, double detail);
void print_scale_bar(Picture& picture, const MapView& view, double detail, const MapPaper& paper = {});

// A field and its unit: "height, m".
std::string field_title(const std::string& field);

}  // namespace caprock
