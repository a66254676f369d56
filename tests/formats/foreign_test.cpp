// Files that other programs made: whatever GDAL reads, with what it says of units, places and missing cells.
#include "formats/rasters.h"

#include <cmath>
#include <limits>

using namespace caprock;
using namespace caprock::test;

namespace {

std::vector<float> cells_of(const Field& field) {
    std::vector<float> cells;
    for (int y = field.rect().top; y < field.rect().bottom; y++)
        for (int x = field.rect().left; x < field.rect().right; x++) cells.push_back(field.at(x, y));
    return cells;
}

auto with_nodata(double value) {
    return [=](GDALDataset& raster) { raster.GetRasterBand(1)->SetNoDataValue(value); };
}

auto placed(const std::string& projection, std::vector<double> transform, const std::string& unit = "") {
    return [=](GDALDataset& raster) {
        std::vector<double> copy = transform;
        raster.SetGeoTransform(copy.data());
        if (!projection.empty()) raster.SetProjection(projection.c_str());
        if (!unit.empty()) raster.GetRasterBand(1)->SetUnitType(unit.c_str());
    };
}

void expect_first_missing(GDALDataType type, double nodata, double value) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, type, {nodata, value}, with_nodata(nodata));
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_TRUE(is_missing(terrain.height().at(0, 0))) << GDALGetDataTypeName(type) << " " << nodata;
    EXPECT_EQ(terrain.height().at(1, 0), float(value)) << GDALGetDataTypeName(type);
}

}  // namespace

TEST(ForeignFile, NoDataIsMissing) {
    expect_first_missing(GDT_Int16, -32768, 412);
    expect_first_missing(GDT_UInt16, 65535, 65534);
    expect_first_missing(GDT_Byte, 255, 0);
    expect_first_missing(GDT_Int32, -2147483648.0, 16777216);
    expect_first_missing(GDT_UInt32, 4294967295.0, 12);
    expect_first_missing(GDT_Float32, -9999, 0.1f);
    expect_first_missing(GDT_Float32, -3.4028234663852886e38, 1);
    expect_first_missing(GDT_Float64, -9999.1, 12.25);
    expect_first_missing(GDT_Float64, -1.7976931348623157e308, -3.5);
}

// In doubles, a value that only rounds to the no-data value is not it.
TEST(ForeignFile, NoDataIsComparedInFullPrecision) {
    Folder folder;
    double close = std::nextafter(-9999.0, 0.0);
    make_raster(folder / "a.tif", {2, 1}, GDT_Float64, {-9999, close}, with_nodata(-9999));
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_TRUE(is_missing(terrain.height().at(0, 0)));
    EXPECT_EQ(terrain.height().at(1, 0), -9999.0f);
}

TEST(ForeignFile, WithoutNoDataNothingIsMissing) {
    Folder folder;
    make_raster(folder / "a.tif", {3, 1}, GDT_Int16, {-32768, 0, 32767});
    EXPECT_EQ(cells_of(read_terrain(folder / "a.tif").height()), (std::vector<float>{-32768, 0, 32767}));
}

TEST(ForeignFile, MaskedCellsAreMissing) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 2}, GDT_Float32, {1, 2, 3, 4}, [](GDALDataset& raster) {
        CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
        raster.CreateMaskBand(GMF_PER_DATASET);
        std::vector<uint8_t> mask = {255, 0, 255, 255};
        EXPECT_EQ(raster.GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, 2, 2, mask.data(), 2, 2,
                                                                   GDT_Byte, 0, 0, nullptr),
                  CE_None);
        CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
    });
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_TRUE(is_missing(terrain.height().at(1, 0)));
    EXPECT_EQ(terrain.height().at(0, 1), 3);
    EXPECT_EQ(statistics(terrain.height()).missing, 1);
}

TEST(ForeignFile, ScaledIntegersBecomeMetres) {
    Folder folder;
    make_raster(folder / "a.tif", {3, 1}, GDT_Int16, {0, 10, -32768}, [](GDALDataset& raster) {
        raster.GetRasterBand(1)->SetScale(0.25);
        raster.GetRasterBand(1)->SetOffset(100);
        raster.GetRasterBand(1)->SetNoDataValue(-32768);
    });
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_EQ(terrain.height().at(0, 0), 100);
    EXPECT_EQ(terrain.height().at(1, 0), 102.5);
    EXPECT_TRUE(is_missing(terrain.height().at(2, 0)));
}

TEST(ForeignFile, RangeIsThatOfTheHeights) {
    Folder folder;
    make_raster(folder / "a.tif", {3, 1}, GDT_Int16, {-20, 812, -32768}, with_nodata(-32768));
    EXPECT_EQ(read_terrain(folder / "a.tif").grid().range, (Interval{-20, 812}));
    make_raster(folder / "flat.tif", {2, 1}, GDT_Float32, {5, 5});
    EXPECT_EQ(read_terrain(folder / "flat.tif").grid().range, (Interval{5, 6}));
    double infinity = std::numeric_limits<double>::infinity();
    make_raster(folder / "endless.tif", {2, 1}, GDT_Float32, {-infinity, 1});
    Told told;
    EXPECT_NO_THROW(read_terrain(folder / "endless.tif", {}, told.context()).grid().check());
    EXPECT_TRUE(told.says("endless.tif"));
}

TEST(ForeignFile, CellSizeComesFromTheTransform) {
    Folder folder;
    auto cell_of = [&](const std::function<void(GDALDataset&)>& finish, Told& told) {
        make_raster(folder / "a.tif", {3, 2}, GDT_Float32, {1, 2, 3, 4, 5, 6}, finish);
        return read_terrain(folder / "a.tif", {}, told.context()).grid().cell;
    };
    Told told;
    EXPECT_EQ(cell_of({}, told), 1);
    EXPECT_EQ(cell_of(placed("", {0, 3, 0, 0, 0, -3}), told), 3);
    EXPECT_EQ(cell_of(placed(projection_text(25832), {5e5, 10, 0, 5e6, 0, -10}), told), 10);
    // A grid in US feet.
    EXPECT_NEAR(cell_of(placed(projection_text(2264), {1e6, 10, 0, 5e5, 0, -10}), told), 3.048006096, 1e-8);
    EXPECT_TRUE(told.messages.empty()) << told.messages.front();
    EXPECT_EQ(cell_of(placed(projection_text(25832), {5e5, 10, 0, 5e6, 0, -10.05}), told), 10);
    EXPECT_TRUE(told.says("10 x 10.05 m"));
}

// One word for cells that are no squares, whatever the reason, and two ways out of it.
TEST(ForeignFile, CellsMustBeSquares) {
    Folder folder;
    double second = 1.0 / 3600;
    struct Case {
        std::string system;
        std::vector<double> transform;
        std::string reason;
    };
    for (const Case& grid :
         {Case{projection_text("EPSG:4326"), {11, second, 0, 47, 0, -second}, "degrees"},
          Case{projection_text("EPSG:4258"), {11, second, 0, 47, 0, -second}, "degrees"},
          Case{projection_text("EPSG:4326+5773"), {11, second, 0, 47, 0, -second}, "degrees"},
          // As an ASCII grid without a word on its coordinates would be.
          Case{"", {11, second, 0, 47, 0, -second}, "degrees"},
          Case{projection_text(25832), {5e5, 10, 0, 5e6, 0, -20}, "no squares (10 x 20 m)"},
          Case{projection_text(25832), {5e5, 10, 2, 5e6, 0, -10}, "aslant"}}) {
        SCOPED_TRACE(grid.reason);
        make_raster(folder / "a.tif", {2, 1}, GDT_Int16, {1, 2}, placed(grid.system, grid.transform));
        std::string message = refusal("a.tif", [&] { read_terrain(folder / "a.tif"); });
        EXPECT_NE(message.find(grid.reason), std::string::npos) << message;
        EXPECT_NE(message.find("--cell"), std::string::npos) << message;
        EXPECT_NE(message.find("--to-metres"), std::string::npos) << message;
        ReadOptions options;
        options.cell = 30;
        Terrain terrain = read_terrain(folder / "a.tif", options);
        EXPECT_EQ(terrain.grid().cell, 30);
        ASSERT_TRUE(terrain.georeference());
        EXPECT_EQ(terrain.georeference()->transform[1], grid.transform[1]);
    }
}

namespace {

// A plane that rises to the east and to the north, in degrees of 47 N 11 E; one cell missing.
void make_plane(const std::string& path, Size size, double step, const std::string& system) {
    std::vector<double> heights;
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++)
            heights.push_back(x == 30 && y == 20 ? -9999 : 100 + x * step * 1000 - y * step * 2000);
    make_raster(path, size, GDT_Float32, heights, [&](GDALDataset& raster) {
        placed(system, {11, step, 0, 47, 0, -step})(raster);
        raster.GetRasterBand(1)->SetNoDataValue(-9999);
    });
}

}  // namespace

TEST(ToMetres, DegreesGoToTheirUtmZone) {
    Folder folder;
    double step = 1.0 / 1200;
    ReadOptions options;
    options.to_metres = true;
    for (const std::string& system : {projection_text(4326), std::string()}) {
        make_plane(folder / "a.tif", {120, 90}, step, system);
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", options, told.context());
        EXPECT_TRUE(told.says("UTM zone 32 north"));
        // 63 m to the east and 93 m to the north: cells between, about as many as before.
        double cell = terrain.grid().cell;
        EXPECT_GT(cell, 63);
        EXPECT_LT(cell, 93);
        EXPECT_NEAR(terrain.rect().width() * cell, 120 * step * 75930, 600);
        ASSERT_TRUE(terrain.georeference());
        OGRSpatialReference zone(terrain.georeference()->projection.c_str());
        int north = 0;
        EXPECT_EQ(zone.GetUTMZone(&north), 32);
        EXPECT_TRUE(north);
        EXPECT_EQ(terrain.georeference()->transform[1], cell);
        // Neither the missing cell nor the corners outside of the raster have spoiled anything.
        FieldStatistics heights = statistics(terrain.height());
        EXPECT_GT(heights.missing, 0);
        EXPECT_LT(heights.missing, terrain.rect().cells() / 10);
        EXPECT_GE(heights.low, -50 - 0.01);
        EXPECT_LE(heights.high, 200.01);
        // A point in the middle is where it should be.
        OGRSpatialReference degrees;
        degrees.importFromEPSG(4326);
        degrees.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
        zone.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
        std::unique_ptr<OGRCoordinateTransformation> to_degrees(
            OGRCreateCoordinateTransformation(&zone, &degrees));
        const auto& t = terrain.georeference()->transform;
        int column = terrain.rect().width() / 2;
        int row = terrain.rect().height() / 2;
        double x = t[0] + (column + 0.5) * t[1];
        double y = t[3] + (row + 0.5) * t[5];
        ASSERT_TRUE(to_degrees->Transform(1, &x, &y));
        double expected = 100 + ((x - 11) / step - 0.5) * step * 1000 - ((47 - y) / step - 0.5) * step * 2000;
        EXPECT_NEAR(terrain.height().at(column, row), expected, 0.02);
        // It is a grid of metres now: what is written is read without a word.
        write_terrain(terrain, folder / "b.tif");
        EXPECT_EQ(read_terrain(folder / "b.tif").grid(), terrain.grid());
    }
    options.cell = 100;
    Terrain coarse = read_terrain(folder / "a.tif", options);
    EXPECT_EQ(coarse.grid().cell, 100);
    EXPECT_EQ(coarse.georeference()->transform[1], 100);
}

// What numbers mean and which cells are missing is known after resampling as before.
TEST(ToMetres, KeepsUnitsMarksAndMasks) {
    Folder folder;
    constexpr int side = 50;
    ReadOptions options;
    options.to_metres = true;
    for (bool masked : {false, true}) {
        std::vector<double> numbers(side * side, 1000);
        for (int y = 20; y < 25; y++)
            for (int x = 20; x < 25; x++) numbers[size_t(y * side + x)] = masked ? 31000 : -32768;
        make_raster(folder / "a.tif", {side, side}, GDT_Int16, numbers, [&](GDALDataset& raster) {
            placed(projection_text(4326), {-122, 0.001, 0, -10, 0, -0.001}, "ft")(raster);
            raster.GetRasterBand(1)->SetScale(0.5);
            raster.GetRasterBand(1)->SetOffset(100);
            if (!masked) {
                raster.GetRasterBand(1)->SetNoDataValue(-32768);
                return;
            }
            CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES");
            raster.CreateMaskBand(GMF_PER_DATASET);
            std::vector<uint8_t> mask;
            for (double number : numbers) mask.push_back(number == 1000 ? 255 : 0);
            EXPECT_EQ(raster.GetRasterBand(1)->GetMaskBand()->RasterIO(
                          GF_Write, 0, 0, side, side, mask.data(), side, side, GDT_Byte, 0, 0, nullptr),
                      CE_None);
            CPLSetThreadLocalConfigOption("GDAL_TIFF_INTERNAL_MASK", nullptr);
        });
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", options, told.context());
        EXPECT_TRUE(told.says("UTM zone 10 south"));
        EXPECT_TRUE(told.says("converted to metres"));
        FieldStatistics heights = statistics(terrain.height());
        EXPECT_GE(heights.missing, 16);
        EXPECT_LT(heights.missing, 300);
        EXPECT_NEAR(heights.low, 600 * 0.3048, 1e-4);
        EXPECT_NEAR(heights.high, 600 * 0.3048, 1e-4);
        Rect rect = terrain.rect();
        EXPECT_TRUE(is_missing(terrain.height().at(rect.width() * 22 / side, rect.height() * 22 / side)));
    }
}

TEST(ToMetres, OblongCellsBecomeSquares) {
    Folder folder;
    std::vector<double> heights;
    for (int i = 0; i < 40 * 20; i++) heights.push_back(i % 40);
    make_raster(folder / "a.tif", {40, 20}, GDT_Int16, heights,
                placed(projection_text(25832), {5e5, 10, 0, 5e6, 0, -40}));
    ReadOptions options;
    options.to_metres = true;
    Terrain terrain = read_terrain(folder / "a.tif", options);
    EXPECT_EQ(terrain.grid().cell, 20);
    EXPECT_EQ(terrain.rect().size(), (Size{20, 40}));
    EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{5e5, 20, 0, 5e6, 0, -20}));
    // Squares stay as they are.
    make_raster(folder / "b.tif", {2, 1}, GDT_Int16, {3, 4},
                placed(projection_text(25832), {5e5, 9, 0, 5e6, 0, -9}));
    Told told;
    EXPECT_EQ(cells_of(read_terrain(folder / "b.tif", options, told.context()).height()),
              (std::vector<float>{3, 4}));
    EXPECT_TRUE(told.messages.empty());
}

TEST(ToMetres, TheWholeEarthIsTooWide) {
    Folder folder;
    make_raster(folder / "a.tif", {36, 18}, GDT_Int16, std::vector<double>(36 * 18, 5),
                placed(projection_text(4326), {-180, 10, 0, 90, 0, -10}));
    ReadOptions options;
    options.to_metres = true;
    std::string message = refusal("a.tif", [&] { read_terrain(folder / "a.tif", options); });
    EXPECT_NE(message.find("360 degrees wide"), std::string::npos) << message;
}

TEST(ForeignFile, SouthUpIsTurnedNorthUp) {
    Folder folder;
    make_raster(folder / "a.tif", {1, 3}, GDT_Float32, {1, 2, 3}, placed("", {10, 4, 0, 20, 0, 4}));
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_EQ(terrain.grid().cell, 4);
    ASSERT_TRUE(terrain.georeference());
    // The first row, at 20 to 24 north, is the last one now.
    EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{10, 4, 0, 32, 0, -4}));
    EXPECT_EQ(cells_of(terrain.height()), (std::vector<float>{3, 2, 1}));
    write_terrain(terrain, folder / "b.tif");
    Terrain again = read_terrain(folder / "b.tif");
    ASSERT_TRUE(again.georeference());
    EXPECT_EQ(*again.georeference(), *terrain.georeference());
    EXPECT_EQ(cells_of(again.height()), (std::vector<float>{3, 2, 1}));
}

// Who takes them as they are gets them as they are, and so do the files that are written of it.
TEST(ForeignFile, TurnedGridsStayAsTheyAreWhenToldSo) {
    Folder folder;
    std::vector<double> turned = {5e5, 3, 4, 5e6, 4, -3};
    make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {1, 2}, placed(projection_text(25832), turned));
    ReadOptions options;
    options.cell = 5;
    Terrain terrain = read_terrain(folder / "a.tif", options);
    write_terrain(terrain, folder / "b.tif");
    Terrain again = read_terrain(folder / "b.tif");
    EXPECT_EQ(*again.georeference(), *terrain.georeference());
    EXPECT_TRUE(identical(again.height(), terrain.height()));
    EXPECT_EQ(again.grid().cell, 5);
}

TEST(ForeignFile, OtherVerticalUnitsBecomeMetres) {
    Folder folder;
    auto height_of = [&](const std::string& system, const std::string& unit, Told& told) {
        make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {1000, -9999}, [&](GDALDataset& raster) {
            placed(system, {5e5, 10, 0, 5e6, 0, -10}, unit)(raster);
            raster.GetRasterBand(1)->SetNoDataValue(-9999);
        });
        Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
        EXPECT_TRUE(is_missing(terrain.height().at(1, 0)));
        // What is written is in metres and says so; nothing is converted twice.
        write_terrain(terrain, folder / "b.tif");
        Told again;
        Terrain read = read_terrain(folder / "b.tif", {}, again.context());
        EXPECT_TRUE(identical(read.height(), terrain.height()));
        EXPECT_EQ(again.messages.empty(), unit != "smoot");
        return terrain.height().at(0, 0);
    };
    Told told;
    EXPECT_EQ(height_of(projection_text(25832), "metre", told), 1000);
    EXPECT_TRUE(told.messages.empty());
    EXPECT_EQ(height_of(projection_text(25832), "ft", told), 304.8f);
    EXPECT_TRUE(told.says("converted to metres"));
    EXPECT_EQ(height_of(projection_text(25832), "US survey foot", told), float(1000 * 1200.0 / 3937));
    EXPECT_EQ(height_of(projection_text(25832), "cm", told), 10);
    // The third axis of the coordinate system is in US feet (NAVD88).
    EXPECT_EQ(height_of(projection_text("EPSG:26915+6360"), "", told), float(1000 * 1200.0 / 3937));
    Told unknown;
    EXPECT_EQ(height_of(projection_text(25832), "smoot", unknown), 1000);
    EXPECT_TRUE(unknown.says("'smoot'; the numbers are taken as metres"));
}

TEST(ForeignFile, PointsStayPoints) {
    Folder folder;
    for (const char* meaning : {"Point", "Area"}) {
        make_raster(folder / "a.tif", {2, 2}, GDT_Int16, {1, 2, 3, 4}, [&](GDALDataset& raster) {
            raster.SetMetadataItem(GDALMD_AREA_OR_POINT, meaning);
            placed(projection_text(25832), {5e5, 10, 0, 5e6, 0, -10})(raster);
        });
        Terrain terrain = read_terrain(folder / "a.tif");
        write_terrain(terrain, folder / "b.tif");
        Raster raster = open_raster(folder / "b.tif");
        EXPECT_STREQ(raster->GetMetadataItem(GDALMD_AREA_OR_POINT), meaning);
        double transform[6];
        ASSERT_EQ(raster->GetGeoTransform(transform), CE_None);
        EXPECT_EQ(transform[0], 5e5);
        EXPECT_EQ(transform[3], 5e6);
    }
}

TEST(ForeignFile, WhatIsNotFiniteIsMissingAndCounted) {
    Folder folder;
    double infinity = std::numeric_limits<double>::infinity();
    for (GDALDataType type : {GDT_Float32, GDT_Float64}) {
        make_raster(folder / "a.tif", {5, 1}, type, {1, std::nan(""), infinity, -infinity, -9999},
                    with_nodata(-9999));
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
        EXPECT_EQ(statistics(terrain.height()).missing, 4);
        EXPECT_TRUE(told.says("3 cells that are not finite")) << told.messages.size();
    }
    // Where NaN is the file's mark, it needs no word.
    make_raster(folder / "b.tif", {2, 1}, GDT_Float32, {1, std::nan("")}, with_nodata(std::nan("")));
    Told told;
    EXPECT_EQ(statistics(read_terrain(folder / "b.tif", {}, told.context()).height()).missing, 1);
    EXPECT_TRUE(told.messages.empty());
    make_raster(folder / "c.tif", {2, 1}, GDT_Float64, {1, 1e300});
    EXPECT_EQ(statistics(read_terrain(folder / "c.tif", {}, told.context()).height()).missing, 1);
    EXPECT_TRUE(told.says("1 cell that is not finite"));
}

// Four of them would be infinite, and they are no heights: marks that nobody has declared, mostly.
TEST(ForeignFile, HeightsNearTheEndOfFloatsAreMissing) {
    Folder folder;
    for (GDALDataType type : {GDT_Float32, GDT_Float64}) {
        make_raster(folder / "a.tif", {5, 1}, type, {1, 1e38, -3.4028e38, 8e37, 12});
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
        EXPECT_TRUE(told.says("2 cells that are not finite or beyond 8.5e+37 m"));
        EXPECT_EQ(statistics(terrain.height()).missing, 2);
        EXPECT_EQ(terrain.height().at(3, 0), 8e37f);
        expect_windows_of_the_whole(folder / "a.tif");
    }
    // Also where they become so on the way.
    make_raster(folder / "b.tif", {3, 1}, GDT_Float32, {1, 1e30, 2},
                [](GDALDataset& raster) { raster.GetRasterBand(1)->SetScale(1e10); });
    make_raster(folder / "c.tif", {3, 1}, GDT_Float32, {1, 1e36, 2},
                [](GDALDataset& raster) { raster.GetRasterBand(1)->SetUnitType("km"); });
    for (const char* name : {"b.tif", "c.tif"}) {
        Told told;
        EXPECT_EQ(statistics(read_terrain(folder / name, {}, told.context()).height()).missing, 1) << name;
        EXPECT_TRUE(told.says("1 cell that is not finite")) << name;
    }
}

TEST(ForeignFile, SignedBytesHaveASign) {
    Folder folder;
    GDALAllRegister();
    const char* options[] = {"PIXELTYPE=SIGNEDBYTE", nullptr};
    Raster made(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), 3, 2, 1, GDT_Byte, const_cast<char**>(options)));
    std::vector<uint8_t> bytes = {0xff, 0x80, 5, 0x7f, 0, 0xc8};
    ASSERT_EQ(
        made->GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 3, 2, bytes.data(), 3, 2, GDT_Byte, 0, 0, nullptr),
        CE_None);
    made->GetRasterBand(1)->SetNoDataValue(-128);
    made->GetRasterBand(1)->SetScale(10);
    double transform[6] = {500000, 10, 0, 5400000, 0, -20};
    made->SetGeoTransform(transform);
    made.reset();
    Raster(GetGDALDriverManager()->GetDriverByName("netCDF")->CreateCopy(
        (folder / "b.nc").c_str(), open_raster(folder / "a.tif").get(), FALSE, nullptr, nullptr, nullptr));
    for (const char* name : {"a.tif", "b.nc"}) {
        SCOPED_TRACE(name);
        ReadOptions taken;
        taken.cell = 10;
        Terrain terrain = read_terrain(folder / name, taken);
        EXPECT_TRUE(is_missing(terrain.height().at(1, 0)));
        std::vector<float> cells = cells_of(terrain.height());
        cells[1] = 0;
        EXPECT_EQ(cells, (std::vector<float>{-10, 0, 50, 1270, 0, -560}));
        expect_windows_of_the_whole(folder / name, taken);
        // Between -1 and 5 lies 2, not 130.
        ReadOptions resampled;
        resampled.to_metres = true;
        FieldStatistics heights = statistics(read_terrain(folder / name, resampled).height());
        EXPECT_LE(heights.high, 1270);
        EXPECT_GE(heights.low, -560);
        EXPECT_LT(heights.low, 0);
    }
}

TEST(ForeignFile, ComplexNumbersLoseHalfOfThemWithAWord) {
    Folder folder;
    for (GDALDataType type : {GDT_CInt16, GDT_CInt32, GDT_CFloat32, GDT_CFloat64}) {
        make_raster(folder / "a.tif", {2, 1}, type, {0, 0}, [](GDALDataset& raster) {
            std::vector<double> numbers = {16777217, 5, -3, 7};
            EXPECT_EQ(raster.GetRasterBand(1)->RasterIO(GF_Write, 0, 0, 2, 1, numbers.data(), 2, 1,
                                                        GDT_CFloat64, 0, 0, nullptr),
                      CE_None);
        });
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
        EXPECT_EQ(terrain.height().at(1, 0), -3);
        EXPECT_TRUE(told.says("imaginary part left out")) << GDALGetDataTypeName(type);
    }
}

// In doubles, like all wide numbers.
TEST(ForeignFile, ComplexMarksAreComparedInFullPrecision) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, GDT_CFloat64, {16777216, 16777217}, with_nodata(16777217));
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_FALSE(is_missing(terrain.height().at(0, 0)));
    EXPECT_TRUE(is_missing(terrain.height().at(1, 0)));
}

TEST(ForeignFile, ControlPointsOnAGridAreAPlace) {
    Folder folder;
    for (double bend : {0.0, 3.0}) {
        make_raster(folder / "a.tif", {4, 2}, GDT_Float32, {1, 2, 3, 4, 5, 6, 7, 8},
                    [&](GDALDataset& raster) {
                        std::vector<GDAL_GCP> points(4);
                        GDALInitGCPs(4, points.data());
                        for (int i = 0; i < 4; i++) {
                            points[size_t(i)].dfGCPPixel = i % 2 * 4;
                            points[size_t(i)].dfGCPLine = i / 2 * 2;
                            points[size_t(i)].dfGCPX =
                                500000 + points[size_t(i)].dfGCPPixel * 10 + (i == 3 ? bend : 0);
                            points[size_t(i)].dfGCPY = 5400000 - points[size_t(i)].dfGCPLine * 10;
                        }
                        OGRSpatialReference system;
                        system.importFromEPSG(25832);
                        EXPECT_EQ(raster.SetGCPs(4, points.data(), &system), CE_None);
                        GDALDeinitGCPs(4, points.data());
                    });
        Told told;
        Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
        EXPECT_EQ(told.says("control points"), bend != 0);
        EXPECT_EQ(terrain.georeference() != nullptr, bend == 0);
        EXPECT_NEAR(terrain.grid().cell, bend == 0 ? 10 : 1, 1e-9);
        if (bend == 0) {
            EXPECT_NE(terrain.georeference()->projection.find("UTM zone 32N"), std::string::npos);
        }
    }
}

TEST(ForeignFile, OfSeveralRastersTheFirstIsReadWithAWord) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {1, 2});
    const char* options[] = {"APPEND_SUBDATASET=YES", nullptr};
    Raster(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), 3, 3, 1, GDT_Float32, const_cast<char**>(options)));
    Told told;
    EXPECT_EQ(read_terrain(folder / "a.tif", {}, told.context()).rect().size(), (Size{2, 1}));
    EXPECT_TRUE(told.says("holds 2 rasters"));
}

// What says which cells are missing is not a band that was left out.
TEST(ForeignFile, AlphaNeedsNoWord) {
    Folder folder;
    GDALAllRegister();
    const char* options[] = {"ALPHA=YES", nullptr};
    Raster made(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), 2, 1, 2, GDT_UInt16, const_cast<char**>(options)));
    std::vector<uint16_t> numbers = {7, 8, 0, 65535};
    ASSERT_EQ(
        made->RasterIO(GF_Write, 0, 0, 2, 1, numbers.data(), 2, 1, GDT_UInt16, 2, nullptr, 0, 0, 0, nullptr),
        CE_None);
    made.reset();
    Told told;
    Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
    EXPECT_TRUE(is_missing(terrain.height().at(0, 0)));
    EXPECT_EQ(terrain.height().at(1, 0), 8);
    EXPECT_TRUE(told.messages.empty());
}

TEST(ForeignFile, AllMissingIsRefused) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {-1, -1}, with_nodata(-1));
    EXPECT_NE(refusal("a.tif", [&] { read_terrain(folder / "a.tif"); }).find("every cell is missing"),
              std::string::npos);
    make_raster(folder / "b.tif", {2, 1}, GDT_Float32, {std::nan(""), std::nan("")});
    refusal("b.tif", [&] { read_terrain(folder / "b.tif"); });
}

TEST(ForeignFile, PhotosAreTakenWithAWord) {
    Folder folder;
    GDALAllRegister();
    const char* options[] = {"PHOTOMETRIC=RGB", nullptr};
    Raster photo(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
        (folder / "a.tif").c_str(), 2, 2, 3, GDT_Byte, const_cast<char**>(options)));
    photo->GetRasterBand(1)->Fill(77);
    photo.reset();
    Told told;
    EXPECT_EQ(read_terrain(folder / "a.tif", {}, told.context()).height().at(1, 1), 77);
    EXPECT_TRUE(told.says("colour picture"));
    EXPECT_EQ(told.messages.size(), 1u);
}

TEST(ForeignFile, BandsBecomeFieldsByTheirNames) {
    Folder folder;
    auto make = [&](const std::vector<std::string>& names) {
        Raster raster(GetGDALDriverManager()->GetDriverByName("GTiff")->Create(
            (folder / "a.tif").c_str(), 2, 2, int(names.size()), GDT_Float32, nullptr));
        for (int number = 1; number <= int(names.size()); number++) {
            raster->GetRasterBand(number)->Fill(number);
            raster->GetRasterBand(number)->SetDescription(names[size_t(number - 1)].c_str());
        }
    };
    GDALAllRegister();
    using Names = std::vector<std::string>;
    Told told;
    make({"elevation", "hardness"});
    EXPECT_EQ(read_terrain(folder / "a.tif", {}, told.context()).names(), (Names{"height", "hardness"}));
    make({"slope", "height"});
    Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
    EXPECT_EQ(terrain.names(), (Names{"slope", "height"}));
    EXPECT_EQ(terrain.height().at(0, 0), 2);
    EXPECT_TRUE(told.messages.empty());
    make({"", "", "mask", "mask"});
    EXPECT_EQ(read_terrain(folder / "a.tif", {}, told.context()).names(), (Names{"height", "mask"}));
    EXPECT_TRUE(told.says("bands 2 and 4"));
}
