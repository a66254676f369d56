// Files of lines: what is written is read back, and what GDAL itself sees in them is what was meant.
#include "base/error.h"
#include "formats/format_table.h"
#include "formats/line_files.h"
#include "support/folder.h"
#include "support/refusals.h"
#include "terrain/line_text.h"

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <gdal_priv.h>
#include <gtest/gtest.h>
#include <ogrsf_frmts.h>
#include <random>

namespace caprock::test {
namespace {

Terrain bare() { return Terrain(Grid{Rect::of({64, 48}), 4, {0, 100}}); }

std::string wkt_of(int code) {
    OGRSpatialReference system;
    system.importFromEPSG(code);
    char* text = nullptr;
    system.exportToWkt(&text);
    std::string result = text;
    CPLFree(text);
    return result;
}

Terrain placed(int code, std::array<double, 6> transform) {
    Terrain terrain = bare();
    Georeference place;
    place.projection = wkt_of(code);
    place.transform = transform;
    terrain.set_georeference(place);
    return terrain;
}

// In cells of 4 m: powers of two, so that every place is exact.
Terrain in_utm() { return placed(32632, {500000, 4, 0, 5200000, 0, -4}); }

LineSet roads() {
    return LineSet({{{{0, 0}, {30.5, 40.25}, {31, 100}},
                     false,
                     {{"name", std::string("Hauptstra\xc3\x9f"
                                           "e")},
                      {"lanes", int64_t(2)},
                      {"width", 7.5}}},
                    {{{10, 10}, {20, 10}, {20, 20}}, true, {{"lanes", int64_t(-1)}}}});
}

std::vector<std::string> told;
FileContext telling() {
    told.clear();
    return {nullptr, [](const std::string& message) { told.push_back(message); }};
}

class LineFiles : public testing::TestWithParam<std::string> {
  protected:
    Folder folder;
    std::string path = folder / ("roads" + GetParam());
    const LineFormat& format = *line_format_of_name(path);
};

TEST_P(LineFiles, KeepLinesWithTheirAttributes) {
    for (const Terrain& shape : {bare(), in_utm()}) {
        write_lines({{"roads", roads()}}, shape, path, telling());
        EXPECT_TRUE(told.empty()) << told[0];
        EXPECT_EQ(read_lines(path, "", shape), roads());
        EXPECT_EQ(line_layers(path), std::vector<std::string>{"roads"});
    }
}

TEST_P(LineFiles, KeepPointsAndHeights) {
    const LineSet springs = parse_points("1,2,300.5 -3.25,4,299");
    write_lines({{"springs", springs}}, bare(), path, telling());
    EXPECT_EQ(read_lines(path, "", bare()), springs);
    const LineSet high = parse_lines("0,0,100 10,0,101.5 10,10,99");
    write_lines({{"roads", high}}, in_utm(), path, telling());
    EXPECT_EQ(read_lines(path, "", in_utm()), high);
    EXPECT_TRUE(told.empty()) << told[0];
}

TEST_P(LineFiles, KeepEveryBitOfPlainCoordinates) {
    std::mt19937_64 random(11);
    auto any = [&] {
        for (;;) {
            // Exponents that lengths have; GeoJSON's readers take others as well, but no file of land has them.
            const double number = std::bit_cast<double>(random());
            if (std::isfinite(number) && std::abs(number) < 1e15 && std::abs(number) > 1e-15) return number;
        }
    };
    std::vector<Line> lines(40);
    for (Line& line : lines) {
        for (int i = 0; i < 5; i++) line.points.emplace_back(any(), any(), any());
        line.attributes["depth"] = any();
        line.attributes["count"] = int64_t(random() % 1000000007);
    }
    write_lines({{"any", LineSet(lines)}}, bare(), path);
    const LineSet read = read_lines(path, "", bare());
    if (format.longest_name > 0) {
        // Numbers in a Shapefile's table are text of so many digits; its coordinates are not.
        ASSERT_EQ(read.size(), lines.size());
        for (size_t i = 0; i < lines.size(); i++) EXPECT_EQ(read.lines()[i].points, lines[i].points);
        return;
    }
    EXPECT_EQ(read, LineSet(lines));
}

TEST_P(LineFiles, LieWhereOthersSeeThem) {
    write_lines({{"roads", parse_lines("0,0 8,12")}}, in_utm(), path);
    GDALAllRegister();
    std::unique_ptr<GDALDataset> file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
    ASSERT_TRUE(file);
    OGRLayer& layer = *file->GetLayer(0);
    ASSERT_TRUE(layer.GetSpatialRef());
    EXPECT_STREQ(layer.GetSpatialRef()->GetAuthorityCode(nullptr), "32632");
    OGRFeatureUniquePtr feature(layer.GetNextFeature());
    const OGRLineString& line = *feature->GetGeometryRef()->toLineString();
    // The sample of the first cell is the middle of its pixel; rows go to the south.
    EXPECT_EQ(line.getX(0), 500002);
    EXPECT_EQ(line.getY(0), 5199998);
    EXPECT_EQ(line.getX(1), 500010);
    EXPECT_EQ(line.getY(1), 5199986);
}

TEST_P(LineFiles, AreTransformedIntoTheTerrainsSystem) {
    // Web Mercator is a formula that one can write down.
    const double radius = 6378137, degree = M_PI / 180;
    const double longitude = 11.5, latitude = 47.25;
    const double x = radius * longitude * degree;
    const double y = radius * std::log(std::tan(M_PI / 4 + latitude * degree / 2));
    const Terrain degrees = placed(4326, {11, 0.5, 0, 48, 0, -0.5});
    // In degrees of half a cell each: the first sample is at 11.25, 47.75.
    write_lines({{"spring", parse_points("2,4")}}, degrees, path);
    const Terrain metres = placed(3857, {x - 2, 4, 0, y + 2, 0, -4});
    const LineSet there = read_lines(path, "", metres);
    ASSERT_EQ(there.size(), 1u);
    EXPECT_NEAR(there.lines()[0].points[0].x, 0, 1e-6);
    EXPECT_NEAR(there.lines()[0].points[0].y, 0, 1e-6);
}

TEST_P(LineFiles, AppearWholeOrNotAtAll) {
    write_lines({{"roads", roads()}}, bare(), path);
    const std::set<std::string> before = folder.names();
    const LineSet broken({{{{0, std::nan("")}}}});
    EXPECT_THROW(write_lines({{"roads", broken}}, bare(), path), Error);
    EXPECT_EQ(folder.names(), before);
    EXPECT_EQ(read_lines(path, "", bare()), roads());
    EXPECT_THROW(write_lines({}, bare(), path), Error);
    EXPECT_THROW(write_lines({{"roads", roads()}}, bare(), folder / ("none/a" + GetParam())), Error);
}

TEST_P(LineFiles, TheSameLinesGiveTheSameBytes) {
    auto bytes = [&](const std::string& name) {
        write_lines({{"roads", roads()}}, in_utm(), folder / name);
        std::ifstream file(folder / name, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const std::string first = bytes("roads" + GetParam());
    EXPECT_EQ(bytes("roads" + GetParam()), first);
}

TEST_P(LineFiles, DamagedFilesAreRefused) {
    // Many lines, so that the file has pages to lose.
    std::vector<Line> many;
    for (int i = 0; i < 300; i++)
        many.push_back({{{double(i), 0}, {0, double(i)}, {5, 5}}, false, {{"name", std::string(30, 'x')}}});
    write_lines({{"roads", LineSet(many)}}, bare(), path);
    std::ifstream file(path, std::ios::binary);
    const std::string whole(std::istreambuf_iterator<char>(file), {});
    for (size_t kept : {size_t(0), size_t(10), size_t(90), whole.size() / 3, whole.size() * 9 / 10}) {
        std::ofstream(path, std::ios::binary) << whole.substr(0, kept);
        const std::string why = refusal([&] { read_lines(path, "", bare()); });
        EXPECT_NE(why.find(path), std::string::npos) << "took " << kept << " of " << whole.size() << " bytes";
    }
    // Whatever other bytes do, they do not bring the program down.
    std::mt19937_64 random(3);
    for (int i = 0; i < 60; i++) {
        std::string changed = whole;
        for (int j = 0; j < 8; j++) changed[random() % changed.size()] = char(random());
        std::ofstream(path, std::ios::binary) << changed;
        refusal([&] { read_lines(path, "", bare()).check(); });
    }
    EXPECT_NE(refusal([&] { read_lines(folder / "none.gpkg", "", bare()); }).find("no such file"),
              std::string::npos);
    EXPECT_NE(refusal([&] { read_lines(folder.path(), "", bare()); }).find("folder"), std::string::npos);
}

std::string ending_name(const testing::TestParamInfo<std::string>& info) { return info.param.substr(1); }
INSTANTIATE_TEST_SUITE_P(Every, LineFiles, testing::ValuesIn(line_endings()), ending_name);

TEST(LineFile, AGeoPackageHoldsManySets) {
    Folder folder;
    const std::string path = folder / "land.gpkg";
    const LineSet springs = parse_points("1,2");
    write_lines({{"roads", roads()}, {"springs", springs}}, bare(), path);
    EXPECT_EQ(read_lines(path, "springs", bare()), springs);
    EXPECT_EQ(read_lines(path, "roads", bare()), roads());
    const std::string which = refusal([&] { read_lines(path, "", bare()); });
    EXPECT_NE(which.find("roads and springs"), std::string::npos) << which;
    const std::string none = refusal([&] { read_lines(path, "spring", bare()); });
    EXPECT_NE(none.find("springs"), std::string::npos) << none;
    EXPECT_NE(refusal([&] {
                  write_lines({{"roads", roads()}, {"springs", springs}}, bare(), folder / "a.geojson");
              }).find(".gpkg"),
              std::string::npos);
}

TEST(LineFile, AGeoPackageKeepsAnyNameAndPartOfTheHeights) {
    Folder folder;
    const LineSet odd(
        {{{{0, 0, 5}, {1, 1}}, false, {{"fid", int64_t(9)}, {"geom", std::string("x")}}}, {{{4, 4}}}});
    write_lines({{"odd", odd}}, bare(), folder / "odd.gpkg");
    EXPECT_EQ(read_lines(folder / "odd.gpkg", "", bare()), odd);
}

TEST(LineFile, AShapefileTellsWhatItCannotKeep) {
    Folder folder;
    const LineSet lines({{{{0, 0}, {1, 1}}, false, {{"a-name-of-many-letters", int64_t(1)}}}});
    write_lines({{"roads", lines}}, bare(), folder / "roads.shp", telling());
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("a-name-of-many-letters is a-name-of-"), std::string::npos) << told[0];
    const std::string both = refusal([&] {
        write_lines({{"all", parse_lines("0,0; 1,1 2,2")}}, bare(), folder / "all.shp");
    });
    EXPECT_NE(both.find("points or lines"), std::string::npos) << both;
    write_lines({{"roads", parse_lines("0,0,5 1,1")}}, bare(), folder / "roads.shp", telling());
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("heights"), std::string::npos) << told[0];
}

TEST(LineFile, GeoJsonOfOthersIsInLongitudeAndLatitude) {
    Folder folder;
    const std::string path = folder / "of-others.geojson";
    std::ofstream(path) << R"({"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"kind": "lake", "depth": 3, "tags": null},
         "geometry": {"type": "Polygon", "coordinates": [[[9, 0], [9.001, 0], [9.001, 0.001], [9, 0]]]}},
        {"type": "Feature", "properties": {}, "geometry": null},
        {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPoint", "coordinates": [[9, 0], [9, 0]]}}]})";
    // The middle of zone 32 on the equator.
    const LineSet read = read_lines(path, "", placed(32632, {500000 - 2, 4, 0, 2, 0, -4}));
    ASSERT_EQ(read.size(), 3u);
    EXPECT_TRUE(read.lines()[0].closed);
    EXPECT_EQ(read.lines()[0].points.size(), 3u);
    EXPECT_NEAR(read.lines()[0].points[0].x, 0, 1e-6);
    EXPECT_NEAR(read.lines()[0].points[0].y, 0, 1e-6);
    EXPECT_NEAR(read.lines()[0].points[1].x, 111.28, 0.05);
    EXPECT_LT(read.lines()[0].points[2].y, -100) << "north is up, and metres go to the south";
    EXPECT_EQ(std::get<int64_t>(read.lines()[0].attributes.at("depth")), 3);
    EXPECT_EQ(read.lines()[0].attributes.size(), 2u) << "what is null is not there";
    // On a terrain without a place they would be taken for metres; those beyond all degrees are such, and so are those of a file
    // that says that it has no system.
    EXPECT_NE(refusal([&] { read_lines(path, "", bare()); }).find("degrees"), std::string::npos);
    auto first_of = [&](const char* text) {
        std::ofstream(path) << text;
        return read_lines(path, "", bare()).lines()[0].points[0];
    };
    EXPECT_EQ(first_of(R"({"type": "LineString", "coordinates": [[9, 0], [450, 200]]})"), LinePoint(9, 0));
    EXPECT_EQ(first_of(R"({"type": "LineString", "crs" : null, "coordinates": [[9, 0], [45, 20]]})"),
              LinePoint(9, 0));
}

TEST(LineFile, GeoJsonOfASystemWithoutANumberIsInLongitudeAndLatitude) {
    Folder folder;
    Terrain own = bare();
    Georeference place;
    OGRSpatialReference system;
    system.SetFromUserInput("+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=0 +ellps=WGS84 +units=m +type=crs");
    char* text = nullptr;
    system.exportToWkt(&text);
    place.projection = text;
    CPLFree(text);
    place.transform = {-2, 4, 0, 2, 0, -4};
    own.set_georeference(place);
    write_lines({{"roads", parse_lines("0,0 100,0")}}, own, folder / "roads.geojson", telling());
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("longitude"), std::string::npos) << told[0];
    EXPECT_EQ(read_line_file(folder / "roads.geojson").lines.lines()[0].points[0].x, 9);
    EXPECT_NEAR(read_lines(folder / "roads.geojson", "", own).lines()[0].points[1].x, 100, 1e-6);
}

TEST(LineFile, NoneAreLinesAndOtherFilesAreRefused) {
    Folder folder;
    for (const std::string ending : {".geojson", ".gpkg", ".shp"}) {
        write_lines({{"none", LineSet()}}, bare(), folder / ("none" + ending));
        EXPECT_TRUE(read_lines(folder / ("none" + ending), "", bare()).empty()) << ending;
    }
    std::ofstream(folder / "words.gpkg") << "these are no lines, but a text of some length";
    EXPECT_NE(refusal([&] { read_lines(folder / "words.gpkg", "", bare()); }).find("words.gpkg"),
              std::string::npos);
    EXPECT_NE(refusal([&] { check_writable(folder / "roads.tif", FileKind::lines); }).find(".gpkg"),
              std::string::npos);
}

TEST(LinesAsShapefile, TellWhatIsShortened) {
    Folder folder;
    const LineSet lines({{{{0, 0}, {5, 6}},
                          false,
                          {{"width", 1e300}, {"name", std::string(300, 'x')}, {"lanes", int64_t(2)}}}});
    write_lines({{"roads", lines}}, bare(), folder / "a.shp", telling());
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("name and width"), std::string::npos) << told[0];
    const LineSet short_ones({{{{0, 0}, {5, 6}}, false, {{"width", 7.5}, {"name", std::string("A 1")}}}});
    write_lines({{"roads", short_ones}}, bare(), folder / "b.shp", telling());
    EXPECT_TRUE(told.empty()) << told[0];
}

}  // namespace
}  // namespace caprock::test
