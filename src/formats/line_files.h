// Reading and writing files of lines: GeoPackage, GeoJSON and Shapefile. Output files appear whole or not at all.
#pragma once

#include "formats/formats.h"
#include "terrain/line_file.h"

#include <string>
#include <utility>
#include <vector>

namespace caprock {

// Each throws Error with the file's name and the reason.

// As the file has them. `layer` may be empty where there is only one.
LineFile read_line_file(const std::string& path, const std::string& layer = "",
                        const FileContext& context = {});
// As they lie on a terrain of that grid and place.
LineSet read_lines(const std::string& path, const std::string& layer, const Terrain& shape,
                   const FileContext& context = {});
// Every layer of a file, or the one that is said, as they lie on such a terrain: called by names that operations can say, after
// the layers or, where a format has but one, after the file.
NamedLines read_named_lines(const std::string& path, const std::string& layer, const Terrain& shape,
                            const FileContext& context = {});
// With the coordinate system of the terrain, whose fields have no part in it. A format that keeps one set takes no more.
void write_lines(const NamedLines& sets, const Terrain& shape, const std::string& path,
                 const FileContext& context = {});

// From one file to another: as they are.
void write_line_file(const std::vector<std::pair<std::string, LineFile>>& sets, const std::string& path,
                     const FileContext& context = {});

// Whether a file of that name is written as lines; and the layers of the one that is there, none where it holds cells, as a
// .gpkg may.
bool is_line_name(const std::string& path);
std::vector<std::string> line_layers(const std::string& path);
// Whether a file is to be read as one of lines.
bool means_lines(const std::string& path);

}  // namespace caprock
