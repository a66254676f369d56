// Reading and writing: GeoTIFF and whatever else GDAL reads, pictures, raw files, Caprock's own documents. The ending decides.
#pragma once

#include <caprock/export.h>
#include <caprock/grid.h>
#include <caprock/land.h>
#include <caprock/lines.h>
#include <caprock/run.h>
#include <caprock/terrain.h>
#include <optional>
#include <string>
#include <vector>

namespace caprock {
inline namespace v1 {

enum class ByteOrder { little, big };

// What the channels of a picture mean. Of a Frontier picture red is the height, green hardness, blue solubility.
enum class PictureMeaning { usual, frontier };

// For files that do not say all about themselves. Every member may be left out.
struct ReadOptions {
    std::optional<double> cell = {};     // metres, where the file does not know or you know better
    std::optional<Interval> range = {};  // heights that a file of whole numbers without a unit spans
    // Cells that are no squares of metres (degrees above all) are resampled to such; refused otherwise.
    bool to_metres = false;
    PictureMeaning meaning = PictureMeaning::usual;
    // Of raw files, which say nothing of themselves; they are squares unless a size is given.
    int width = 0;
    int height = 0;
    ByteOrder byte_order = ByteOrder::little;
};

struct WriteOptions {
    PictureMeaning meaning = PictureMeaning::usual;
    ByteOrder byte_order = ByteOrder::little;  // of raw files
};

// The file is opened when cells are asked for: read("a.tif").terrain(). A document (.caprock) is computed then.
CAPROCK_API Land read(const std::string& path, const ReadOptions& options = {});

// A file appears whole or not at all, and takes the place of an old one. Throws Error before any work is done where such a
// file could not be written.
CAPROCK_API void write(const Terrain& terrain, const std::string& path, const WriteOptions& options = {},
                       const Run& run = {});
// Computes it, and writes what it comes to. What does not fit into memory is computed as it is written. Throws Error where it
// does not fit and an operation has to see all of it at once.
CAPROCK_API void write(const Land& land, const std::string& path, const WriteOptions& options = {},
                       const Run& run = {});

// ---- files of lines: GeoPackage, GeoJSON, Shapefile ----

// As they lie on a terrain: by the coordinate systems of both, or in metres from its first sample. `layer` may be left out where
// there is only one.
CAPROCK_API LineSet read_lines(const std::string& path, const Terrain& on, const std::string& layer = {});

// Line sets of the terrain by these names, or all of them, with its coordinate system.
CAPROCK_API void write_lines(const Terrain& terrain, const std::string& path,
                             const std::vector<std::string>& names = {});

}  // namespace v1
}  // namespace caprock
