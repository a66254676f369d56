// Rasters that are mirrored, turned by quarters, or aslant: the same land, whichever corner the file begins at.
#include "formats/rasters.h"

#include <cmath>

using namespace caprock;
using namespace caprock::test;

namespace {

constexpr Size land = {5, 3};
constexpr double west = 500000;
constexpr double north = 5400000;
constexpr double cell = 10;

// The height at a place says where that is.
double height_at(double x, double y) { return (x - west) / cell * 10 + (north - y) / cell; }

// A raster over the land that begins at one of its corners and goes from there along `column` and `row`.
struct Turn {
    const char* name;
    double corner_x, corner_y;
    double column_x, column_y;
    double row_x, row_y;
};
constexpr double east = west + land.width * cell;
constexpr double south = north - land.height * cell;
constexpr Turn turns[] = {
    {"upright", west, north, 1, 0, 0, -1},
    {"from the south", west, south, 1, 0, 0, 1},
    {"mirrored", east, north, -1, 0, 0, -1},
    {"half a turn", east, south, -1, 0, 0, 1},
    {"a quarter", east, north, 0, -1, -1, 0},
    {"three quarters", west, south, 0, 1, 1, 0},
    {"mirrored about a diagonal", west, north, 0, -1, 1, 0},
    {"mirrored about the other", east, south, 0, 1, -1, 0},
};

void make_turned(const std::string& path, const Turn& turn, GDALDataType type, bool masked = false) {
    bool swapped = turn.column_x == 0;
    Size size = swapped ? Size{land.height, land.width} : land;
    std::vector<double> heights;
    std::vector<uint8_t> mask;
    for (int row = 0; row < size.height; row++)
        for (int column = 0; column < size.width; column++) {
            double along = (column + 0.5) * cell;
            double across = (row + 0.5) * cell;
            double x = turn.corner_x + along * turn.column_x + across * turn.row_x;
            double y = turn.corner_y + along * turn.column_y + across * turn.row_y;
            heights.push_back(height_at(x, y));
            mask.push_back(x < west + 2 * cell && y < south + cell ? 0 : 255);
        }
    make_raster(path, size, type, heights, [&](GDALDataset& raster) {
        double transform[6] = {turn.corner_x, cell * turn.column_x, cell * turn.row_x,
                               turn.corner_y, cell * turn.column_y, cell * turn.row_y};
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text(25832).c_str());
        if (!masked) return;
        CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
        raster.CreateMaskBand(GMF_PER_DATASET);
        EXPECT_EQ(raster.GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, size.width, size.height,
                                                                   mask.data(), size.width, size.height,
                                                                   GDT_Byte, 0, 0, nullptr),
                  CE_None);
        CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
    });
}

}  // namespace

TEST(Orientation, EveryTurnByQuartersIsTheSameLand) {
    Folder folder;
    for (const Turn& turn : turns) {
        SCOPED_TRACE(turn.name);
        make_turned(folder / "a.tif", turn, GDT_Float64);
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
        EXPECT_TRUE(told.messages.empty()) << told.messages.front();
        ASSERT_EQ(terrain.rect().size(), land);
        EXPECT_EQ(terrain.grid().cell, cell);
        ASSERT_TRUE(terrain.georeference());
        EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{west, cell, 0, north, 0, -cell}));
        for (int y = 0; y < land.height; y++)
            for (int x = 0; x < land.width; x++)
                EXPECT_EQ(terrain.height().at(x, y),
                          height_at(west + (x + 0.5) * cell, north - (y + 0.5) * cell))
                    << x << " " << y;
        expect_windows_of_the_whole(folder / "a.tif");
    }
}

TEST(Orientation, MasksAreTurnedAlong) {
    Folder folder;
    for (const Turn& turn : turns) {
        SCOPED_TRACE(turn.name);
        make_turned(folder / "a.tif", turn, GDT_Int16, true);
        Terrain terrain = read_terrain(folder / "a.tif");
        for (int y = 0; y < land.height; y++)
            for (int x = 0; x < land.width; x++)
                EXPECT_EQ(is_missing(terrain.height().at(x, y)), x < 2 && y == land.height - 1)
                    << x << " " << y;
        expect_windows_of_the_whole(folder / "a.tif");
    }
}

// Larger than what is read at a time, with tiles.
TEST(Orientation, LargeOnesAreTurnedPartByPart) {
    Folder folder;
    GDALAllRegister();
    constexpr Size size = {700, 600};
    const char* options[] = {"TILED=YES", nullptr};
    Raster raster(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), size.width, size.height, 1, GDT_Float32, const_cast<char**>(options)));
    std::vector<float> cells;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) cells.push_back(float(x + 1000 * y));
    EXPECT_EQ(raster->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, size.width, size.height, cells.data(),
                                                 size.width, size.height, GDT_Float32, 0, 0, nullptr),
              CE_None);
    double transform[6] = {west, 0, -cell, north, -cell, 0};
    raster->SetGeoTransform(transform);
    raster.reset();
    Terrain terrain = read_terrain(folder / "a.tif");
    ASSERT_EQ(terrain.rect().size(), (Size{size.height, size.width}));
    for (int y = 0; y < size.width; y++)
        for (int x = 0; x < size.height; x++)
            ASSERT_EQ(terrain.height().at(x, y), float(y + 1000 * (size.height - 1 - x))) << x << " " << y;
    expect_windows_of_the_whole(folder / "a.tif");
}

// Some coordinates grow to the west and the south.
TEST(Orientation, AxesOfTheSystemCount) {
    Folder folder;
    // Lo19: westing and southing. The file begins in the north-west.
    make_raster(folder / "a.tif", {2, 2}, GDT_Int16, {1, 2, 3, 4}, [](GDALDataset& raster) {
        double transform[6] = {20000, -cell, 0, 3700000, 0, cell};
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text(2048).c_str());
    });
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_EQ(terrain.height().at(0, 0), 1);
    EXPECT_EQ(terrain.height().at(1, 0), 2);
    EXPECT_EQ(terrain.height().at(0, 1), 3);
    EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{20000, -cell, 0, 3700000, 0, cell}));
    write_terrain(terrain, folder / "b.tif");
    EXPECT_EQ(*read_terrain(folder / "b.tif").georeference(), *terrain.georeference());
    EXPECT_NE(refusal("b.asc", [&] { write_terrain(terrain, folder / "b.asc"); }).find("write a .tif"),
              std::string::npos);
}

namespace {

void make_aslant(const std::string& path, double degrees, Size size) {
    double east_part = cell * std::cos(degrees * M_PI / 180);
    double north_part = cell * std::sin(degrees * M_PI / 180);
    double transform[6] = {west, east_part, north_part, north, north_part, -east_part};
    std::vector<double> heights;
    for (int row = 0; row < size.height; row++)
        for (int column = 0; column < size.width; column++)
            heights.push_back(height_at(west + (column + 0.5) * transform[1] + (row + 0.5) * transform[2],
                                        north + (column + 0.5) * transform[4] + (row + 0.5) * transform[5]));
    make_raster(path, size, GDT_Float64, heights, [&](GDALDataset& raster) {
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text(25832).c_str());
    });
}

}  // namespace

TEST(Orientation, OtherTurnsAreRefusedOrResampled) {
    Folder folder;
    for (double degrees : {30.0, 117.0, -1.0}) {
        SCOPED_TRACE(degrees);
        make_aslant(folder / "a.tif", degrees, {40, 30});
        std::string message = refusal("a.tif", [&] { read_terrain(folder / "a.tif"); });
        EXPECT_NE(message.find("degrees off from west to east"), std::string::npos) << message;
        EXPECT_NE(message.find("--to-metres"), std::string::npos) << message;
        ReadOptions resampled;
        resampled.to_metres = true;
        Terrain terrain = read_terrain(folder / "a.tif", resampled);
        const auto& t = terrain.georeference()->transform;
        EXPECT_EQ(t[2], 0);
        EXPECT_EQ(t[4], 0);
        auto [width, height] = terrain.rect().size();
        int x = width / 2;
        int y = height / 2;
        EXPECT_NEAR(terrain.height().at(x, y), height_at(t[0] + (x + 0.5) * t[1], t[3] + (y + 0.5) * t[5]),
                    1e-2);
        // Who insists gets the cells as they are, and a word.
        ReadOptions taken;
        taken.cell = cell;
        Told told;
        EXPECT_EQ(read_terrain(folder / "a.tif", taken, told.context()).grid().cell, cell);
        EXPECT_TRUE(told.says("north is not up"));
    }
}

TEST(Orientation, WhatIsHardlyTurnedIsTakenWithAWord) {
    Folder folder;
    make_aslant(folder / "a.tif", 0.3, {4, 3});
    Told told;
    EXPECT_NEAR(read_terrain(folder / "a.tif", {}, told.context()).grid().cell, cell, 1e-9);
    EXPECT_TRUE(told.says("0.3 degrees off"));
    make_aslant(folder / "b.tif", 1e-8, {4, 3});
    Told unseen;
    read_terrain(folder / "b.tif", {}, unseen.context());
    EXPECT_TRUE(unseen.messages.empty());
}
