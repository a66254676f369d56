// Lines into vector files, through OGR.
#pragma once

#include "formats/format_table.h"
#include "formats/formats.h"
#include "terrain/line_file.h"

#include <string>
#include <utility>
#include <vector>

namespace caprock::gdal {

// Throws Error with the reason alone.
void write_lines(const std::vector<std::pair<std::string, LineFile>>& sets, const std::string& path,
                 const LineFormat& format, const FileContext& context);

}  // namespace caprock::gdal
