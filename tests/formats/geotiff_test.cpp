// GeoTIFF: every field bit for bit, and what a reader of the file besides us finds in it.
#include "formats/rasters.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace caprock;
using namespace caprock::test;

namespace {

// Values that conversions like to lose.
float peculiar(int x, int y) {
    constexpr float values[] = {0.0f,
                                -0.0f,
                                missing,
                                std::numeric_limits<float>::denorm_min(),
                                -std::numeric_limits<float>::denorm_min() * 3,
                                std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::max(),
                                std::numeric_limits<float>::lowest(),
                                -32768.0f,
                                -9999.0f,
                                0x1.fffffep-1f,
                                1e-30f};
    size_t choice = size_t(x * 7 + y * 3);
    if (choice % 3 == 0) return values[choice / 3 % std::size(values)];
    return 1000 * scattered(x, y, 5) - 300;
}

Terrain peculiar_terrain(Size size) {
    Terrain terrain(Grid{Rect::of(size), 2.5, {-100.25, 300.125}});
    terrain.set("height", made_field(terrain.rect(), peculiar));
    terrain.set("hardness", made_field(terrain.rect(), [](int x, int y) { return scattered(x, y, 6); }));
    terrain.set("old-river-beds", made_field(terrain.rect(), [](int x, int y) { return peculiar(y, x); }));
    return terrain;
}

}  // namespace

class GeoTiffOfSize : public testing::TestWithParam<Size> {};

TEST_P(GeoTiffOfSize, KeepsEveryBit) {
    Folder folder;
    Terrain terrain = peculiar_terrain(GetParam());
    write_terrain(terrain, folder / "a.tif");
    Terrain read = read_terrain(folder / "a.tif");
    expect_same_terrain(terrain, read);
    EXPECT_EQ(read.georeference(), nullptr);
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.tif"});
}

// Signs of zero and kinds of infinity are part of the bits; fields compare NaN as one value, so look at raw
// bits too.
TEST_P(GeoTiffOfSize, HoldsTheRawBits) {
    Folder folder;
    Terrain terrain = peculiar_terrain(GetParam());
    write_terrain(terrain, folder / "a.tif");
    Raster raster = open_raster(folder / "a.tif");
    ASSERT_TRUE(raster);
    auto [width, height] = GetParam();
    std::vector<float> cells(size_t(GetParam().cells()));
    ASSERT_EQ(raster->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, width, height, cells.data(), width, height,
                                                 GDT_Float32, 0, 0, nullptr),
              CE_None);
    for (int y = 0; y < height; y++)
        ASSERT_EQ(std::memcmp(terrain.height().rows()[y], &cells[size_t(y) * size_t(width)],
                              size_t(width) * sizeof(float)),
                  0)
            << "row " << y;
}

INSTANTIATE_TEST_SUITE_P(Sizes, GeoTiffOfSize,
                         testing::Values(Size{1, 1}, Size{1, 300}, Size{300, 1}, Size{257, 129},
                                         Size{256, 512}),
                         [](const auto& info) {
                             return std::to_string(info.param.width) + "x" +
                                    std::to_string(info.param.height);
                         });

TEST(GeoTiff, IsNamedCompressedAndTiled) {
    Folder folder;
    write_terrain(peculiar_terrain({300, 200}), folder / "a.tiff");
    Raster raster = open_raster(folder / "a.tiff");
    ASSERT_TRUE(raster);
    EXPECT_STREQ(raster->GetDriverName(), "GTiff");
    ASSERT_EQ(raster->GetRasterCount(), 3);
    const char* names[] = {"height", "hardness", "old-river-beds"};
    for (int number = 1; number <= 3; number++) {
        GDALRasterBand& band = *raster->GetRasterBand(number);
        EXPECT_STREQ(band.GetDescription(), names[number - 1]);
        EXPECT_EQ(band.GetRasterDataType(), GDT_Float32);
        int has_nodata = 0;
        EXPECT_TRUE(std::isnan(band.GetNoDataValue(&has_nodata)));
        EXPECT_TRUE(has_nodata);
        int block_width = 0;
        int block_height = 0;
        band.GetBlockSize(&block_width, &block_height);
        EXPECT_EQ(block_width, 256);
        EXPECT_EQ(block_height, 256);
    }
    const char* compression = raster->GetMetadataItem("COMPRESSION", "IMAGE_STRUCTURE");
    ASSERT_TRUE(compression);
    EXPECT_TRUE(EQUAL(compression, "ZSTD") || EQUAL(compression, "DEFLATE")) << compression;
    // Others see the cell size where they look for it.
    double transform[6];
    ASSERT_EQ(raster->GetGeoTransform(transform), CE_None);
    EXPECT_EQ(transform[1], 2.5);
    EXPECT_EQ(transform[5], -2.5);
}

TEST(GeoTiff, KeepsFieldsInAnyOrder) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({40, 30}), 1, {0, 10}});
    terrain.set("hardness", made_field(terrain.rect(), [](int x, int y) { return scattered(x, y, 1); }));
    terrain.set("height", made_field(terrain.rect(), [](int x, int y) { return 10 * scattered(x, y, 2); }));
    write_terrain(terrain, folder / "a.tif");
    expect_same_terrain(terrain, read_terrain(folder / "a.tif"));
}

TEST(GeoTiff, KeepsATerrainWithoutHeight) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({40, 30}), 1, {0, 10}});
    terrain.set("forest", made_field(terrain.rect(), [](int x, int y) { return scattered(x, y, 1); }));
    write_terrain(terrain, folder / "a.tif");
    expect_same_terrain(terrain, read_terrain(folder / "a.tif"));
}

TEST(GeoTiff, KeepsThePlaceOnEarth) {
    Folder folder;
    Terrain terrain = peculiar_terrain({30, 20});
    Georeference place{projection_text(25832), {500000.5, 2.5, 0, 5400000.25, 0, -2.5}, "metre"};
    terrain.set_georeference(place);
    write_terrain(terrain, folder / "a.tif");
    Told told;
    Terrain read = read_terrain(folder / "a.tif", {}, told.context());
    expect_same_terrain(terrain, read);
    ASSERT_TRUE(read.georeference());
    EXPECT_EQ(read.georeference()->transform, place.transform);
    EXPECT_EQ(read.georeference()->vertical_unit, place.vertical_unit);
    OGRSpatialReference before(place.projection.c_str());
    OGRSpatialReference after(read.georeference()->projection.c_str());
    EXPECT_TRUE(before.IsSame(&after));
    EXPECT_TRUE(told.messages.empty());
    // A second time around nothing moves any more.
    write_terrain(read, folder / "b.tif");
    EXPECT_EQ(*read_terrain(folder / "b.tif").georeference(), *read.georeference());
}

TEST(GeoTiff, KeepsTheUsersCellSizeBesideDegrees) {
    Folder folder;
    Terrain terrain(Grid{Rect::of({12, 9}), 30, {0, 10}});
    terrain.set("height", Field(terrain.rect(), 5));
    double second = 1.0 / 3600;
    terrain.set_georeference({projection_text(4326), {11, second, 0, 47, 0, -second}, ""});
    write_terrain(terrain, folder / "a.tif");
    EXPECT_EQ(read_terrain(folder / "a.tif").grid().cell, 30);
}

// gdalwarp and gdal_translate copy what we noted into files of another resolution.
TEST(GeoTiff, NotedCellSizeDoesNotOutliveResampling) {
    Folder folder;
    Terrain terrain = peculiar_terrain({64, 64});
    write_terrain(terrain, folder / "a.tif");
    {
        Raster from = open_raster(folder / "a.tif");
        ASSERT_TRUE(from);
        make_raster(folder / "b.tif", {32, 32}, GDT_Float32, std::vector<double>(32 * 32, 7),
                    [&](GDALDataset& to) {
                        double transform[6] = {0, 5, 0, 0, 0, -5};
                        to.SetGeoTransform(transform);
                        to.SetMetadata(from->GetMetadata());
                    });
    }
    Terrain read = read_terrain(folder / "b.tif");
    EXPECT_EQ(read.grid().cell, 5);
    EXPECT_EQ(read.grid().range, terrain.grid().range);
}

TEST(GeoTiff, ACropIsWrittenAsItself) {
    Folder folder;
    Terrain terrain = peculiar_terrain({100, 80});
    terrain.set_georeference({projection_text(25832), {500000, 2.5, 0, 5400000, 0, -2.5}, ""});
    Rect part{13, 7, 90, 61};
    write_terrain(terrain.cropped(part), folder / "a.tif");
    Terrain read = read_terrain(folder / "a.tif");
    ASSERT_EQ(read.rect(), Rect::of(part.size()));
    for (const std::string& name : terrain.names())
        EXPECT_TRUE(
            identical(read.field(name), terrain.field(name).cropped(part).moved(-part.left, -part.top)));
    // The same cells at the same place.
    ASSERT_TRUE(read.georeference());
    EXPECT_EQ(read.georeference()->transform[0], 500000 + 13 * 2.5);
    EXPECT_EQ(read.georeference()->transform[3], 5400000 - 7 * 2.5);
}

TEST(GeoTiff, ReadOptionsOverrideTheFile) {
    Folder folder;
    write_terrain(peculiar_terrain({5, 4}), folder / "a.tif");
    ReadOptions options;
    options.cell = 7;
    options.range = Interval{-1, 1};
    Terrain read = read_terrain(folder / "a.tif", options);
    EXPECT_EQ(read.grid().cell, 7);
    EXPECT_EQ(read.grid().range, (Interval{-1, 1}));
    options.cell = 0;
    EXPECT_NE(refusal("a.tif", [&] { read_terrain(folder / "a.tif", options); }).find("cell size"),
              std::string::npos);
}

TEST(GeoTiff, ProgressReachesTheEnd) {
    Folder folder;
    Terrain terrain = peculiar_terrain({600, 700});
    for (bool reading : {false, true}) {
        double last = 0;
        int calls = 0;
        Progress progress([&](double share) {
            EXPECT_GE(share, last);
            last = share;
            calls++;
        });
        FileContext context{&progress, {}};
        if (reading) {
            read_terrain(folder / "a.tif", {}, context);
        } else {
            write_terrain(terrain, folder / "a.tif", context);
        }
        EXPECT_EQ(last, 1);
        EXPECT_GE(calls, 3);
    }
}

// GDAL's transform names the corner of a pixel; a sample lies in its middle, whatever the file says it stands for.
TEST(GeoTiff, ACellLiesInTheMiddleOfItsPixel) {
    Folder folder;
    for (const char* meaning : {"Area", "Point"}) {
        std::string path = folder / (std::string(meaning) + ".tif");
        make_raster(path, {5, 4}, GDT_Float32, std::vector<double>(20, 7), [&](GDALDataset& raster) {
            double transform[6] = {600000, 30, 0, 5200000, 0, -30};
            raster.SetGeoTransform(transform);
            raster.SetMetadataItem("AREA_OR_POINT", meaning);
        });
        double t[6];
        ASSERT_EQ(open_raster(path)->GetGeoTransform(t), CE_None);
        Terrain terrain = read_terrain(path);
        const Grid& grid = terrain.grid();
        EXPECT_EQ(terrain.coordinates_of(grid.place_of(0, 0)),
                  (Coordinates{t[0] + t[1] / 2, t[3] + t[5] / 2}))
            << meaning;
        EXPECT_EQ(terrain.coordinates_of(grid.place_of(3, 2)), (Coordinates{600105, 5199925})) << meaning;
        // A part of it lies where it did, in a file of its own too.
        write_terrain(terrain.cropped({2, 1, 5, 3}), folder / "part.tif");
        Terrain part = read_terrain(folder / "part.tif");
        EXPECT_EQ(part.coordinates_of({0, 0}), terrain.coordinates_of(grid.place_of(2, 1))) << meaning;
    }
}
