// Lines on the command line: taken, made, written, drawn.
#include "command_line.h"

#include <fstream>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class LinesOnTheCommandLine : public CommandLine {
  protected:
    void SetUp() override { done("noise --size 90x70 --cell 10 --seed 4 -o land.tif"); }
    nlohmann::json lines_of_file(const std::string& file) { return info(file)["lines"]; }
};

TEST_F(LinesOnTheCommandLine, ContoursAreWrittenInEveryFormat) {
    done("land.tif then contours --interval 60 -o a.gpkg -o b.geojson -o c.shp");
    const nlohmann::json a = lines_of_file("a.gpkg");
    ASSERT_EQ(a.size(), 1u);
    EXPECT_EQ(a[0]["name"], "contours");
    EXPECT_GT(int(a[0]["count"]), 3);
    EXPECT_EQ(lines_of_file("b.geojson")[0]["fingerprint"], a[0]["fingerprint"]);
    EXPECT_EQ(lines_of_file("c.shp")[0]["fingerprint"], a[0]["fingerprint"]);
    // What the chain itself says of them.
    const nlohmann::json chain = nlohmann::json::parse(done("land.tif then contours --interval 60 --json"));
    EXPECT_EQ(chain["lines"][0]["fingerprint"], a[0]["fingerprint"]);
    EXPECT_TRUE(contains(done("land.tif then contours --interval 60"), std::string(a[0]["fingerprint"])));
    done("convert a.gpkg d.geojson");
    EXPECT_EQ(lines_of_file("d.geojson")[0]["fingerprint"], a[0]["fingerprint"]);
    // Land that lies nowhere has lines that lie nowhere, in a file of which others would think that it is in degrees.
    EXPECT_FALSE(info("d.geojson").contains("projection"));
    EXPECT_TRUE(contains(file_text(folder_ / "d.geojson"), "\"crs\": null"));
    // None at all are lines as well.
    done("land.tif then contours --base 5000 --interval 100000 -o none.gpkg");
    EXPECT_EQ(lines_of_file("none.gpkg")[0]["count"], 0);
}

TEST_F(LinesOnTheCommandLine, LinesAreTakenAndGivenOn) {
    done("land.tif then road --path \"0,300 450,200 880,400\" --lines built -o typed.tif -o built.gpkg");
    std::ofstream(folder_ / "path.geojson")
        << R"({"type": "LineString", "coordinates": [[0, 300], [450, 200], [880, 400]]})";
    done(
        "land.tif then take path.geojson as way then road --path @way -o taken.tif --save-recipe "
        "recipe.json");
    done("land.tif then road --path @path.geojson -o file.tif --save-recipe kept.json");
    EXPECT_EQ(facts("taken.tif"), facts("typed.tif"));
    EXPECT_EQ(facts("file.tif"), facts("typed.tif"));
    done("run recipe.json -o again.tif");
    EXPECT_EQ(facts("again.tif"), facts("typed.tif"));
    // What was taken into a recipe needs its file no more.
    std::filesystem::remove(folder_ / "path.geojson");
    done("run kept.json -o again.tif");
    EXPECT_EQ(facts("again.tif"), facts("typed.tif"));
    // From step to step.
    done(
        "land.tif then road --path \"0,300 880,400\" --lines built then riverbed --path @built --particles "
        "20 -o river.tif -o both.gpkg");
    EXPECT_EQ(lines_of_file("both.gpkg").size(), 1u);
    done("land.tif then contours then road --lines built -o both.gpkg -o one.geojson:built");
    EXPECT_EQ(lines_of_file("both.gpkg").size(), 2u);
    EXPECT_EQ(lines_of_file("one.geojson")[0]["count"], 1);
    done("land.tif then take both.gpkg:built as way then road --path @way -o way.tif");
    // One layer of a file, and another one of it.
    done("land.tif then take both.gpkg:built as way then take both.gpkg:contours as levels -o taken.gpkg");
    EXPECT_EQ(lines_of_file("taken.gpkg").size(), 2u);
    done("convert both.gpkg:built two.geojson");
    EXPECT_EQ(lines_of_file("two.geojson")[0]["count"], 1);
    EXPECT_EQ(lines_of_file("both.gpkg:built").size(), 1u);
    done("land.tif then interpolate --points \"100,100,500 200,200,400\" -o points.tif");
}

TEST_F(LinesOnTheCommandLine, SaysWhatDoesNotGo) {
    refused("land.tif -o lines.gpkg", {"lines.gpkg", "there are no lines", "contours"});
    refused("land.tif then contours -o lines.gpkg:roads", {"no lines 'roads'", "contours"});
    refused("land.tif then contours then road --lines built -o lines.geojson",
            {"holds one line set", "contours and built", "lines.geojson:built"});
    refused("land.tif then road --path @way -o a.tif", {"road", "needs the lines 'way'", "take"});
    refused("land.tif then road --path @way.gpkg -o a.tif", {"road", "path", "'way.gpkg'", "no such file"});
    refused("land.tif then contours -o nowhere/lines.gpkg", {"nowhere"});
    refused("land.tif then road --path way.gpkg -o a.tif", {"not a place", "'@way.gpkg'"});
    refused("land.tif then contours -o lines.kml", {".gpkg", ".geojson", ".shp"});
    std::ofstream(folder_ / "degrees.geojson")
        << R"({"type": "LineString", "coordinates": [[9.1, 47.3], [9.2, 47.4]]})";
    refused("land.tif then road --path @degrees.geojson -o a.tif", {"degrees.geojson", "degrees"});
    refused("land.tif then take degrees.geojson as way -o a.tif", {"degrees", "take degrees"});
    refused("land.tif then contours --lines \"a b\" -o lines.gpkg", {"contours", "letters"});
    done("land.tif then contours -o lines.gpkg");
    refused("lines.gpkg then smooth -o a.tif", {"holds lines", "take lines.gpkg as"});
    refused("convert lines.gpkg a.tif", {"holds lines"});
    refused("land.tif then take lines.gpkg:roads as way -o a.tif", {"no lines 'roads'", "contours"});
    refused("land.tif then from lines.gpkg then smooth -o a.tif", {"no land"});
    refused("land.tif then take lines.gpkg as way --cell 3 -o a.tif", {"cell"});
    // Lines that are in no file are told of.
    Outcome outcome = caprock("land.tif then contours -o a.tif");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "the lines contours were made and are in no file")) << outcome.err;
}

TEST_F(LinesOnTheCommandLine, InWindowsItSaysBeforehandWhatSeesEverything) {
    done("noise --size 2300x2200 --cell 4 -o large.tif");
    refused("large.tif then contours -o lines.gpkg --memory 17M", {"contours", "all of the terrain at once"});
    // Lines that are only read go through windows.
    std::ofstream(folder_ / "points.geojson") << R"({"type": "Point", "crs": null, "coordinates": [10, 20]})";
    done(
        "large.tif then take points.geojson as wells then smooth --radius 8 -o smooth.tif -o wells.gpkg "
        "--memory 17M");
    EXPECT_EQ(lines_of_file("wells.gpkg")[0]["name"], "wells");
    done("large.tif then smooth --radius 8 -o whole.tif");
    EXPECT_EQ(facts("smooth.tif"), facts("whole.tif"));
}

TEST_F(LinesOnTheCommandLine, ArePartOfPictures) {
    done("land.tif then contours --interval 60 -o c.gpkg");
    done("render land.tif --size 300x240 -o bare.png");
    done("render land.tif --size 300x240 --lines c.gpkg --line-colour 00ff00 --line-width 3 -o lines.png");
    EXPECT_NE(file_text(folder_ / "bare.png"), file_text(folder_ / "lines.png"));
    // Both, each in a colour of its own.
    done("land.tif then road --lines built -o r.gpkg");
    done("render land.tif --size 300x240 --lines c.gpkg --lines r.gpkg -o both.png");
    done("render land.tif --size 300x240 --lines c.gpkg,r.gpkg --line-colour c0392b,1f5fa8 -o same.png");
    EXPECT_EQ(file_text(folder_ / "both.png"), file_text(folder_ / "same.png"));
    done("render land.tif --size 300x240 --lines c.gpkg --line-colour c0392b -o one.png");
    EXPECT_NE(file_text(folder_ / "both.png"), file_text(folder_ / "one.png"));
    refused("render land.tif --lines roads -o a.png", {"roads"});
    refused("render land.tif --lines c.gpkg --line-colour red -o a.png", {"line-colour red", "RRGGBB"});
    refused("render land.tif --lines c.gpkg:roads -o a.png", {"roads", "contours"});
}

TEST_F(LinesOnTheCommandLine, StrokesTakeAndGiveThem) {
    std::ofstream(folder_ / "path.geojson")
        << R"({"type": "LineString", "crs": null, "coordinates": [[10.123456789, 300], [450, 200.000000001], [880, 400]]})";
    done("document new a.caprock --from land.tif");
    done("document import-lines a.caprock path.geojson --name way");
    done("document add a.caprock contours --interval 100");
    done("paint a.caprock --brush raise --radius 30 --along @way --as-lines again");
    done("paint a.caprock --brush raise --radius 30 --along @contours");
    done("document export-lines a.caprock way.gpkg:way");
    done("document export-lines a.caprock again.gpkg:again");
    // To the last bit; a line of a stroke says what it was painted with.
    const nlohmann::json way = lines_of_file("way.gpkg")[0], again = lines_of_file("again.gpkg")[0];
    EXPECT_EQ(way["points"], again["points"]);
    EXPECT_EQ(way["length"], again["length"]);
    refused("paint a.caprock --along @roads", {"no lines 'roads'", "way", "contours"});
    refused("paint a.caprock --along @way --as-lines \"a b\"", {"letters"});
    refused("document import-lines a.caprock path.geojson --name \"a b\"", {"'a b'", "letters"});
    EXPECT_TRUE(contains(done("help contours"), "writes  the lines contours"));
}

}  // namespace
}  // namespace caprock::test
