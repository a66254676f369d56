// Files of lines that a run writes or looks at.
#pragma once

#include "formats/line_files.h"
#include "terminal.h"
#include "terrain/terrain_source.h"

#include <optional>
#include <string>
#include <vector>

namespace caprock::cli {

// FILE.gpkg takes every line set, FILE.geojson and FILE.shp the only one, and FILE:NAME the one of that name.
struct LineFileWord {
    std::string path;
    std::string name;  // empty: whatever there is
};
bool is_line_output(const std::string& word);
LineFileWord line_output(const std::string& word);
// The same of a file that is there to be read; nothing where the word means something else.
std::optional<LineFileWord> line_input(const std::string& word);

NamedLines lines_of(const Terrain& terrain);
NamedLines lines_of(const TerrainSource& source);

// Of these line sets, those that the file takes. Throws Error where there are none, or not that one, or more than it holds.
NamedLines lines_for(const LineFileWord& output, const NamedLines& all);
// The same of names alone, before hours of work are done.
void check_lines_for(const LineFileWord& output, const std::vector<std::string>& names);

// `shape`: the grid that the lines are on, and where it lies.
void write_line_outputs(const std::vector<std::string>& outputs, const NamedLines& all, const Terrain& shape,
                        Terminal& terminal);

// The layers of another file, as they are.
void write_line_outputs(const std::vector<std::string>& outputs, const LineFileWord& from,
                        Terminal& terminal);

// Lines to be drawn over a terrain: FILE, FILE:LAYER, or the name of lines of the terrain. A file gives all its layers unless
// one is said. Throws Error where there are none.
std::vector<LineSet> lines_to_draw(const std::vector<std::string>& words, const Terrain& shape,
                                   const NamedLines& of_terrain);

// What info says of a file of lines.
std::string line_file_text(const LineFileWord& file);
std::string line_file_json(const LineFileWord& file);

}  // namespace caprock::cli
