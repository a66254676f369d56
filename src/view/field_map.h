// Any field of a terrain as a map in shades of grey.
#pragma once

#include "base/picture.h"
#include "terrain/terrain.h"
#include "view/cell_rows.h"

#include <optional>
#include <string_view>

namespace caprock {

struct FieldMapOptions {
    std::optional<Interval>
        values;               // what is black and what is white; the lowest and the highest where not given
    int longest_side = 2048;  // larger terrains are drawn smaller, to this many pixels
    int enlarge = 1;  // pixels for every cell of smaller ones, each way, as far as the longest side allows
};

// A field that is the same everywhere is mid-grey. Larger terrains are averaged down, but for materials: halfway
// between two rocks lies the number of a third, so each pixel shows one of its cells. Missing and infinite cells are
// striped as in the relief map. Throws Error when there is no such field, or when the values end where they begin.
Picture field_map(const Terrain& terrain, std::string_view field, const FieldMapOptions& options = {});
// The same of a field of that name that need not be in memory.
Picture field_map(const CellRows& cells, std::string_view field, const FieldMapOptions& options = {});

}  // namespace caprock
