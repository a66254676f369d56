// What brushes take from other files: the tip's picture, and land to copy.
#pragma once

#include "terrain/terrain.h"

#include <functional>

namespace caprock {

// Brightness as weights 0 to 1, in a square: what the picture does not fill is 0.
Field tip_from(const Terrain& picture);

// Another terrain's cells where a document has its own, mixed between the nearest; missing where it has none.
std::function<Field(const Rect& cells)> copied_from(const Terrain& terrain, const std::string& field,
                                                    const Grid& grid);

}  // namespace caprock
