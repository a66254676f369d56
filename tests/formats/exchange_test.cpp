// Formats of other programs both ways: what gdal_translate writes is read, what we write GDAL reads.
#include "formats/rasters.h"

#include <cmath>
#include <gdal_utils.h>

using namespace caprock;
using namespace caprock::test;

namespace {

// Whole metres, so that formats of integers keep them; below zero as well; one cell missing.
double known_height(int x, int y) { return x == 5 && y == 7 ? nodata : 40 * std::sin(x * 0.5) * y - 3 * x; }

struct Known {
    Size size{24, 18};
    std::vector<double> heights;

    explicit Known(bool whole) {
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                double height = known_height(x, y);
                heights.push_back(whole ? std::round(height) : double(float(height)));
            }
    }
    double at(int x, int y) const { return heights[size_t(y) * size_t(size.width) + size_t(x)]; }
};

struct Case {
    const char* name;
    const char* driver;
    const char* file;
    bool whole;  // holds whole metres only
    std::vector<std::string> options;
};

std::ostream& operator<<(std::ostream& out, const Case& format) { return out << format.name; }

void translate(const std::string& from, const std::string& to, const std::vector<std::string>& words) {
    GDALAllRegister();
    // As the program does it: what a format cannot say goes into a file beside it.
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", "YES");
    CPLStringList list;
    for (const std::string& word : words) list.AddString(word.c_str());
    GDALTranslateOptions* options = GDALTranslateOptionsNew(list.List(), nullptr);
    Raster source = open_raster(from);
    ASSERT_TRUE(source);
    Raster made(static_cast<GDALDataset*>(GDALTranslate(to.c_str(), source.get(), options, nullptr)));
    GDALTranslateOptionsFree(options);
    CPLSetThreadLocalConfigOption("GDAL_PAM_ENABLED", nullptr);
    EXPECT_TRUE(made) << to;
}

void place(GDALDataset& raster) {
    double transform[6] = {500000, 10, 0, 5400000, 0, -10};
    raster.SetGeoTransform(transform);
    raster.SetProjection(projection_text(25832).c_str());
    raster.GetRasterBand(1)->SetNoDataValue(nodata);
}

}  // namespace

class Foreign : public testing::TestWithParam<Case> {};

TEST_P(Foreign, FormatIsRead) {
    const Case& format = GetParam();
    Folder folder;
    Known known(format.whole);
    make_raster(folder / "known.tif", known.size, GDT_Float64, known.heights, place);
    std::vector<std::string> words = {"-of", format.driver};
    words.insert(words.end(), format.options.begin(), format.options.end());
    std::filesystem::create_directory(folder / "made");
    std::string path = folder / ("made/" + std::string(format.file));
    translate(folder / "known.tif", path, words);
    Told told;
    Terrain terrain = read_terrain(path, {}, told.context());
    EXPECT_TRUE(told.messages.empty()) << told.messages.front();
    ASSERT_EQ(terrain.rect().size(), known.size);
    EXPECT_EQ(terrain.grid().cell, 10);
    FieldStatistics heights = statistics(terrain.height());
    EXPECT_EQ(heights.missing, 1);
    EXPECT_LT(heights.low, 0);
    double low = 1e9;
    double high = -1e9;
    for (int y = 0; y < known.size.height; y++)
        for (int x = 0; x < known.size.width; x++) {
            if (x == 5 && y == 7) {
                EXPECT_TRUE(is_missing(terrain.height().at(x, y)));
                continue;
            }
            ASSERT_EQ(terrain.height().at(x, y), float(known.at(x, y))) << x << " " << y;
            low = std::min(low, known.at(x, y));
            high = std::max(high, known.at(x, y));
        }
    EXPECT_EQ(heights.low, float(low));
    EXPECT_EQ(heights.high, float(high));
    ASSERT_TRUE(terrain.georeference());
    EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{500000, 10, 0, 5400000, 0, -10}));
    // And on to a file of our own, with its place.
    write_terrain(terrain, folder / "ours.tif");
    Terrain again = read_terrain(folder / "ours.tif");
    EXPECT_TRUE(identical(again.height(), terrain.height()));
    EXPECT_EQ(again.georeference()->transform, terrain.georeference()->transform);
}

INSTANTIATE_TEST_SUITE_P(
    Of, Foreign,
    testing::Values(Case{"Int16", "GTiff", "a.tif", true, {"-ot", "Int16"}},
                    Case{"Int32", "GTiff", "a.tif", true, {"-ot", "Int32"}},
                    Case{"Float32", "GTiff", "a.tif", false, {"-ot", "Float32"}},
                    Case{"Float64", "GTiff", "a.tif", false, {}},
                    Case{"BigEndian", "GTiff", "a.tif", false, {"-ot", "Float32", "-co", "ENDIANNESS=BIG"}},
                    Case{"BigEndianInt16", "GTiff", "a.tif", true, {"-ot", "Int16", "-co", "ENDIANNESS=BIG"}},
                    Case{"Cog", "COG", "a.tif", false, {"-ot", "Float32"}},
                    Case{"AsciiGrid", "AAIGrid", "a.asc", false, {"-co", "DECIMAL_PRECISION=12"}},
                    Case{"Bt", "BT", "a.bt", false, {"-ot", "Float32"}},
                    Case{"Envi", "ENVI", "a.dat", false, {"-ot", "Float32"}},
                    Case{"EHdr", "EHdr", "a.bil", false, {"-ot", "Float32"}},
                    Case{"EHdrInt16", "EHdr", "a.bil", true, {"-ot", "Int16"}},
                    Case{"Hfa", "HFA", "a.img", false, {"-ot", "Float32"}},
                    Case{"NetCdf", "netCDF", "a.nc", false, {"-ot", "Float32"}},
                    Case{"Vrt", "VRT", "a.vrt", false, {"-ot", "Float32"}},
                    Case{"NetCdfFromTheTop", "netCDF", "a.nc", false, {"-co", "WRITE_BOTTOMUP=NO"}}),
    [](const auto& info) { return std::string(info.param.name); });

namespace {

// Degrees, from the names or headers of the files: what tiles of the whole Earth are kept in.
Terrain tile_of_earth(const Folder& folder, const char* driver, const std::string& name, int side) {
    double step = 1.0 / (side - 1);
    std::vector<double> heights;
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) heights.push_back(x == 3 && y == 2 ? -32767 : 100 + x - 2 * (y % 90));
    make_raster(folder / "tile.tif", {side, side}, GDT_Int16, heights, [&](GDALDataset& raster) {
        double transform[6] = {11 - step / 2, step, 0, 48 + step / 2, 0, -step};
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text(4326).c_str());
        raster.GetRasterBand(1)->SetNoDataValue(-32767);
    });
    std::vector<std::string> words = {"-of", driver};
    if (std::string(driver) == "SRTMHGT") words.insert(words.end(), {"-a_nodata", "-32767"});
    translate(folder / "tile.tif", folder / name, words);
    std::string message = refusal(name, [&] { read_terrain(folder / name); });
    EXPECT_NE(message.find("degrees"), std::string::npos) << message;
    EXPECT_NE(message.find("--to-metres"), std::string::npos) << message;
    EXPECT_NE(message.find("--cell"), std::string::npos) << message;
    ReadOptions options;
    options.cell = 90;
    return read_terrain(folder / name, options);
}

}  // namespace

TEST(TileOfEarth, Srtm) {
    Folder folder;
    Terrain terrain = tile_of_earth(folder, "SRTMHGT", "N47E011.hgt", 1201);
    EXPECT_EQ(terrain.rect().size(), (Size{1201, 1201}));
    EXPECT_EQ(terrain.height().at(0, 0), 100);
    EXPECT_EQ(terrain.height().at(1200, 0), 1300);
    EXPECT_EQ(terrain.height().at(0, 1200), 100 - 2 * (1200 % 90));
    // And back under its only possible name.
    Told told;
    write_terrain(terrain, folder / "n47e011.hgt", told.context());
    ReadOptions options;
    options.cell = 90;
    EXPECT_TRUE(identical(read_terrain(folder / "n47e011.hgt", options).height(), terrain.height()));
    std::string message = refusal("N46E011.hgt", [&] { write_terrain(terrain, folder / "N46E011.hgt"); });
    EXPECT_NE(message.find("N47E011.hgt"), std::string::npos) << message;
    message = refusal("a.hgt", [&] { write_terrain(rough_terrain({1200, 1200}), folder / "a.hgt"); });
    EXPECT_NE(message.find("1201x1201 or 3601x3601"), std::string::npos) << message;
    message = refusal("a.hgt", [&] { write_terrain(rough_terrain({1201, 1201}), folder / "a.hgt"); });
    EXPECT_NE(message.find("one degree"), std::string::npos) << message;
    EXPECT_FALSE(folder.names().contains("a.hgt"));
}

TEST(TileOfEarth, Dted) {
    Folder folder;
    Terrain terrain = tile_of_earth(folder, "DTED", "a.dt0", 121);
    EXPECT_EQ(statistics(terrain.height()).missing, 1);
    EXPECT_TRUE(is_missing(terrain.height().at(3, 2)));
    EXPECT_EQ(terrain.height().at(120, 120), 220 - 2 * (120 % 90));
}

// The library of the classic format reads what was cut off as zeros.
TEST(ClassicNetCdf, CutOffIsRefused) {
    for (const char* kind : {"NC", "NC2"}) {
        Folder folder;
        Known known(false);
        make_raster(folder / "known.tif", known.size, GDT_Float32, known.heights, place);
        translate(folder / "known.tif", folder / "a.nc",
                  {"-of", "netCDF", "-co", "FORMAT=" + std::string(kind)});
        std::string whole = file_text(folder / "a.nc");
        EXPECT_EQ(statistics(read_terrain(folder / "a.nc").height()).missing, 1);
        for (size_t left : {whole.size() - 1, whole.size() - 300, whole.size() / 2, size_t(100), size_t(9)}) {
            write_text(folder / "cut.nc", whole.substr(0, left));
            std::string message = refusal("cut.nc", [&] { read_terrain(folder / "cut.nc"); });
            EXPECT_NE(message.find("cut off"), std::string::npos) << message;
        }
    }
}

TEST(UsgsDem, IsRead) {
    Folder folder;
    Known known(true);
    make_raster(folder / "known.tif", known.size, GDT_Int16, known.heights, place);
    translate(folder / "known.tif", folder / "a.dem", {"-of", "USGSDEM"});
    Terrain terrain = read_terrain(folder / "a.dem");
    EXPECT_EQ(terrain.grid().cell, 10);
    FieldStatistics heights = statistics(terrain.height());
    // Its cells lie at corners, half a cell beside those of the raster; the values are the same.
    EXPECT_EQ(heights.low, float(std::round(*std::ranges::min_element(known.heights, {}, [](double height) {
                  return height == nodata ? 0 : height;
              }))));
    EXPECT_GE(heights.missing, 1);
}

// ---- what we write ---------------------------------------------------------------------------------------

namespace {

Terrain placed_terrain(Size size, Holes holes) {
    Terrain terrain = rough_terrain(size, holes, 10);
    terrain.set("height", made_field(terrain.rect(), [&](int x, int y) {
                    return is_hole(x, y, holes) ? missing : 900 * scattered(x, y, 4) - 200.3f;
                }));
    terrain.set_georeference({projection_text(25832), {500000, 10, 0, 5400000, 0, -10}, ""});
    return terrain;
}

}  // namespace

class OurHeights : public testing::TestWithParam<const char*> {};

TEST_P(OurHeights, AreReadByGdalBitForBit) {
    std::string ending = GetParam();
    Holes holes = ending == ".xyz" ? Holes::none : Holes::some;
    for (Size size : {Size{37, 23}, Size{300, 2}}) {
        Folder folder;
        Terrain terrain = placed_terrain(size, holes);
        std::string path = folder / ("a" + ending);
        Told told;
        write_terrain(terrain, path, told.context());
        EXPECT_EQ(told.says("hardness was left out"), ending != ".img");
        EXPECT_EQ(told.messages.size(), ending == ".xyz" ? 2u : ending == ".img" ? 0u : 1u);
        Raster raster = open_raster(path);
        ASSERT_TRUE(raster);
        ASSERT_EQ(raster->GetRasterXSize(), size.width);
        ASSERT_EQ(raster->GetRasterYSize(), size.height);
        std::vector<float> cells(size_t(size.cells()));
        ASSERT_EQ(raster->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, size.width, size.height, cells.data(),
                                                     size.width, size.height, GDT_Float32, 0, 0, nullptr),
                  CE_None);
        int has_mark = 0;
        auto mark = float(raster->GetRasterBand(1)->GetNoDataValue(&has_mark));
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                float expected = terrain.height().at(x, y);
                float found = cells[size_t(y) * size_t(size.width) + size_t(x)];
                ASSERT_EQ(found, is_missing(expected) ? mark : expected) << x << " " << y;
            }
        EXPECT_TRUE(has_mark || holes == Holes::none);
        double transform[6];
        ASSERT_EQ(raster->GetGeoTransform(transform), CE_None);
        EXPECT_NEAR(transform[0], 500000, 1e-6);
        EXPECT_NEAR(transform[3], 5400000, 1e-6);
        if (ending != ".xyz") {
            OGRSpatialReference system(raster->GetProjectionRef());
            OGRSpatialReference expected(projection_text(25832).c_str());
            EXPECT_EQ(system.GetUTMZone(nullptr), expected.GetUTMZone(nullptr)) << raster->GetProjectionRef();
        }
        // And by ourselves.
        Terrain read = read_terrain(path);
        EXPECT_TRUE(identical(read.height(), terrain.height()));
        EXPECT_NEAR(read.grid().cell, 10, 1e-9);
    }
}

TEST_P(OurHeights, WithoutAPlaceKeepTheCellSize) {
    Folder folder;
    std::string path = folder / ("a" + std::string(GetParam()));
    Terrain terrain = rough_terrain({20, 30}, Holes::none, 2.5);
    write_terrain(terrain, path);
    Told told;
    Terrain read = read_terrain(path, {}, told.context());
    EXPECT_TRUE(told.messages.empty()) << told.messages.front();
    EXPECT_NEAR(read.grid().cell, 2.5, 1e-9);
    EXPECT_EQ(read.georeference(), nullptr) << read.georeference()->projection;
    EXPECT_TRUE(identical(read.height(), terrain.height()));
}

TEST_P(OurHeights, CancelledLeaveWhatWasThere) {
    Folder folder;
    std::string name = "a" + std::string(GetParam());
    write_text(folder / name, "old");
    Terrain terrain = rough_terrain({300, 300});
    for (double when : {0.0, 0.3, 0.7}) {
        Progress progress([&](double share) {
            if (share > when) progress.cancel();
        });
        EXPECT_THROW(write_terrain(terrain, folder / name, {&progress, {}}), Cancelled) << when;
        EXPECT_EQ(file_text(folder / name), "old");
        EXPECT_EQ(folder.names(), std::set<std::string>{name});
    }
}

INSTANTIATE_TEST_SUITE_P(As, OurHeights,
                         testing::Values(".asc", ".bt", ".img", ".bil", ".flt", ".nc", ".xyz"),
                         [](const auto& info) { return std::string(info.param).substr(1); });

TEST(OurHeights, OfErdasComeWithEveryField) {
    Folder folder;
    Terrain terrain = placed_terrain({37, 23}, Holes::some);
    // The usual mark is a value here, so another one is taken for this field alone.
    Field hardness = terrain.field("hardness");
    hardness.set(3, 4, missing);
    hardness.set(5, 6, -9999);
    terrain.set("hardness", hardness);
    Told told;
    write_terrain(terrain, folder / "a.img", told.context());
    EXPECT_TRUE(told.messages.empty()) << told.messages.front();
    Raster raster = open_raster(folder / "a.img");
    ASSERT_EQ(raster->GetRasterCount(), 2);
    EXPECT_STREQ(raster->GetRasterBand(1)->GetDescription(), "height");
    EXPECT_STREQ(raster->GetRasterBand(2)->GetDescription(), "hardness");
    EXPECT_NE(raster->GetRasterBand(2)->GetNoDataValue(), raster->GetRasterBand(1)->GetNoDataValue());
    Terrain read = read_terrain(folder / "a.img", {}, told.context());
    EXPECT_TRUE(told.messages.empty()) << told.messages.front();
    EXPECT_EQ(read.names(), terrain.names());
    for (const std::string& name : terrain.names())
        EXPECT_TRUE(identical(read.field(name), terrain.field(name))) << name;
}

TEST(OurHeights, OfTerragenStayWithinAStep) {
    Folder folder;
    Terrain terrain = placed_terrain({37, 23}, Holes::none);
    Told told;
    write_terrain(terrain, folder / "a.ter", told.context());
    EXPECT_TRUE(told.says("rounded by up to 0.01"));
    EXPECT_TRUE(told.says("place on Earth"));
    Terrain read = read_terrain(folder / "a.ter");
    ASSERT_EQ(read.rect(), terrain.rect());
    EXPECT_NEAR(read.grid().cell, 10, 1e-4);
    EXPECT_EQ(read.georeference(), nullptr);
    for (int y = 0; y < 23; y++)
        for (int x = 0; x < 37; x++)
            ASSERT_NEAR(read.height().at(x, y), terrain.height().at(x, y), 900.0 / 65535 * 2);
}

TEST(OurHeights, ThatCannotBeWrittenSaySo) {
    Folder folder;
    Terrain holes = placed_terrain({40, 30}, Holes::some);
    for (const char* name : {"a.xyz", "a.ter", "a.r16"}) {
        std::string message = refusal(name, [&] { write_terrain(holes, folder / name); });
        EXPECT_NE(message.find("missing"), std::string::npos) << message;
        EXPECT_NE(message.find("fill-holes"), std::string::npos) << message;
    }
    Terrain turned = placed_terrain({40, 30}, Holes::none);
    turned.set_georeference({projection_text(25832), {500000, 6, 8, 5400000, 8, -6}, ""});
    std::string message = refusal("a.asc", [&] { write_terrain(turned, folder / "a.asc"); });
    EXPECT_NE(message.find("write a .tif"), std::string::npos) << message;
    Terrain marked = placed_terrain({40, 30}, Holes::some);
    Field height = marked.height();
    height.set(20, 20, -32768);
    height.set(21, 20, -9999);
    marked.set("height", height);
    message = refusal("a.bt", [&] { write_terrain(marked, folder / "a.bt"); });
    EXPECT_NE(message.find("-32768"), std::string::npos) << message;
    EXPECT_TRUE(folder.names().empty());
    // Where any number may be the mark, another one is taken.
    write_terrain(marked, folder / "a.asc");
    EXPECT_TRUE(identical(read_terrain(folder / "a.asc").height(), height));
}

// What other programs left beside a file is about the one that was there before.
TEST(OurHeights, AreNotMistakenForTheFileBefore) {
    Folder folder;
    Known known(false);
    make_raster(folder / "known.tif", known.size, GDT_Float32, known.heights, place);
    translate(folder / "known.tif", folder / "a.bt", {"-of", "BT", "-a_nodata", "-777"});
    ASSERT_TRUE(folder.names().contains("a.bt.aux.xml"));
    ASSERT_TRUE(folder.names().contains("a.prj"));
    Terrain terrain = rough_terrain({40, 30}, Holes::some);
    Told told;
    write_terrain(terrain, folder / "a.bt", told.context());
    EXPECT_FALSE(folder.names().contains("a.bt.aux.xml"));
    EXPECT_TRUE(told.says("will be taken for its coordinate system"));
    EXPECT_TRUE(identical(read_terrain(folder / "a.bt").height(), terrain.height()));
}

TEST(Reading, LeavesNothingBeside) {
    Folder folder;
    Known known(false);
    make_raster(folder / "known.tif", known.size, GDT_Float32, known.heights, place);
    translate(folder / "known.tif", folder / "a.asc", {"-of", "AAIGrid"});
    std::set<std::string> before = folder.names();
    for (const char* name : {"known.tif", "a.asc"}) read_terrain(folder / name);
    EXPECT_EQ(folder.names(), before);
}
