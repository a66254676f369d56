// Formats that hold heights and have a driver of GDAL; .img every field.
#pragma once

#include "formats/format_table.h"
#include "formats/formats.h"

namespace caprock::gdal {

// Throws Error where the format does not take such a grid at such a place.
void check_heights_fit(const Terrain& shape, const std::string& path, const TerrainFormat& format);
void write_heights(TerrainSource& source, const std::string& path, const TerrainFormat& format,
                   const FileContext& context);

}  // namespace caprock::gdal
