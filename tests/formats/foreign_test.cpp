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
    make_raster(folder / "none.tif", {2, 1}, GDT_Float32, {-1, -1}, with_nodata(-1));
    EXPECT_NO_THROW(read_terrain(folder / "none.tif").grid().check());
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
    // Rotated by the transform 3-4-5.
    EXPECT_EQ(cell_of(placed(projection_text(25832), {5e5, 3, 4, 5e6, 4, -3}), told), 5);
    // A grid in US feet.
    EXPECT_NEAR(cell_of(placed(projection_text(2264), {1e6, 10, 0, 5e5, 0, -10}), told), 3.048006096, 1e-8);
    EXPECT_TRUE(told.messages.empty()) << told.messages.front();
    EXPECT_EQ(cell_of(placed(projection_text(25832), {5e5, 10, 0, 5e6, 0, -20}), told), 10);
    EXPECT_TRUE(told.says("10 x 20 m"));
}

TEST(ForeignFile, DegreesNeedACellSize) {
    Folder folder;
    double second = 1.0 / 3600;
    for (const char* system : {"EPSG:4326", "EPSG:4258", "EPSG:4326+5773"}) {
        make_raster(folder / "a.tif", {2, 1}, GDT_Int16, {1, 2},
                    placed(projection_text(system), {11, second, 0, 47, 0, -second}));
        std::string message = refusal("a.tif", [&] { read_terrain(folder / "a.tif"); });
        EXPECT_NE(message.find("--cell"), std::string::npos) << message;
        EXPECT_NE(message.find("degrees"), std::string::npos) << message;
        ReadOptions options;
        options.cell = 30;
        Terrain terrain = read_terrain(folder / "a.tif", options);
        EXPECT_EQ(terrain.grid().cell, 30);
        ASSERT_TRUE(terrain.georeference());
        EXPECT_EQ(terrain.georeference()->transform[1], second);
    }
}

TEST(ForeignFile, SouthUpStaysSouthUp) {
    Folder folder;
    make_raster(folder / "a.tif", {1, 2}, GDT_Float32, {1, 2}, placed("", {10, 4, 0, 20, 0, 4}));
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_EQ(terrain.grid().cell, 4);
    ASSERT_TRUE(terrain.georeference());
    EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{10, 4, 0, 20, 0, 4}));
    EXPECT_EQ(cells_of(terrain.height()), (std::vector<float>{1, 2}));
    write_terrain(terrain, folder / "b.tif");
    Terrain again = read_terrain(folder / "b.tif");
    ASSERT_TRUE(again.georeference());
    EXPECT_EQ(*again.georeference(), *terrain.georeference());
    EXPECT_EQ(cells_of(again.height()), (std::vector<float>{1, 2}));
}

TEST(ForeignFile, OtherVerticalUnitsAreSaidAndKept) {
    Folder folder;
    make_raster(folder / "a.tif", {1, 1}, GDT_Float32, {1},
                placed(projection_text(25832), {5e5, 10, 0, 5e6, 0, -10}, "ft"));
    Told told;
    Terrain terrain = read_terrain(folder / "a.tif", {}, told.context());
    EXPECT_TRUE(told.says("'ft'"));
    EXPECT_EQ(terrain.georeference()->vertical_unit, "ft");
    write_terrain(terrain, folder / "b.tif");
    EXPECT_EQ(read_terrain(folder / "b.tif").georeference()->vertical_unit, "ft");
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
