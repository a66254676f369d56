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
