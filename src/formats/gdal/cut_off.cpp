#include "formats/gdal/cut_off.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>

namespace caprock::gdal {

namespace {

// Some bytes of the file; zeros where it has none.
template <size_t count>
std::array<unsigned char, count> bytes_at(const std::string& path, std::streamoff place) {
    std::array<unsigned char, count> bytes{};
    std::ifstream file(path, std::ios::binary);
    file.seekg(place);
    file.read(reinterpret_cast<char*>(bytes.data()), count);
    return bytes;
}

uint64_t cells_of(GDALDataset& dataset) {
    return uint64_t(dataset.GetRasterXSize()) * uint64_t(dataset.GetRasterYSize());
}

// Bare numbers beside a header.
uint64_t least_envi(GDALDataset& dataset) {
    const char* compression = dataset.GetMetadataItem("file_compression", "ENVI");
    if (dataset.GetRasterCount() < 1 || (compression && EQUAL(compression, "1"))) return 0;
    auto bytes = uint64_t(GDALGetDataTypeSizeBytes(dataset.GetRasterBand(1)->GetRasterDataType()));
    return cells_of(dataset) * bytes * uint64_t(dataset.GetRasterCount());
}

// The header has the length of the whole file in blocks of 512 bytes, as a decimal number ("FH3" of the PCIDSK file
// format).
uint64_t least_pcidsk(const std::string& path) {
    std::array<unsigned char, 16> digits = bytes_at<16>(path, 16);
    uint64_t blocks = 0;
    for (unsigned char digit : digits)
        if (digit >= '0' && digit <= '9') blocks = blocks * 10 + (digit - '0');
    return blocks * 512;
}

// Cells begin at byte 256. The two lowest bits of what the header calls their representation are the binary logarithm
// of their size (CSF, the format of PCRaster).
uint64_t least_pcraster(GDALDataset& dataset, const std::string& path) {
    auto [low, high] = bytes_at<2>(path, 66);
    bool swapped = bytes_at<4>(path, 46)[0] == 0;  // of the number 1 as its writer keeps it
    uint64_t bytes = uint64_t(1) << ((swapped ? high : low) & 3);
    return 256 + cells_of(dataset) * bytes;
}

}  // namespace

bool is_cut_off(GDALDataset& dataset, const std::string& path) {
    std::string driver = dataset.GetDriverName();
    uint64_t least = driver == "ENVI"       ? least_envi(dataset)
                     : driver == "PCIDSK"   ? least_pcidsk(path)
                     : driver == "PCRaster" ? least_pcraster(dataset, path)
                                            : 0;
    if (least == 0) return false;
    std::error_code unknown;
    uint64_t there = std::filesystem::file_size(path, unknown);
    return !unknown && there < least;
}

}  // namespace caprock::gdal
