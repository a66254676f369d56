// What files beside a raster say of it: its place, its missing cells, its units; and what is left beside one.
#include "formats/rasters.h"

#include <cmath>

using namespace caprock;
using namespace caprock::test;

namespace {

namespace fs = std::filesystem;

constexpr const char* notes = R"(<PAMDataset>
  <SRS>EPSG:25832</SRS>
  <GeoTransform>500000, 10, 0, 5400000, 0, -10</GeoTransform>
  <PAMRasterBand band="1">
    <NoDataValue>-9999</NoDataValue>
    <UnitType>ft</UnitType>
    <Offset>100</Offset>
    <Scale>2</Scale>
  </PAMRasterBand>
</PAMDataset>)";

void expect_noted(const std::string& path) {
    Told told;
    Terrain terrain = read_terrain(path, {}, told.context());
    EXPECT_TRUE(is_missing(terrain.height().at(0, 0)));
    EXPECT_EQ(terrain.height().at(1, 0), float((100 + 2 * 20) * 0.3048));
    EXPECT_TRUE(told.says("converted to metres"));
    EXPECT_EQ(terrain.grid().cell, 10);
    ASSERT_TRUE(terrain.georeference());
    EXPECT_EQ(terrain.georeference()->transform[3], 5400000);
    EXPECT_NE(terrain.georeference()->projection.find("UTM zone 32N"), std::string::npos);
    expect_windows_of_the_whole(path);
}

}  // namespace

TEST(FilesBeside, AuxXmlIsHeeded) {
    Folder folder;
    make_raster(folder / "a.tif", {3, 1}, GDT_Float32, {-9999, 20, 30});
    write_text(folder / "a.tif.aux.xml", notes);
    expect_noted(folder / "a.tif");
    // In any format, and whatever the environment says.
    Raster made = open_raster(folder / "a.tif");
    GDALAllRegister();
    for (const char* driver : {"HFA", "AAIGrid"}) {
        std::string path = folder / (std::string(driver) == "HFA" ? "b.img" : "b.asc");
        Raster(GetGDALDriverManager()->GetDriverByName(driver)->CreateCopy(path.c_str(), made.get(), FALSE,
                                                                           nullptr, nullptr, nullptr));
        fs::remove(path + ".aux.xml");
        write_text(path + ".aux.xml",
                   R"(<PAMDataset><PAMRasterBand band="1"><Offset>7</Offset></PAMRasterBand></PAMDataset>)");
        EXPECT_EQ(read_terrain(path).height().at(1, 0), 27) << driver;
    }
}

TEST(FilesBeside, AuxOfErdasIsHeeded) {
    Folder folder;
    make_raster(folder / "a.tif", {3, 1}, GDT_Float32, {-9999, 20, 30});
    GDALAllRegister();
    const char* options[] = {"DEPENDENT_FILE=a.tif", "AUX=YES", nullptr};
    Raster aux(GetGDALDriverManager()->GetDriverByName("HFA")->Create(
        (folder / "a.aux").c_str(), 3, 1, 1, GDT_Float32, const_cast<char**>(options)));
    ASSERT_TRUE(aux);
    double transform[6] = {500000, 10, 0, 5400000, 0, -10};
    aux->SetGeoTransform(transform);
    aux->SetProjection(projection_text(25832).c_str());
    aux->GetRasterBand(1)->SetNoDataValue(-9999);
    aux.reset();
    // What GDAL itself makes of them.
    Raster known = open_raster(folder / "a.tif");
    int marked = 0;
    ASSERT_EQ(known->GetRasterBand(1)->GetNoDataValue(&marked), -9999);
    ASSERT_TRUE(marked);
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_TRUE(is_missing(terrain.height().at(0, 0)));
    EXPECT_EQ(terrain.grid().cell, 10);
    // A new file of that name is not what the notes are about.
    write_terrain(rough_terrain({3, 1}), folder / "a.tif");
    EXPECT_FALSE(fs::exists(folder / "a.aux"));
}

TEST(FilesBeside, WorldFilesAreHeeded) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {1, 2});
    write_text(folder / "a.tfw", "25\n0\n0\n-25\n100012.5\n199987.5\n");
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_EQ(terrain.grid().cell, 25);
    EXPECT_EQ(terrain.georeference()->transform, (std::array<double, 6>{100000, 25, 0, 200000, 0, -25}));
}

TEST(FilesBeside, ReadingLeavesNone) {
    Folder folder;
    make_raster(folder / "a.tif", {3, 1}, GDT_Float32, {-9999, 20, 30});
    make_png(folder / "b.png", {2, 2}, GDT_UInt16, 1, {1, 2, 3, 4});
    std::set<std::string> before = folder.names();
    read_terrain(folder / "a.tif");
    read_terrain(folder / "b.png");
    EXPECT_EQ(folder.names(), before);
    write_text(folder / "a.tif.aux.xml", notes);
    read_terrain(folder / "a.tif");
    EXPECT_EQ(file_text(folder / "a.tif.aux.xml"), notes);
}

TEST(FilesBeside, OfTheFileBeforeAreForgotten) {
    Folder folder;
    write_text(folder / "a.tif.aux.xml", notes);
    // A mask by which nothing would be there.
    make_raster(folder / "a.tif", {3, 1}, GDT_Float32, {1, 2, 3}, [](GDALDataset& raster) {
        raster.CreateMaskBand(GMF_PER_DATASET);
        std::vector<uint8_t> mask = {0, 255, 255};
        EXPECT_EQ(raster.GetRasterBand(1)->GetMaskBand()->RasterIO(GF_Write, 0, 0, 3, 1, mask.data(), 3, 1,
                                                                   GDT_Byte, 0, 0, nullptr),
                  CE_None);
    });
    ASSERT_TRUE(fs::exists(folder / "a.tif.msk"));
    EXPECT_TRUE(is_missing(read_terrain(folder / "a.tif").height().at(0, 0)));
    write_terrain(rough_terrain({3, 1}), folder / "a.tif");
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.tif"});
    EXPECT_EQ(statistics(read_terrain(folder / "a.tif").height()).missing, 0);
}

TEST(FilesBeside, ThatMayBeAnothersAreSpokenOf) {
    Folder folder;
    write_text(folder / "a.pgw", "10\n0\n0\n-10\n500000\n5400000\n");
    Terrain terrain = rough_terrain({3, 2});
    terrain.remove("hardness");
    Told told;
    write_terrain(terrain, folder / "a.png", told.context());
    EXPECT_TRUE(told.says("a.pgw' lies beside"));
    EXPECT_TRUE(std::filesystem::exists(folder / "a.pgw"));
}
