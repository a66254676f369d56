// Coordinate systems: what gdal_translate keeps on the way from one file to another is kept here, too.
#include "formats/rasters.h"

#include <map>

using namespace caprock;
using namespace caprock::test;

namespace {

struct Named {
    const char* name;
    const char* system;
    double epoch = 0;
    bool degrees = false;
};

std::ostream& operator<<(std::ostream& out, const Named& named) { return out << named.name; }

constexpr const char* rotated_pole = R"(GEOGCRS["Rotated_pole",
    BASEGEOGCRS["unknown",DATUM["unnamed",ELLIPSOID["Spheroid",6371229,0]]],
    DERIVINGCONVERSION["Pole rotation",METHOD["PROJ ob_tran o_proj=longlat"],
        PARAMETER["o_lon_p",-162,ANGLEUNIT["degree",0.0174532925199433]],
        PARAMETER["o_lat_p",39.25,ANGLEUNIT["degree",0.0174532925199433]],
        PARAMETER["lon_0",180,ANGLEUNIT["degree",0.0174532925199433]]],
    CS[ellipsoidal,2],
        AXIS["longitude",east,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],
        AXIS["latitude",north,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]]])";

constexpr Named systems[] = {
    {"Utm", "EPSG:25832"},
    {"Compound", "EPSG:25832+5783"},
    {"CompoundOfDegrees", "EPSG:4326+5773", 0, true},
    {"Ellipsoidal", "EPSG:4979", 0, true},
    {"ProjectedInThreeAxes", "+proj=utm +zone=32 +datum=WGS84 +units=m +vunits=m +type=crs"},
    {"RotatedPole", rotated_pole, 0, true},
    {"EqualEarth", "EPSG:8857"},
    {"Local", R"(LOCAL_CS["site",UNIT["metre",1]])"},
    {"DynamicWithEpoch", "EPSG:9000", 2021.5, true},
    {"ProjectedWithEpoch", "EPSG:32755", 2020.25},
    {"CompoundWithEpoch", "EPSG:32632+5773", 2019.75},
    {"SouthOriented", "EPSG:2048"},
    {"WithShift",
     "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel "
     "+towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m +type=crs"},
};

OGRSpatialReference system_named(const Named& named) {
    OGRSpatialReference system;
    EXPECT_EQ(system.SetFromUserInput(named.system), OGRERR_NONE);
    system.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    if (named.epoch > 0) system.SetCoordinateEpoch(named.epoch);
    return system;
}

class Systems : public testing::TestWithParam<Named> {
  protected:
    void make(const std::string& path) {
        make_raster(path, {3, 2}, GDT_Float32, {1, 2, 3, 4, 5, 6}, [&](GDALDataset& raster) {
            double transform[6] = {11, 0.001, 0, 47, 0, -0.001};
            double metres[6] = {500000, 10, 0, 5400000, 0, -10};
            raster.SetGeoTransform(GetParam().degrees ? transform : metres);
            OGRSpatialReference system = system_named(GetParam());
            raster.SetSpatialRef(&system);
        });
        if (GetParam().degrees) options_.cell = 100;
    }

    Folder folder_;
    ReadOptions options_;
};

}  // namespace

TEST_P(Systems, AreKeptAsTranslatingKeepsThem) {
    make(folder_ / "a.tif");
    for (const char* written : {"b.tif", "b.img", "b.nc", "b.bt", "b.asc", "b.bil"}) {
        SCOPED_TRACE(written);
        // Other formats cannot say that coordinates grow to the west.
        if (std::string(GetParam().name) == "SouthOriented" && std::string(written) != "b.tif") continue;
        static const std::map<std::string, const char*> drivers = {{"b.tif", "GTiff"},   {"b.img", "HFA"},
                                                                   {"b.nc", "netCDF"},   {"b.bt", "BT"},
                                                                   {"b.asc", "AAIGrid"}, {"b.bil", "EHdr"}};
        const char* driver = drivers.at(written);
        std::filesystem::create_directory(folder_ / "gdal");
        std::string translated = folder_ / ("gdal/" + std::string(written));
        CPLPushErrorHandler(CPLQuietErrorHandler);  // it complains where it has no words
        Raster(GetGDALDriverManager()->GetDriverByName(driver)->CreateCopy(
            translated.c_str(), open_raster(folder_ / "a.tif").get(), FALSE, nullptr, nullptr, nullptr));
        Raster reference = open_raster(translated);
        Told told;
        write_terrain(read_terrain(folder_ / "a.tif", options_), folder_ / written, told.context());
        Raster ours = open_raster(folder_ / written);
        CPLPopErrorHandler();
        OGRSpatialReference wanted = system_named(GetParam());
        const OGRSpatialReference* there = reference ? reference->GetSpatialRef() : nullptr;
        const OGRSpatialReference* found = ours->GetSpatialRef();
        bool kept_by_gdal =
            there && there->IsSame(&wanted) && there->GetCoordinateEpoch() == GetParam().epoch;
        bool kept_by_us = found && found->IsSame(&wanted) && found->GetCoordinateEpoch() == GetParam().epoch;
        if (std::string(written) == "b.tif") {
            EXPECT_TRUE(kept_by_gdal);
        }
        EXPECT_TRUE(kept_by_us || !kept_by_gdal);
        // What is not kept is spoken of.
        EXPECT_EQ(told.says("does not keep all of this coordinate system"), !kept_by_us);
    }
}

TEST_P(Systems, ComeBackInTheSameWords) {
    make(folder_ / "a.tif");
    Terrain terrain = read_terrain(folder_ / "a.tif", options_);
    ASSERT_TRUE(terrain.georeference());
    EXPECT_FALSE(terrain.georeference()->projection.empty());
    write_terrain(terrain, folder_ / "b.tif");
    Terrain again = read_terrain(folder_ / "b.tif", options_);
    write_terrain(again, folder_ / "c.tif");
    EXPECT_EQ(*read_terrain(folder_ / "c.tif", options_).georeference(), *again.georeference());
}

INSTANTIATE_TEST_SUITE_P(Of, Systems, testing::ValuesIn(systems),
                         [](const auto& info) { return std::string(info.param.name); });

// Programs that know nothing newer read what older words can say.
TEST(SystemsInWords, AreOldWordsWhereTheySayEverything) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {1, 2}, [](GDALDataset& raster) {
        double transform[6] = {500000, 10, 0, 5400000, 0, -10};
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text(25832).c_str());
    });
    EXPECT_TRUE(read_terrain(folder / "a.tif").georeference()->projection.starts_with("PROJCS["));
}

// Heights in feet become metres, above the same datum.
TEST(SystemsInWords, KeepTheirVerticalDatumInMetres) {
    Folder folder;
    make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {100, 200}, [](GDALDataset& raster) {
        double transform[6] = {500000, 10, 0, 5400000, 0, -10};
        raster.SetGeoTransform(transform);
        raster.SetProjection(projection_text("EPSG:26915+6360").c_str());
    });
    Terrain terrain = read_terrain(folder / "a.tif");
    EXPECT_EQ(terrain.height().at(0, 0), float(100 * 1200.0 / 3937));
    write_terrain(terrain, folder / "b.tif");
    Raster written = open_raster(folder / "b.tif");
    const OGRSpatialReference* system = written->GetSpatialRef();
    ASSERT_TRUE(system);
    EXPECT_TRUE(system->IsCompound());
    double metres = 0;
    ASSERT_TRUE(system->GetAxis(nullptr, 2, nullptr, &metres));
    EXPECT_EQ(metres, 1);
    EXPECT_STREQ(system->GetAttrValue("VERT_DATUM"), "North American Vertical Datum 1988");
    EXPECT_STREQ(system->GetAuthorityCode("COMPD_CS|VERT_CS|VERT_DATUM"), "5103");
    EXPECT_EQ(folder.names(), (std::set<std::string>{"a.tif", "b.tif"}));
}

TEST(SystemsInWords, DepthsAreSpokenOf) {
    Folder folder;
    for (const char* system : {"EPSG:32632+5831", "EPSG:32632+5773"}) {
        make_raster(folder / "a.tif", {2, 1}, GDT_Float32, {100, 200}, [&](GDALDataset& raster) {
            double transform[6] = {500000, 10, 0, 5400000, 0, -10};
            raster.SetGeoTransform(transform);
            raster.SetProjection(projection_text(system).c_str());
        });
        Told told;
        EXPECT_EQ(read_terrain(folder / "a.tif", {}, told.context()).height().at(1, 0), 200);
        EXPECT_EQ(told.says("depths"), std::string(system) == "EPSG:32632+5831");
    }
}

// A place about a rotated pole is where it is on Earth.
TEST(SystemsInWords, RotatedPolesGoToTheZoneTheyLieIn) {
    Folder folder;
    OGRSpatialReference rotated = system_named({"", rotated_pole});
    OGRSpatialReference usual;
    usual.importFromEPSG(4326);
    usual.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    std::unique_ptr<OGRCoordinateTransformation> way(OGRCreateCoordinateTransformation(&usual, &rotated));
    double x = 11;
    double y = 47;
    ASSERT_TRUE(way->Transform(1, &x, &y));
    make_raster(folder / "a.tif", {60, 50}, GDT_Float32, std::vector<double>(3000, 7),
                [&](GDALDataset& raster) {
                    double transform[6] = {x - 0.03, 0.001, 0, y + 0.025, 0, -0.001};
                    raster.SetGeoTransform(transform);
                    raster.SetSpatialRef(&rotated);
                });
    ReadOptions options;
    options.to_metres = true;
    Told told;
    read_terrain(folder / "a.tif", options, told.context());
    EXPECT_TRUE(told.says("UTM zone 32 north"));
}
