#include "formats/format_table.h"

#include "base/text.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace caprock {

namespace {

using Writer = TerrainFormat::Writer;
using Cells = TerrainFormat::Cells;
using Missing = TerrainFormat::Missing;

constexpr const char* heights = "the height, bit for bit";
constexpr const char* sixteen_bits = "the height in 16 bits";
constexpr const char* shares = "the height as 16-bit shares of the range";

// In the order in which help pages name them.
constexpr TerrainFormat formats[] = {
    {.ending = ".tif",
     .also_called = ".tiff",
     .title = "GeoTIFF, 32 bit floats",
     .about = "Every field in one file, with its place on Earth.",
     .holds = "every field, bit for bit, with place, cell size and range",
     .writer = Writer::geotiff,
     .every_field = true,
     .missing = Missing::kept},
    {.ending = ".img",
     .title = "Erdas Imagine",
     .about = "Every field in one file.",
     .holds = "every field, bit for bit, with its place",
     .writer = Writer::driver,
     .every_field = true,
     .missing = Missing::any_number,
     .mark = -9999,
     .driver = "HFA"},
    {.ending = ".asc",
     .title = "ASCII grid",
     .about = "Numbers as text, for GIS programs.",
     .holds = heights,
     .writer = Writer::driver,
     .missing = Missing::any_number,
     .mark = -9999,
     .takes_system_beside = true,
     .driver = "AAIGrid",
     // Nine digits tell every float from its neighbours.
     .driver_options = "SIGNIFICANT_DIGITS=9"},
    {.ending = ".bt",
     .title = "Binary Terrain",
     .about = "Of the Virtual Terrain Project.",
     .holds = heights,
     .writer = Writer::columns,
     .missing = Missing::one_number,
     .mark = -32768,
     .takes_system_beside = true,
     .driver = "BT",
     .most_bytes = std::numeric_limits<int32_t>::max()},
    {.ending = ".bil",
     .title = "ESRI band interleaved",
     .about = "Floats with a header beside them.",
     .holds = heights,
     .writer = Writer::driver,
     .missing = Missing::any_number,
     .mark = -9999,
     .takes_system_beside = true,
     .driver = "EHdr"},
    {.ending = ".flt",
     .title = "ESRI float grid",
     .about = "Floats with a header beside them.",
     .holds = heights,
     .writer = Writer::driver,
     .missing = Missing::any_number,
     .mark = -9999,
     .takes_system_beside = true,
     .driver = "EHdr"},
    {.ending = ".nc",
     .title = "NetCDF",
     .about = "For scientific programs.",
     .holds = heights,
     .writer = Writer::driver,
     .missing = Missing::any_number,
     .mark = -9999,
     .driver = "netCDF",
     // Not the classic format: what is cut off there reads as zeros. Without the date, the same terrain gives the same file.
     .driver_options = "FORMAT=NC4 WRITE_GDAL_HISTORY=NO"},
    {.ending = ".xyz",
     .title = "XYZ points",
     .about = "A line of text for every cell.",
     .holds = heights,
     .writer = Writer::driver,
     .missing = Missing::refused,
     .keeps_system = false,
     .driver = "XYZ",
     .driver_options = "SIGNIFICANT_DIGITS=17"},
    {.ending = ".png",
     .title = "PNG, 16 bit",
     .about = "For most engines and painting programs.",
     .holds = sixteen_bits,
     .writer = Writer::png,
     .cells = Cells::shares,
     .missing = Missing::kept,
     .keeps_system = false,
     .for_engines = true,
     .is_picture = true},
    {.ending = ".ter",
     .title = "Terragen",
     .about = "Terrain of Terragen.",
     .holds = sixteen_bits,
     .writer = Writer::terragen,
     .cells = Cells::steps,
     .missing = Missing::refused,
     .keeps_system = false,
     .driver = "Terragen",
     .most_side = std::numeric_limits<uint16_t>::max()},
    {.ending = ".hgt",
     .title = "SRTM",
     .about = "Squares of a degree with 1201 or 3601 cells.",
     .holds = sixteen_bits,
     .writer = Writer::driver,
     .cells = Cells::whole_metres,
     .missing = Missing::one_number,
     .mark = -32768,
     .driver = "SRTMHGT",
     .is_tile = true},
    {.ending = ".r16",
     .title = "Raw, 16 bit, little endian",
     .about = "Bare numbers: Unreal, Unity (byte order Windows), Godot.",
     .holds = shares,
     .writer = Writer::raw,
     .cells = Cells::shares,
     .keeps_system = false,
     .for_engines = true},
    {.ending = ".raw",
     .title = "Raw, 16 bit, big endian",
     .about = "Bare numbers: Unity (byte order Mac).",
     .holds = shares,
     .writer = Writer::raw,
     .cells = Cells::shares,
     .keeps_system = false,
     .for_engines = true,
     .exported_order = ByteOrder::big},
    {.ending = ".r32",
     .title = "Raw, 32 bit floats",
     .about = "Bare numbers in metres; keeps missing cells.",
     .holds = "the height as floats, in metres",
     .writer = Writer::raw,
     .missing = Missing::kept,
     .keeps_system = false,
     .for_engines = true},
    // The one format of heights that is usual and not written.
    {.ending = ".dem",
     .title = "USGS DEM",
     .not_written = "a .dem (USGS) has whole metres, few coordinate systems, and cells where it wants them, "
                    "so it is read "
                    "but not written; write a .tif or an .asc"},
    {.ending = ".vrt", .title = "Virtual raster"},
    {.ending = ".jpg", .also_called = ".jpeg", .title = "JPEG", .is_picture = true},
    {.ending = ".bmp", .title = "Bitmap", .is_picture = true},
    {.ending = ".gif", .title = "GIF", .is_picture = true},
};

constexpr LineFormat formats_of_lines[] = {
    {.ending = ".gpkg",
     .title = "GeoPackage",
     .about = "Every line set in one file, with its coordinate system.",
     .holds = "every line set, bit for bit, with attributes",
     .driver = "GPKG",
     .many_sets = true,
     .any_height = true,
     .points_beside_lines = true},
    {.ending = ".geojson",
     .title = "GeoJSON",
     .about = "One line set as text, for the web.",
     .holds = "one line set, bit for bit, with attributes",
     .driver = "GeoJSON",
     .points_beside_lines = true,
     .always_on_earth = true},
    {.ending = ".shp",
     .title = "Shapefile",
     .about = "One line set in files beside each other, for GIS programs.",
     .holds = "one line set; names of attributes have 10 letters",
     .driver = "ESRI Shapefile",
     .longest_name = 10},
};

}  // namespace

std::span<const TerrainFormat> terrain_formats() { return formats; }

std::span<const LineFormat> line_formats() { return formats_of_lines; }

const LineFormat* line_format_of_name(const std::string& path) {
    const std::string ending = lower(std::filesystem::path(path).extension().string());
    const auto* found = std::ranges::find(formats_of_lines, ending, &LineFormat::ending);
    return found == std::end(formats_of_lines) ? nullptr : found;
}

std::vector<std::string> line_endings() {
    std::vector<std::string> all;
    for (const LineFormat& format : formats_of_lines) all.emplace_back(format.ending);
    return all;
}

const TerrainFormat* format_of_ending(const std::string& ending) {
    if (ending.empty()) return nullptr;
    auto called_so = [&](const TerrainFormat& format) {
        return ending == format.ending || ending == format.also_called;
    };
    const auto* found = std::ranges::find_if(formats, called_so);
    return found == std::end(formats) ? nullptr : found;
}

const TerrainFormat* format_of_name(const std::string& path) {
    return format_of_ending(lower(std::filesystem::path(path).extension().string()));
}

std::string ending_of_name(const std::string& path) {
    const TerrainFormat* format = format_of_name(path);
    return format ? format->ending : lower(std::filesystem::path(path).extension().string());
}

std::vector<std::string> written_endings() {
    std::vector<std::string> all;
    for (const TerrainFormat& format : formats)
        if (format.written()) all.emplace_back(format.ending);
    return all;
}

std::vector<std::string> read_endings() {
    std::vector<std::string> all;
    for (const TerrainFormat& format : formats)
        for (const char* ending : {format.ending, format.also_called})
            if (*ending) all.emplace_back(ending);
    return all;
}

std::string line_formats_help() {
    std::string text;
    for (const LineFormat& format : formats_of_lines)
        text += fmt::format("    {:<33} {}\n", format.ending, format.holds);
    return text;
}

std::string written_formats_help() {
    std::vector<std::pair<std::string, std::string>> lines;  // what they hold, and their endings
    for (const TerrainFormat& format : formats) {
        if (!format.written()) continue;
        auto same = std::ranges::find(lines, format.holds, &std::pair<std::string, std::string>::first);
        if (same == lines.end()) {
            lines.emplace_back(format.holds, format.ending);
        } else {
            same->second += std::string(" ") + format.ending;
        }
    }
    std::string text;
    for (const auto& [holds, endings] : lines) text += fmt::format("    {:<33} {}\n", endings, holds);
    return text;
}

}  // namespace caprock
