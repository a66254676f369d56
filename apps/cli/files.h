// Files that commands read.
#pragma once

#include "formats/formats.h"
#include "operation/parameter.h"
#include "terminal.h"

#include <string>

namespace caprock::cli {

// How files are read that do not say all about themselves.
struct FileSettings {
    double cell = 0;
    Interval range = {0, 0};

    void describe(Declaration& d);
    ReadOptions options() const;
};

Terrain read_file(const std::string& path, const FileSettings& settings, Terminal& terminal);

}  // namespace caprock::cli
