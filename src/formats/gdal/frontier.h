// Frontier images: RGBA, 8 bits each; red is the share of the height range, green the hardness, blue the solubility,
// and what is wholly transparent is missing.
#pragma once

#include "formats/formats.h"

namespace caprock::gdal {

void write_frontier(TerrainSource& source, const std::string& path, const FileContext& context);

}  // namespace caprock::gdal
