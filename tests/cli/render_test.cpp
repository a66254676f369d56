// Pictures from the command line: relief, maps of fields, several terrains in one.
#include "cli/command_line.h"

using namespace caprock::test;

class Render : public CommandLine {
  protected:
    // Width and height of a picture, from its header: four bytes each, the highest first.
    std::vector<int> size_of(const std::string& file) {
        std::string text = file_text(folder_ / file);
        EXPECT_EQ(text.substr(0, 4), "\x89PNG") << file;
        auto number = [&](size_t at) {
            int value = 0;
            for (size_t i = at; i < at + 4; i++) value = value << 8 | static_cast<unsigned char>(text.at(i));
            return value;
        };
        return {number(16), number(20)};
    }
    void make_terrains() {
        done("noise --size 40x30 then noise --field hardness --seed 3 -o a.tif");
        done("noise --size 20x24 --seed 2 -o b.tif");
    }
};

using Pixels = std::vector<int>;

TEST_F(Render, AMapOfAField) {
    make_terrains();
    EXPECT_EQ(done("render a.tif --field hardness -o map.png"), "");
    EXPECT_EQ(size_of("map.png"), (Pixels{40, 30}));
    // The lowest is black and the highest white: the heights of the picture span all of its range.
    Outcome outcome = caprock("info map.png --json --range 0:255");
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["fields"][0]["lowest"], 0);
    EXPECT_EQ(nlohmann::json::parse(outcome.out)["fields"][0]["highest"], 255);
    done("render a.tif --field hardness --values -1:3 -o grey.png");
    outcome = caprock("info grey.png --json --range 0:255");
    EXPECT_GT(nlohmann::json::parse(outcome.out)["fields"][0]["lowest"], 60);
    EXPECT_LT(nlohmann::json::parse(outcome.out)["fields"][0]["highest"], 130);
    // The same by the word of the file, which goes before --field.
    done("render a.tif:hardness -o word.png");
    EXPECT_EQ(file_text(folder_ / "word.png"), file_text(folder_ / "map.png"));
    done("render a.tif:hardness --field height -o word.png");
    EXPECT_EQ(file_text(folder_ / "word.png"), file_text(folder_ / "map.png"));
    done("render a.tif --field height -o height.png");
    EXPECT_NE(file_text(folder_ / "height.png"), file_text(folder_ / "map.png"));
}

TEST_F(Render, AFileWithAColonGoesFirst) {
    make_terrains();
    std::filesystem::copy(folder_ / "b.tif", folder_ / "a.tif:hardness");
    done("render a.tif:hardness -o relief.png");
    EXPECT_EQ(size_of("relief.png"), (Pixels{20, 24}));
    std::filesystem::rename(folder_ / "a.tif", folder_ / "odd:name.tif");
    done("render odd:name.tif -o relief.png");
    EXPECT_EQ(size_of("relief.png"), (Pixels{40, 30}));
    done("render odd:name.tif:hardness -o map.png");
    EXPECT_EQ(size_of("map.png"), (Pixels{40, 30}));
}

TEST_F(Render, SeveralTerrainsAreOnePicture) {
    make_terrains();
    // Boxes of the widest and the highest, 6 pixels between them and around.
    done("render a.tif b.tif a.tif:hardness -o row.png");
    EXPECT_EQ(size_of("row.png"), (Pixels{3 * 46 + 6, 36 + 6}));
    done("render a.tif b.tif a.tif:hardness --columns 2 -o rows.png");
    EXPECT_EQ(size_of("rows.png"), (Pixels{2 * 46 + 6, 2 * 36 + 6}));
    done("render a.tif b.tif a.tif b.tif a.tif -o five.png");
    EXPECT_EQ(size_of("five.png"), (Pixels{4 * 46 + 6, 2 * 36 + 6}));
    done("render a.tif b.tif --field height --values 0:1000 --longest-side 10 -o small.png");
    EXPECT_EQ(size_of("small.png"), (Pixels{2 * 16 + 6, 10 + 12}));
    // One terrain has nothing around it.
    done("render b.tif --columns 3 -o one.png");
    EXPECT_EQ(size_of("one.png"), (Pixels{20, 24}));
}

TEST_F(Render, SmallTerrainsAreEnlarged) {
    make_terrains();
    done("render a.tif --enlarge 4 -o a.png");
    EXPECT_EQ(size_of("a.png"), (Pixels{160, 120}));
    done("render a.tif:hardness --enlarge 4 -o a.png");
    EXPECT_EQ(size_of("a.png"), (Pixels{160, 120}));
    // As far as the longest side allows, each.
    done("render a.tif b.tif --enlarge 64 --longest-side 100 -o a.png");
    EXPECT_EQ(size_of("a.png"), (Pixels{2 * 86 + 6, 96 + 12}));
}

TEST_F(Render, APictureOfTheSizeAskedFor) {
    make_terrains();
    done("render a.tif --size 200x90 -o a.png");
    EXPECT_EQ(size_of("a.png"), (Pixels{200, 90}));
    done("render a.tif b.tif --size 64x48 -o two.png");
    EXPECT_EQ(size_of("two.png"), (Pixels{2 * 70 + 6, 54 + 6}));
    done("render a.tif:hardness --size 120 --crisp --scheme verdant -o h.png");
    EXPECT_EQ(size_of("h.png"), (Pixels{120, 120}));
}

TEST_F(Render, EveryOptionChangesThePicture) {
    done(
        "noise --size 60x50 --range -100:500 then normalise then noise --field hardness --seed 3 "
        "then hydraulic-erosion --steps 30 -o a.tif");
    done("render a.tif --size 300x250 -o plain.png");
    std::string plain = file_text(folder_ / "plain.png");
    for (const char* options :
         {"--scheme swiss", "--scheme plain", "--contours 20", "--contours auto", "--grid 100", "--grid auto",
          "--legend", "--water", "--crisp", "--hillshade none", "--hillshade multi", "--sun 90,40",
          "--sun 315,20", "--sea-level 200", "--exaggeration 2", "--scheme verdant --values 0:100"}) {
        done(std::string("render a.tif --size 300x250 ") + options + " -o other.png");
        EXPECT_EQ(size_of("other.png"), (Pixels{300, 250})) << options;
        EXPECT_NE(file_text(folder_ / "other.png"), plain) << options;
    }
    for (const char* same :
         {"--view map", "--contours 0", "--grid 0", "--hillshade single", "--sun 315,40", "--scheme earth"}) {
        done(std::string("render a.tif --size 300x250 ") + same + " -o other.png");
        EXPECT_EQ(file_text(folder_ / "other.png"), plain) << same;
    }
    done("render a.tif --size 300x250 --contours 20 -o thin.png");
    done("render a.tif --size 300x250 --contours 20 --lettering 2 -o bold.png");
    EXPECT_NE(file_text(folder_ / "thin.png"), file_text(folder_ / "bold.png"));
    // A map of a field is flat unless light is asked for.
    done("render a.tif:hardness --size 300x250 -o flat.png");
    done("render a.tif:hardness --size 300x250 --hillshade none -o none.png");
    done("render a.tif:hardness --size 300x250 --hillshade single -o lit.png");
    EXPECT_EQ(file_text(folder_ / "flat.png"), file_text(folder_ / "none.png"));
    EXPECT_NE(file_text(folder_ / "flat.png"), file_text(folder_ / "lit.png"));
}

TEST_F(Render, ASheetHasNamesUnderItsPictures) {
    make_terrains();
    // 22 pixels for the names below every box.
    done("render --sheet a.tif b.tif a.tif:hardness --columns 2 -o sheet.png");
    EXPECT_EQ(size_of("sheet.png"), (Pixels{2 * 46 + 6, 2 * 58 + 6}));
    done("render --sheet b.tif --size 100x80 -o one.png");
    EXPECT_EQ(size_of("one.png"), (Pixels{112, 114}));
    std::filesystem::copy(folder_ / "b.tif", folder_ / "c.tif");
    done("render --sheet c.tif --size 100x80 -o other.png");
    EXPECT_NE(file_text(folder_ / "one.png"), file_text(folder_ / "other.png"));
}

TEST_F(Render, WrongWordsOfAMap) {
    make_terrains();
    refused("render a.tif --scheme swis -o x.png", {"'swis'", "'swiss'", "hypsometric"});
    refused("render a.tif --scheme green -o y.png --size 8x8 --field height",
            {"'a.tif'", "'green'", "'height'"});
    refused("render b.tif --scheme green -o x.png", {"'b.tif'", "'hardness'", "height"});
    refused("render a.tif --size 10by20 -o x.png", {"size 10by20", "1920x1080"});
    refused("render a.tif --size 40000x10 -o x.png", {"size 40000x10", "32768"});
    refused("render a.tif --size 40x10 --enlarge 2 -o x.png", {"--size", "--enlarge"});
    refused("render a.tif --contours many -o x.png", {"contours many", "'auto'"});
    refused("render a.tif --contours -3 -o x.png", {"contours -3", "metres"});
    refused("render a.tif --contours 0.001 -o x.png", {"'a.tif'", "contours 0.001", "at least"});
    refused("render a.tif --grid x -o x.png", {"grid x", "'auto'"});
    refused("render a.tif --sun 315 -o x.png", {"sun 315", "315,40"});
    refused("render a.tif --sun 315,95 -o x.png", {"sun 315,95", "1 to 90"});
    refused("render a.tif --hillshade two -o x.png", {"hillshade two", "none, single or multi"});
    refused("render a.tif --view 4d -o x.png", {"view 4d", "map"});
    refused("render a.tif --water -o x.png", {"'a.tif'", "'water'"});
    refused("render a.tif --lettering 9 -o x.png", {"lettering 9", "0.5 to 8"});
    done("noise --size 60x40 -o a.r16");
    refused("render a.r16 -o x.png", {"'a.r16'", "--raw-size", "60x40"});
}

TEST_F(Render, WhatCannotBeDrawn) {
    make_terrains();
    done("noise --size 8 --field hardness -o flat.tif");
    refused("render a.tif --field hardnes -o x.png", {"'a.tif'", "'hardnes'", "height and hardness"});
    refused("render a.tif b.tif --field hardness -o x.png", {"'b.tif'", "'hardness'", "height"});
    refused("render a.tif flat.tif -o x.png", {"'flat.tif'", "'height'", "hardness"});
    refused("render a.tif: -o x.png", {"'a.tif:'", "FILE:FIELD"});
    refused("render :height -o x.png", {"':height'", "FILE:FIELD"});
    refused("render none.tif:height -o x.png", {"'none.tif'", "no such file"});
    refused("render a.tif none.tif -o x.png", {"'none.tif'", "no such file"});
    refused("render a.tif --values 0:1 -o x.png", {"--values", "--field"});
    refused("render a.tif:height --values 5:5 -o x.png", {"values 5:5", "below"});
    refused("render a.tif:height --values 5:1 -o x.png", {"values 5:1", "low:high"});
    refused("render a.tif --enlarge 0 -o x.png", {"enlarge 0", "1 to 64"});
    refused("render a.tif --enlarge 65 -o x.png", {"enlarge 65", "1 to 64"});
    refused("render a.tif b.tif --columns -1 -o x.png", {"columns -1", "0 to 1000"});
    refused("render a.tif b.tif", {"render", "-o PICTURE.png"});
}
