#include "base/text_file.h"

#include "base/error.h"
#include "base/text.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace caprock {

std::string text_of_file(const std::string& path, size_t most, const char* no_such_thing) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) throw Error("it is a folder");
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(errno == ENOENT ? "there is no such file" : std::strerror(errno));
    std::string text;
    std::array<char, 4096> part;
    while (file.read(part.data(), part.size()), file.gcount() > 0) {
        text.append(part.data(), size_t(file.gcount()));
        // Its size is not asked for: a device has none, and does not end.
        if (text.size() > most)
            throw Error(fmt::format("larger than {}: {}", bytes_text(most), no_such_thing));
    }
    if (file.bad()) throw Error("it cannot be read");
    return text;
}

}  // namespace caprock
