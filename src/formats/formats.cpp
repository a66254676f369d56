#include "formats/formats.h"

#include "base/error.h"
#include "base/text.h"
#include "formats/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace caprock {

namespace fs = std::filesystem;

namespace {

// The module stands beside this library, or in its folder `caprock` once installed.
RasterDriver& driver() {
    static RasterDriver* const loaded = [] {
        Dl_info here;
        std::vector<fs::path> places;
        if (dladdr(reinterpret_cast<const void*>(&read_terrain), &here) && here.dli_fname) {
            fs::path folder = fs::absolute(here.dli_fname).parent_path();
            places = {folder / "caprock-gdal.so", folder / "caprock" / "caprock-gdal.so"};
        }
        std::string reason = "it was not found";
        for (const fs::path& place : places) {
            if (!fs::exists(place)) continue;
            void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
            void* symbol = module ? dlsym(module, raster_driver_symbol) : nullptr;
            if (symbol) return reinterpret_cast<RasterDriverFunction>(symbol)();
            if (const char* message = dlerror()) reason = message;
        }
        throw Error("files cannot be read or written: the module caprock-gdal.so did not load: " + reason);
    }();
    return *loaded;
}

std::string ending_of(const std::string& path) {
    std::string ending = fs::path(path).extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return ending == ".tiff" ? ".tif" : ending;
}

fs::path folder_of(const std::string& path) {
    fs::path folder = fs::path(path).parent_path();
    return folder.empty() ? fs::path(".") : folder;
}

// Writes beside the file and renames at the end, so that a reader never sees half of it and a failure or a cancel
// leaves what was there before.
template <typename Write>
void write_whole(const std::string& path, const Write& write) {
    fs::path partial =
        folder_of(path) / fmt::format(".{}.partial-{}{}", fs::path(path).stem().string(), getpid(), ending_of(path));
    std::error_code ignored;
    try {
        write(partial.string());
        std::error_code failure;
        fs::rename(partial, path, failure);
        if (failure) throw Error(fmt::format("cannot write '{}': {}", path, failure.message()));
    } catch (...) {
        fs::remove(partial, ignored);
        throw;
    }
}

}  // namespace

bool looks_like_file(const std::string& word) {
    return word.find('/') != std::string::npos || fs::exists(word) || ending_of(word).size() > 1;
}

void check_writable(const std::string& path) {
    std::string ending = ending_of(path);
    if (ending != ".tif" && ending != ".png")
        throw Error(fmt::format("cannot write '{}': the name must end in .tif (every field) or .png (16-bit heights)",
                                path));
    fs::path folder = folder_of(path);
    if (!fs::is_directory(folder))
        throw Error(fmt::format("cannot write '{}': the folder '{}' does not exist", path, folder.string()));
    if (access(folder.c_str(), W_OK) != 0)
        throw Error(fmt::format("cannot write '{}': the folder '{}' may not be written to", path, folder.string()));
    if (fs::is_directory(path)) throw Error(fmt::format("cannot write '{}': it is a folder", path));
}

Terrain read_terrain(const std::string& path, const ReadOptions& options, const FileContext& context) {
    if (!fs::exists(path)) throw Error(fmt::format("cannot read '{}': there is no such file", path));
    if (fs::is_directory(path)) throw Error(fmt::format("cannot read '{}': it is a folder", path));
    return driver().read(path, options, context);
}

void write_terrain(const Terrain& terrain, const std::string& path, const FileContext& context) {
    check_writable(path);
    write_whole(path, [&](const std::string& to) { driver().write(terrain, to, ending_of(path), context); });
}

void write_picture(const Picture& picture, const std::string& path) {
    check_writable(path);
    if (ending_of(path) != ".png") throw Error(fmt::format("cannot write '{}': pictures are .png", path));
    write_whole(path, [&](const std::string& to) { driver().write_picture(picture, to); });
}

}  // namespace caprock
