#include "base/text_file.h"

#include "base/error.h"
#include "base/file_place.h"
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

namespace {

void write_straight(const std::string& text, const std::string& path) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) throw Error(std::strerror(errno));
}

}  // namespace

void write_whole_text(const std::string& text, const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code failure;
    fs::file_status there = fs::status(path, failure);
    if (fs::is_directory(there)) throw Error("it is a folder");
    // A device or a pipe is written to. To put a file in its place would take it away from everybody.
    if (fs::exists(there) && !fs::is_regular_file(there)) return write_straight(text, path);
    fs::path target = place_of_output(path);
    fs::path partial = target;
    partial.replace_filename(fmt::format(".{}.partial-{}", target.stem().string().substr(0, 100), getpid()));
    std::ofstream file(partial, std::ios::binary);
    if (!file) throw Error(std::strerror(errno));
    try {
        // Before there is something in it to be read.
        keep_permissions(partial.string(), target.string());
        file << text;
        file.close();
        if (!file) throw Error(std::strerror(errno));
        put_in_place(partial.string(), target.string());
    } catch (...) {
        fs::remove(partial, failure);
        throw;
    }
}

void write_text_file(const std::string& text, const std::string& path) {
    try {
        write_whole_text(text, path);
    } catch (const Error& error) {
        throw Error(fmt::format("cannot write '{}': {}", shown_path(path), error.what()));
    }
}

std::string shown_path(const std::string& path) {
    constexpr size_t longest = 4096;  // of any that the system takes
    std::string shown = path.substr(0, longest);
    for (char& letter : shown)
        if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
    return shown;
}

}  // namespace caprock
