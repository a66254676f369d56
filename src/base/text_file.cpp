#include "base/text_file.h"

#include "base/error.h"
#include "base/text.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

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

void write_whole_text(const std::string& text, const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code failure;
    if (fs::is_directory(path, failure)) throw Error("it is a folder");
    fs::path target = fs::is_symlink(path, failure) ? fs::weakly_canonical(path, failure) : fs::path(path);
    fs::path partial = target;
    partial.replace_filename(fmt::format(".{}.partial-{}", target.stem().string().substr(0, 100), getpid()));
    std::ofstream file(partial, std::ios::binary);
    if (!file) throw Error(std::strerror(errno));
    file << text;
    file.close();
    std::string reason;
    if (!file) {
        reason = std::strerror(errno);
    } else {
        fs::rename(partial, target, failure);
        if (!failure) return;
        reason = failure.message();
    }
    fs::remove(partial, failure);
    throw Error(reason);
}

void write_text_file(const std::string& text, const std::string& path) {
    try {
        write_whole_text(text, path);
    } catch (const Error& error) {
        throw Error(fmt::format("cannot write '{}': {}", path, error.what()));
    }
}

}  // namespace caprock
