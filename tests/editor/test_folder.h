// Where the files of the editor's tests go. Tests are shared among programs that run side by side, and each has a folder of its
// own.
#pragma once

#include "support/places.h"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace caprock::editor {

inline std::filesystem::path test_folder() {
    const char* share = std::getenv("GTEST_SHARD_INDEX");
    return std::filesystem::path(test::build_folder) / (std::string("editor-tests") + (share ? share : ""));
}

// What is computed once for all of them.
inline std::filesystem::path shared_cache_folder() {
    return std::filesystem::path(test::build_folder) / "editor-cache";
}

// Empty, whatever an earlier run left in it.
inline std::filesystem::path fresh_folder(const std::string& name) {
    std::filesystem::path path = test_folder() / name;
    std::filesystem::remove_all(path);
    std::filesystem::create_directories(path);
    return path;
}

}  // namespace caprock::editor
