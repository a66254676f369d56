// What is known of one place: for the line below a map.
#pragma once

#include "terrain/terrain.h"
#include "view/map_view.h"

#include <optional>
#include <string>
#include <vector>

namespace caprock {

struct FieldValue {
    std::string name;
    float value = 0;   // NaN: missing
    std::string unit;  // empty: none
};

struct Inspection {
    int column = 0;  // of the cell
    int row = 0;
    MapPoint point;                  // the middle of the cell, metres
    std::vector<FieldValue> values;  // of every field, in the terrain's order
    std::optional<double> slope;     // degrees; nothing where the height is missing
    std::optional<double>
        aspect;  // where the ground faces, degrees clockwise from north; nothing on level ground
    std::optional<MapPoint>
        place;  // of the point, in the coordinates of the georeference, where there is one
};

// The cell under a point, metres to the east and south of the grid's origin. Nothing outside of the terrain.
std::optional<Inspection> inspect(const Terrain& terrain, double x, double y);

}  // namespace caprock
