// Files that commands read, and the names of those they write one after another.
#pragma once

#include "document_source.h"
#include "formats/formats.h"
#include "operation/parameter.h"
#include "operation/recipe.h"
#include "terminal.h"

#include <functional>
#include <memory>
#include <string>

namespace caprock::cli {

// What is to be made of files of some kinds, by every command that reads them.
struct FileMeaning {
    bool to_metres = false;
    PictureMeaning meaning = PictureMeaning::usual;
    ByteOrder byte_order = ByteOrder::little;

    void describe(Declaration& d);
};

// How files are read that do not say all about themselves.
struct FileSettings {
    double cell = 0;
    Interval range = {0, 0};
    std::string size;
    FileMeaning meaning;

    void describe(Declaration& d);
    ReadOptions options() const;
};

// The size that was given for raw files. Throws Error unless it is one.
Size requested_size(const std::string& text);

// One of several files: hills.tif as number 100 with 6 digits is hills-000100.tif.
std::string numbered_path(const std::string& path, int number, int digits);

// A file of operations. Throws Error with its name where it is none.
Recipe read_recipe_file(const std::string& path, const std::function<void(const std::string&)>& tell);

// A document is computed: as `document` says.
Terrain read_file(const std::string& path, const FileSettings& settings, Terminal& terminal,
                  const DocumentReading& document = {});
// The same for whoever takes it window by window.
std::unique_ptr<TerrainSource> open_file(const std::string& path, const FileSettings& settings,
                                         Terminal& terminal, const DocumentReading& document = {});
// That all its fields would take in memory.
uint64_t bytes_of(const TerrainSource& source);
// Throws Error where settings were given that are for files which do not say all about themselves.
void check_document_settings(const std::string& path, const FileSettings& settings);

}  // namespace caprock::cli
