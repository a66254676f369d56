// Looks at all of a project file: whether each tile, each step of the history and each remembered result is what it
// says it is. Nothing is changed, and no more is in memory than a few tiles, whatever the file claims.
#pragma once

#include "base/progress.h"

#include <cstdint>
#include <string>
#include <vector>

namespace caprock {

struct VerifyReport {
    std::vector<std::string> problems;  // in words, each by itself
    int64_t more_problems = 0;          // that are not told any more

    bool document_sound = true;  // the layers as they are
    bool tiles_sound = true;     // and all that was painted
    bool history_sound = true;   // can be walked to its beginning and to its end, with the same cells

    int64_t layers = 0;
    int64_t canvases = 0;
    int64_t tiles = 0;         // that canvases have, those that only the history names among them
    int64_t unreferenced = 0;  // rows that no canvas has: what was replaced last, or left by a crash
    int64_t entries = 0;
    int64_t position = 0;
    int64_t changed_tiles = 0;  // of all entries
    int64_t remembered = 0;
    uint64_t file_bytes = 0;
    struct Table {
        std::string name;
        int64_t rows = 0;
        uint64_t bytes = 0;
    };
    std::vector<Table> tables;

    bool sound() const { return problems.empty(); }
    std::string summary() const;  // one line, and one for each table
};

// Throws Error for what is no project of this format at all, and Cancelled.
VerifyReport verify_project(const std::string& path, Progress* progress = nullptr);

}  // namespace caprock
