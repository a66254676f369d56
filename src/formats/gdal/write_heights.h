// Formats that hold heights; .img every field.
#pragma once

#include "formats/terrain_source.h"

namespace caprock::gdal {

// `ending` is one of .asc .bt .ter .hgt .img .bil .flt .nc .xyz.
// Throws Error where the format does not take such a grid at such a place.
void check_heights_fit(const Terrain& shape, const std::string& path, const std::string& ending);
void write_heights(TerrainSource& source, const std::string& path, const std::string& ending,
                   const FileContext& context);

}  // namespace caprock::gdal
