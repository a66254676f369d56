// Reading and writing terrains and pictures. Output files appear whole or not at all.
#pragma once

#include "base/interval.h"
#include "base/picture.h"
#include "base/progress.h"
#include "terrain/terrain.h"
#include "terrain/terrain_source.h"

#include <functional>
#include <optional>
#include <string>

namespace caprock {

enum class ByteOrder { little, big };

// What the channels of a picture mean. As usual, the first is the height; in a Frontier image red is the height,
// green the hardness, blue the solubility, and what is transparent is missing. Names that end in .frontier.png say
// so themselves.
enum class PictureMeaning { usual, frontier };

struct ReadOptions {
    std::optional<double> cell;     // metres, where the file does not know or the user knows better
    std::optional<Interval> range;  // what a file of integers without units spans, in metres
    // Cells that are no squares of metres (degrees above all) are resampled to such; refused otherwise.
    bool to_metres = false;
    PictureMeaning meaning = PictureMeaning::usual;
    bool only_if_picture = false;  // files that are no pictures have their usual meaning; refused otherwise
    // Of raw files, which say nothing of themselves.
    std::optional<Size> size;  // a square unless given
    ByteOrder byte_order = ByteOrder::little;
};

struct WriteOptions {
    PictureMeaning meaning = PictureMeaning::usual;
    ByteOrder byte_order = ByteOrder::little;  // of raw files
};

struct FileContext {
    Progress* progress = nullptr;
    std::function<void(const std::string&)> tell;  // warnings
};

// Each throws Error with the file's name and the reason.
Terrain read_terrain(const std::string& path, const ReadOptions& options = {},
                     const FileContext& context = {});
void write_terrain(const Terrain& terrain, const std::string& path, const FileContext& context = {});
void write_terrain(const Terrain& terrain, const std::string& path, const WriteOptions& options,
                   const FileContext& context);
// As write_terrain of a Terrain does it, and the same bits, with no more than about 64 MB of cells in memory at a time.
// What the source throws stops it, and then there is no file.
void write_terrain(TerrainSource& source, const std::string& path, const WriteOptions& options = {},
                   const FileContext& context = {});
void write_picture(const Picture& picture, const std::string& path, const FileContext& context = {});
void write_recipe(const std::string& text, const std::string& path);

// Throws Error unless such a file could be written there: a fitting ending, an existing folder. For checking
// before hours of work are done.
enum class FileKind { terrain, picture, recipe, checkpoint, lines };
void check_writable(const std::string& path, FileKind kind = FileKind::terrain);
// Throws Error where the format of that name does not take a terrain of this grid and place, whatever its fields.
void check_fits(const Terrain& shape, const std::string& path);
bool looks_like_file(const std::string& word);

// By its name: a file of bare numbers, whose size has to be given; a picture, whose channels may have a meaning.
bool is_raw_name(const std::string& path);
bool is_picture_name(const std::string& path);

}  // namespace caprock
