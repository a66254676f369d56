// Files that commands read.
#pragma once

#include "formats/formats.h"
#include "operation/parameter.h"
#include "terminal.h"

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

Terrain read_file(const std::string& path, const FileSettings& settings, Terminal& terminal);

}  // namespace caprock::cli
