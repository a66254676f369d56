#pragma once

#include "formats/formats.h"

namespace caprock::gdal {

Terrain read(const std::string& path, const ReadOptions& options, const FileContext& context);

}  // namespace caprock::gdal
