#pragma once

#include "formats/driver.h"

namespace caprock::gdal {

std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                   const FileContext& context);

// Whether GDAL finds a header beside a file of bare numbers that can be its own.
bool is_described(const std::string& path);

}  // namespace caprock::gdal
