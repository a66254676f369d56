#include "formats/gdal/hdf5.h"

#include <array>
#include <cpl_minixml.h>
#include <cstdint>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

namespace caprock::gdal {

namespace {

namespace fs = std::filesystem;

// A virtual raster may be made of itself; GDAL does not go much deeper either.
constexpr int deepest = 16;

struct DestroyTree {
    void operator()(CPLXMLNode* node) const { CPLDestroyXMLNode(node); }
};

bool is_virtual_raster(const std::string& path) {
    std::array<char, 1024> bytes{};
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), bytes.size());
    return std::string_view(bytes.data(), size_t(file.gcount())).find("<VRTDataset") !=
           std::string_view::npos;
}

bool is_made_of_hdf5(const std::string& path, int depth);

// A source is a file, as seen from here or from the virtual raster, or a part of one: NETCDF:"file":part.
bool is_hdf5_source(std::string_view source, const fs::path& folder, int depth) {
    for (std::string_view format : {"NETCDF:", "HDF5:", "BAG:"})
        if (source.starts_with(format)) return true;
    for (const fs::path& place : {fs::path(source), folder / fs::path(source)}) {
        std::error_code unknown;
        if (!fs::is_regular_file(place, unknown)) continue;
        if (is_hdf5(place.string()) || is_made_of_hdf5(place.string(), depth + 1)) return true;
    }
    return false;
}

bool has_hdf5_source(const CPLXMLNode* node, const fs::path& folder, int depth) {
    for (; node; node = node->psNext) {
        if (node->eType != CXT_Element) continue;
        std::string_view name = node->pszValue;
        bool names_source = name == "SourceFilename" || name == "SourceDataset";
        if (names_source && is_hdf5_source(CPLGetXMLValue(node, nullptr, ""), folder, depth)) return true;
        if (has_hdf5_source(node->psChild, folder, depth)) return true;
    }
    return false;
}

bool is_made_of_hdf5(const std::string& path, int depth) {
    if (depth > deepest || !is_virtual_raster(path)) return false;
    std::unique_ptr<CPLXMLNode, DestroyTree> tree(CPLParseXMLFile(path.c_str()));
    return has_hdf5_source(tree.get(), fs::path(path).parent_path(), depth);
}

}  // namespace

bool is_hdf5(const std::string& path) {
    constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
    std::ifstream file(path, std::ios::binary);
    // "HDF5 File Format Specification", Superblock: at the beginning, or where a block of the user's ends, which has 512
    // bytes or twice as many, or twice as many as that.
    for (std::streamoff place = 0; file; place = place == 0 ? 512 : place * 2) {
        std::array<char, signature.size()> bytes{};
        file.seekg(place);
        if (!file.read(bytes.data(), bytes.size())) return false;
        if (std::string_view(bytes.data(), bytes.size()) == signature) return true;
    }
    return false;
}

// Asked for by its name, since not every GDAL comes with it.
void silence_hdf5() {
    thread_local bool silent = false;
    if (silent) return;
    silent = true;
    using SetPrinting = int (*)(int64_t, int (*)(int64_t, void*), void*);
    constexpr int64_t usual_errors = 0;  // H5E_DEFAULT
    if (void* symbol = dlsym(RTLD_DEFAULT, "H5Eset_auto2"))
        reinterpret_cast<SetPrinting>(symbol)(usual_errors, nullptr, nullptr);
}

bool is_made_of_hdf5(const std::string& path) { return is_made_of_hdf5(path, 0); }

}  // namespace caprock::gdal
