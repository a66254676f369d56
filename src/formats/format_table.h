// Every format of terrains, in one table: what its files are called, what they hold, and who writes them. Help pages, dialogs,
// checks and drivers all ask here, so a format that is added to the table is known everywhere.
#pragma once

#include "formats/formats.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace caprock {

struct TerrainFormat {
    // Who writes it. A format that is only read has nobody.
    enum class Writer {
        none,
        geotiff,   // gdal/write.cpp
        png,       // gdal/write.cpp, and gdal/frontier.cpp for what its colours may mean
        driver,    // the driver of that name, from a raster that hands out the cells as they are asked for
        columns,   // the same for one that keeps columns
        terragen,  // gdal/write_heights.cpp
        raw,       // raw.cpp
    };
    enum class Cells {
        floats,        // metres, bit for bit
        whole_metres,  // in 16 bits
        steps,         // 16 bits between the lowest and the highest cell
        shares,        // 16 bits between the ends of the height range
    };
    // How missing cells are marked: by whatever a float can be or a mask, by any number, by the one it always has, or not.
    enum class Missing { kept, any_number, one_number, refused };

    const char* ending = "";       // with the dot, in small letters
    const char* also_called = "";  // another ending of the same format; empty where there is none
    const char* title = "";        // in lists one chooses from
    const char* about = "";        // for whom, or for what
    const char* holds = "";        // of what was given, in a help page
    Writer writer = Writer::none;
    Cells cells = Cells::floats;
    bool every_field = false;
    Missing missing = Missing::refused;
    double mark = 0;                   // the usual number, or the one it always has
    bool keeps_system = true;          // of coordinates, within it or beside it
    bool takes_system_beside = false;  // a .prj that lies there already counts as its own
    const char* driver = "";           // of GDAL
    const char* driver_options = "";   // NAME=VALUE, with spaces between them
    int most_side = 0;                 // cells each way that it can count; 0: as many as there are
    uint64_t most_bytes = 0;           // of the file; 0: as many as fit
    bool is_tile = false;              // of one degree, under the name of its place
    bool for_engines = false;          // what game engines read comes first in the dialog that exports
    ByteOrder exported_order = ByteOrder::little;
    bool is_picture = false;       // its channels may have a meaning
    const char* not_written = "";  // the reason, where somebody would expect it

    bool written() const { return writer != Writer::none; }
    bool raw() const { return writer == Writer::raw; }
};

std::span<const TerrainFormat> terrain_formats();

// A format of lines: gdal/lines.cpp reads and writes it.
struct LineFormat {
    const char* ending = "";  // with the dot, in small letters
    const char* title = "";
    const char* about = "";
    const char* holds = "";   // in a help page
    const char* driver = "";  // of GDAL
    bool many_sets = false;   // each under its name
    bool any_height = false;  // keeps for each point whether it has a height
    bool points_beside_lines = false;
    bool always_on_earth = false;  // what has no coordinate system of its own is in longitude and latitude
    int longest_name = 0;          // letters that the name of an attribute may have; 0: as many as there are
};
std::span<const LineFormat> line_formats();
const LineFormat* line_format_of_name(const std::string& path);
// ".gpkg", ".geojson" ...
std::vector<std::string> line_endings();
std::string line_formats_help();

// The format of that ending, or of a file of that name; null where it is none of the table. GDAL reads a hundred more.
const TerrainFormat* format_of_ending(const std::string& ending);
const TerrainFormat* format_of_name(const std::string& path);
// The same, as the table calls its ending: .tif for LAND.TIFF. What is not in the table keeps its own.
std::string ending_of_name(const std::string& path);
// ".tif", ".img" ...: those that are written.
std::vector<std::string> written_endings();
// All that are read, with their other endings.
std::vector<std::string> read_endings();
// A line for formats that hold the same, with their endings before it, for a help page.
std::string written_formats_help();

}  // namespace caprock
