// Terrains to write, and files made and looked at through GDAL itself, without our code in between.
#pragma once

#include "base/error.h"
#include "formats/formats.h"
#include "formats/terrain_reader.h"
#include "support/folder.h"
#include "support/terrains.h"

#include <functional>
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <memory>
#include <ogr_spatialref.h>
#include <string>
#include <vector>

namespace caprock::test {

// A height that stands for none.
constexpr double nodata = -9999;

struct CloseRaster {
    void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using Raster = std::unique_ptr<GDALDataset, CloseRaster>;

inline Raster open_raster(const std::string& path) {
    GDALAllRegister();
    return Raster(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER));
}

// A raster of one band from numbers; `finish` sets what else is wanted before it is closed.
inline void make_raster(const std::string& path, Size size, GDALDataType type,
                        const std::vector<double>& values,
                        const std::function<void(GDALDataset&)>& finish = {}) {
    GDALAllRegister();
    Raster raster(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), size.width,
                                                                           size.height, 1, type, nullptr));
    ASSERT_TRUE(raster);
    std::vector<double> copy = values;
    ASSERT_EQ(raster->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, size.width, size.height, copy.data(),
                                                 size.width, size.height, GDT_Float64, 0, 0, nullptr),
              CE_None);
    if (finish) finish(*raster);
}

// A PNG of so many channels of bytes or 16-bit numbers, channel after channel.
inline void make_png(const std::string& path, Size size, GDALDataType type, int channels,
                     const std::vector<double>& values) {
    GDALAllRegister();
    Raster memory(GetGDALDriverManager()->GetDriverByName("MEM")->Create("", size.width, size.height,
                                                                         channels, type, nullptr));
    std::vector<double> copy = values;
    ASSERT_EQ(memory->RasterIO(GF_Write, 0, 0, size.width, size.height, copy.data(), size.width, size.height,
                               GDT_Float64, channels, nullptr, 0, 0, 0, nullptr),
              CE_None);
    if (channels == 4) memory->GetRasterBand(4)->SetColorInterpretation(GCI_AlphaBand);
    Raster png(GetGDALDriverManager()->GetDriverByName("PNG")->CreateCopy(path.c_str(), memory.get(), FALSE,
                                                                          nullptr, nullptr, nullptr));
    ASSERT_TRUE(png);
    png.reset();
    std::filesystem::remove(path + ".aux.xml");
}

// "EPSG:25832", or a horizontal and a vertical system as "EPSG:4326+5773".
inline std::string projection_text(const std::string& name) {
    OGRSpatialReference system;
    system.SetFromUserInput(name.c_str());
    char* text = nullptr;
    system.exportToWkt(&text);
    std::string result = text;
    CPLFree(text);
    return result;
}

inline std::string projection_text(int code) { return projection_text("EPSG:" + std::to_string(code)); }

inline void expect_same_terrain(const Terrain& written, const Terrain& read) {
    EXPECT_EQ(written.names(), read.names());
    EXPECT_EQ(written.grid(), read.grid());
    ASSERT_EQ(written.rect(), read.rect());
    for (const std::string& name : written.names()) {
        ASSERT_TRUE(read.has(name));
        EXPECT_TRUE(identical(written.field(name), read.field(name))) << name;
    }
}

// Collects warnings.
struct Told {
    std::vector<std::string> messages;
    FileContext context() {
        return {nullptr, [this](const std::string& message) { messages.push_back(message); }};
    }
    bool says(const std::string& part) const {
        for (const std::string& message : messages)
            if (message.find(part) != std::string::npos) return true;
        return false;
    }
};

// What is read in windows is what is read at once: of windows of odd sizes, from whatever place and in whatever order,
// and what is said of the whole.
inline void expect_windows_of_the_whole(const std::string& path, const ReadOptions& options = {}) {
    Told told_of_whole;
    Terrain whole = read_terrain(path, options, told_of_whole.context());
    Told told;
    std::unique_ptr<TerrainReader> reader = open_terrain(path, options, told.context());
    EXPECT_EQ(told.messages, told_of_whole.messages);
    EXPECT_EQ(reader->names(), whole.names());
    Terrain shape = reader->shape();
    EXPECT_EQ(shape.grid(), whole.grid());
    EXPECT_TRUE(shape.names().empty());
    ASSERT_EQ(shape.georeference() != nullptr, whole.georeference() != nullptr);
    if (shape.georeference()) {
        EXPECT_EQ(*shape.georeference(), *whole.georeference());
    }
    auto [width, height] = whole.rect().size();
    std::vector<Rect> windows = {{0, height - 1, width, height},
                                 whole.rect(),
                                 {width - 1, 0, width, height},
                                 {width / 3, height / 4, width / 3 + 1, height / 4 + 1},
                                 {width / 2, 0, width, height / 2 + 1}};
    // Tiles, from the last to the first.
    for (int bottom = height; bottom > 0; bottom -= height / 3 + 1)
        for (int right = width; right > 0; right -= width / 4 + 1)
            windows.push_back(
                {std::max(0, right - width / 4 - 1), std::max(0, bottom - height / 3 - 1), right, bottom});
    for (const Rect& window : windows) {
        SCOPED_TRACE(testing::Message()
                     << window.left << " " << window.top << " " << window.right << " " << window.bottom);
        Terrain cells = reader->read(window);
        EXPECT_EQ(cells.rect(), window);
        EXPECT_EQ(cells.grid(), whole.grid());
        ASSERT_EQ(cells.names(), whole.names());
        for (const std::string& name : whole.names()) {
            Field expected = whole.field(name).cropped(window);
            ASSERT_TRUE(identical(cells.field(name), expected)) << name;
            ASSERT_TRUE(identical(reader->read_field(name, window), expected)) << name;
        }
    }
    expect_same_terrain(whole, reader->read_all());
    EXPECT_EQ(told.messages, told_of_whole.messages);
}

// The message of the Error that the action throws; it must be one line that names the file.
inline std::string refusal(const std::string& file, const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
        EXPECT_NE(message.find(file), std::string::npos) << message;
        return message;
    }
    ADD_FAILURE() << "no error for " << file;
    return "";
}

}  // namespace caprock::test
