#pragma once

#include "formats/formats.h"

namespace caprock::gdal {

// Every field as a float32 band of that name, compressed and tiled.
void write_geotiff(TerrainSource& source, const std::string& path, const FileContext& context);
// The heights as 16-bit shares of the height range.
void write_png16(TerrainSource& source, const std::string& path, const FileContext& context);
void write_picture(const Picture& picture, const std::string& path, const FileContext& context);

}  // namespace caprock::gdal
