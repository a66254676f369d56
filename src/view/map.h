// The map: any part of a terrain at any scale, with relief, contour lines, grid and legend.
#pragma once

#include "base/picture.h"
#include "view/line_drawing.h"
#include "view/map_paper.h"
#include "view/map_pyramid.h"

#include <optional>
#include <string>
#include <vector>

namespace caprock {

enum class Hillshade {
    none,
    single,  // one light, with some of the sky's
    multi,   // four lights, so that no valley runs along all of them
};

struct MapOptions {
    std::string scheme = "earth";    // of colour_scheme_names()
    std::string field;               // what is drawn; empty: what the scheme is for
    std::optional<Interval> values;  // what the colours span, whatever the scheme says
    double sea_level = 0;            // metres
    Hillshade hillshade = Hillshade::single;
    double azimuth = 315;                // where the light comes from, degrees clockwise from north (up)
    double elevation = 40;               // of the light above the horizon, degrees
    double exaggeration = 1;             // heights are multiplied by this before shading
    bool crisp = false;                  // cells larger than a pixel are drawn as squares
    bool water = false;                  // the field `water` in blue, by its depth
    std::optional<double> contours;      // metres from one contour line to the next; 0: as suits the scale
    std::optional<double> grid;          // metres from one grid line to the next; 0: as suits the scale
    std::vector<DrawnLines> lines = {};  // over the land, in this order
    bool legend = false;
    bool scale_bar = false;
    MapPaper paper = {};
    double detail = 1;  // lines and letters are so many times as large: 2 for screens of small pixels
};

// Missing cells are striped as in the relief map, and what is not terrain is paper. Throws Error when there is no such
// scheme or field, or when the contour or grid lines would be too many.
Picture draw_map(MapPyramid& pyramid, const MapView& view, Size picture, const MapOptions& options = {});
// The same in two steps, for a map that is drawn again while somebody paints: the land with its contour lines, and what
// lies on it.
Picture draw_land(MapPyramid& pyramid, const MapView& view, Size picture, const MapOptions& options = {});
void furnish_map(Picture& picture, MapPyramid& pyramid, const MapView& view, const MapOptions& options = {});
// Draws the pixels of a land again that these cells have a part in. They are what draw_land() would draw, but for contour
// lines: no heights are written along them, since where those go all lines have a say; and their soft edges are rounded
// as they lie in the part, a step of colour at most.
void redraw_land(Picture& land, MapPyramid& pyramid, const MapView& view, const Rect& changed,
                 const MapOptions& options = {});
// All of it once.
Picture draw_map(const Terrain& terrain, const MapView& view, Size picture, const MapOptions& options = {});

// Metres between the contour lines that suit a scale.
double suitable_contours(MapPyramid& pyramid, const MapView& view, double detail = 1);
// Metres between the grid lines that suit a scale.
double suitable_grid(const MapView& view, double detail = 1);

}  // namespace caprock
