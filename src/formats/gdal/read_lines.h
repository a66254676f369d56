// Lines of vector files, through OGR.
#pragma once

#include "terrain/line_file.h"

#include <string>
#include <vector>

namespace caprock::gdal {

// Throws Error with the file's name and the reason.
LineFile read_lines(const std::string& path, const std::string& layer);
std::vector<std::string> line_layers(const std::string& path);

// Between systems of well-known text; heights stay as they are. Throws Error with the reason alone.
LineSet transformed(const LineSet& lines, const std::string& from, const std::string& to);

}  // namespace caprock::gdal
