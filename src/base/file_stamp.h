// Which writing of a file it is: who looks again knows whether somebody has written it since.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

namespace caprock {

struct FileStamp {
    std::filesystem::file_time_type written = std::filesystem::file_time_type::min();
    uintmax_t size = 0;
    bool operator==(const FileStamp&) const = default;

    // A file that is not there has a stamp, too, which none that is has.
    static FileStamp of(const std::string& path) {
        std::error_code absent;
        FileStamp now;
        now.written = std::filesystem::last_write_time(path, absent);
        now.size = std::filesystem::file_size(path, absent);
        return now;
    }
};

}  // namespace caprock
