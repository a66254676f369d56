#pragma once

#include "formats/driver.h"

namespace caprock::gdal {

std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                   const FileContext& context);

}  // namespace caprock::gdal
