// A folder for files of a benchmark, gone with this, also where it was interrupted.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace caprock {

class BenchFolder {
  public:
    BenchFolder()
        : path_(std::filesystem::temp_directory_path() / fmt::format("caprock-bench-{}", getpid())) {
        std::filesystem::create_directories(path_);
    }
    ~BenchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    BenchFolder(const BenchFolder&) = delete;
    BenchFolder& operator=(const BenchFolder&) = delete;

    std::string operator/(const char* name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

}  // namespace caprock
