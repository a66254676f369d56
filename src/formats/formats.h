// Reading and writing terrains and pictures. Output files appear whole or not at all.
#pragma once

#include "base/interval.h"
#include "base/picture.h"
#include "base/progress.h"
#include "terrain/terrain.h"

#include <functional>
#include <optional>
#include <string>

namespace caprock {

struct ReadOptions {
    std::optional<double> cell;     // metres, where the file does not know or the user knows better
    std::optional<Interval> range;  // what a file of integers without units spans, in metres
};

struct FileContext {
    Progress* progress = nullptr;
    std::function<void(const std::string&)> tell;  // warnings
};

// Each throws Error with the file's name and the reason.
Terrain read_terrain(const std::string& path, const ReadOptions& options = {},
                     const FileContext& context = {});
void write_terrain(const Terrain& terrain, const std::string& path, const FileContext& context = {});
void write_picture(const Picture& picture, const std::string& path, const FileContext& context = {});
void write_recipe(const std::string& text, const std::string& path);

// Throws Error unless such a file could be written there: a fitting ending, an existing folder. For checking
// before hours of work are done.
enum class FileKind { terrain, picture, recipe };
void check_writable(const std::string& path, FileKind kind = FileKind::terrain);
bool looks_like_file(const std::string& word);

}  // namespace caprock
