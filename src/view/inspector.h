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
    WorldPoint point;                // where its sample lies
    std::vector<FieldValue> values;  // of every field, in the terrain's order
    std::optional<double> slope;     // degrees; nothing where the height is missing
    std::optional<double>
        aspect;  // where the ground faces, degrees clockwise from north; nothing on level ground
    std::optional<Coordinates> place;  // of the point, where there is a georeference
};

// The cell whose sample is nearest to a place. Nothing beyond the area that the terrain's cells cover.
std::optional<Inspection> inspect(const Terrain& terrain, const WorldPoint& place);

}  // namespace caprock
