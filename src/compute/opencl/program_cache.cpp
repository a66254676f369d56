#include "compute/opencl/program_cache.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>
#include <xxhash.h>

namespace caprock::opencl {

namespace fs = std::filesystem;

std::string cache_key(std::string_view source, std::string_view device, std::string_view driver,
                      std::string_view options) {
    std::string all = fmt::format("{}\n{}\n{}\n{}", device, driver, options, source);
    XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::string cache_folder() {
    auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    if (std::string own = variable("CAPROCK_CACHE"); !own.empty()) return own;
    if (std::string shared = variable("XDG_CACHE_HOME"); !shared.empty()) return shared + "/caprock";
    if (std::string home = variable("HOME"); !home.empty()) return home + "/.cache/caprock";
    return "";
}

namespace {

fs::path file_of(const std::string& key) { return fs::path(cache_folder()) / "kernels" / (key + ".bin"); }

}  // namespace

std::optional<std::vector<unsigned char>> cached_program(const std::string& key) noexcept {
    try {
        if (cache_folder().empty()) return std::nullopt;
        std::ifstream file(file_of(key), std::ios::binary);
        if (!file) return std::nullopt;
        return std::vector<unsigned char>(std::istreambuf_iterator<char>(file), {});
    } catch (...) {
        return std::nullopt;
    }
}

void keep_program(const std::string& key, const std::vector<unsigned char>& binary) noexcept {
    try {
        if (cache_folder().empty()) return;
        fs::path path = file_of(key);
        fs::create_directories(path.parent_path());
        // Written beside and renamed: two processes that compile at once leave one whole file.
        fs::path partial = path;
        partial += fmt::format(".{}", getpid());
        {
            std::ofstream file(partial, std::ios::binary);
            file.write(reinterpret_cast<const char*>(binary.data()), std::streamsize(binary.size()));
            if (!file) {
                file.close();
                fs::remove(partial);
                return;
            }
        }
        fs::rename(partial, path);
    } catch (...) {
    }
}

}  // namespace caprock::opencl
