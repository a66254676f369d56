#pragma once

#include "formats/driver.h"

#include <functional>

namespace caprock::gdal {

std::unique_ptr<RasterReader> open(const std::string& path, const ReadOptions& options,
                                   const FileContext& context);

// Opens the file, reads every cell part by part, and closes it, all in this process.
void read_through(const std::string& path, const ReadOptions& options,
                  const std::function<void()>& after_part);

// Whether GDAL finds a header beside a file of bare numbers that can be its own.
bool is_described(const std::string& path);

}  // namespace caprock::gdal
