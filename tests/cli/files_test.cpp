// Files of many kinds through the command line: what is asked about them reaches whoever reads and writes them.
#include "cli/command_line.h"
#include "formats/format_table.h"
#include "soak/length.h"

using namespace caprock::test;

class Files : public CommandLine {
  protected:
    // Must succeed and say these things on stderr, one line each.
    void noted(const std::string& line, const std::vector<std::string>& parts) {
        Outcome outcome = caprock(line);
        EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), parts.size()) << outcome.err;
        for (const std::string& part : parts)
            EXPECT_TRUE(contains(outcome.err, part)) << part << "\n" << outcome.err;
    }

    void write_degrees(const std::string& name) {
        std::string text =
            "ncols 40\nnrows 30\nxllcorner 11\nyllcorner 47\ncellsize 0.001\nNODATA_value -9999\n";
        for (int y = 0; y < 30; y++) {
            for (int x = 0; x < 40; x++) text += std::to_string(500 + x - y) + " ";
            text += "\n";
        }
        write_text(folder_ / name, text);
    }
};

TEST_F(Files, DegreesAreRefusedWithTwoWaysOut) {
    write_degrees("a.asc");
    for (const char* line :
         {"info a.asc", "convert a.asc b.tif", "render a.asc -o b.png", "a.asc then normalise"})
        refused(line, {"'a.asc'", "degrees", "--to-metres", "--cell METRES"});
    done("info a.asc --cell 90");
    done("a.asc --cell 90 then normalise -o b.tif");
    noted("info a.asc --to-metres", {"UTM zone 32 north"});
    noted("convert a.asc c.tif --to-metres", {"UTM zone 32 north"});
    noted("render a.asc --to-metres -o c.png", {"UTM zone 32 north"});
    noted("a.asc --to-metres then thermal-erosion --steps 3 -o d.tif", {"UTM zone 32 north"});
    // The place is kept through the chain.
    nlohmann::json before = info("c.tif");
    EXPECT_EQ(info("d.tif")["georeference"], before["georeference"]);
    EXPECT_TRUE(contains(before["georeference"]["projection"], "UTM zone 32N"));
    refused("noise --size 8 --to-metres", {"--to-metres", "files"});
    // The recipe knows how its file was read.
    noted("a.asc --to-metres then normalise --save-recipe r.json", {"UTM"});
    noted("run r.json", {"UTM"});
}

// Windows go from one file to the other: what comes out is what it was when all of it was held.
TEST_F(Files, ConvertingGivesTheBytesOfAChain) {
    done(
        "noise --size 300x260 --range 0:500 then normalise then noise --field hardness --feature 300 "
        "-o a.tif");
    write_degrees("degrees.asc");
    for (const std::string& ending : caprock::written_endings()) {
        if (caprock::format_of_ending(ending)->is_tile) continue;
        std::string was = file_text(folder_ / "a.tif");
        Outcome converted = caprock("convert a.tif b" + ending);
        Outcome chained = caprock("a.tif -o c" + ending);
        ASSERT_EQ(converted.code, 0) << converted.err;
        ASSERT_EQ(chained.code, 0) << chained.err;
        EXPECT_FALSE(file_text(folder_ / ("b" + ending)).empty());
        // Some keep their own name inside.
        auto without_names = [&](const std::string& name) {
            std::string text = file_text(folder_ / (name + ending));
            for (size_t at; (at = text.find(name + ending)) != std::string::npos;) text[at] = '-';
            return text;
        };
        EXPECT_EQ(without_names("b"), without_names("c")) << ending;
        EXPECT_EQ(file_text(folder_ / "a.tif"), was);
    }
    noted("convert degrees.asc d.tif --to-metres", {"UTM zone 32 north"});
    noted("degrees.asc --to-metres -o e.tif", {"UTM zone 32 north"});
    EXPECT_EQ(file_text(folder_ / "d.tif"), file_text(folder_ / "e.tif"));
    // Also into the place of the file that is read.
    std::string before = info("a.tif")["fields"][0]["fingerprint"];
    done("convert a.tif a.tif");
    EXPECT_EQ(info("a.tif")["fields"][0]["fingerprint"], before);
    EXPECT_EQ(nlohmann::json::parse(done("convert a.tif f.tif --json"))["fields"][0]["fingerprint"], before);
    refused("convert a.tif b.tif --level 1", {"--level is for documents", "'a.tif'"});
}

TEST_F(Files, ConvertingTakesLittleMemory) {
    // Zeros that take no room on the disk, and 576 MiB in memory; of sanitized programs memory says nothing.
    const int side = sanitized ? 3072 : 12288;
    const uint64_t bytes = uint64_t(side) * side * sizeof(float);
    write_text(folder_ / "large.r32", "");
    std::filesystem::resize_file(folder_ / "large.r32", bytes);
    for (const char* line :
         {"convert large.r32 large.tif", "convert large.tif again.tif", "convert again.tif again.r32"}) {
        Outcome outcome = caprock(line);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        // Sanitizers keep memory of their own.
        if (!sanitized) {
            EXPECT_LT(outcome.peak, bytes * 2 / 3) << line;
        }
    }
    EXPECT_EQ(std::filesystem::file_size(folder_ / "again.r32"), bytes);
    EXPECT_EQ(file_text(folder_ / "again.tif"), file_text(folder_ / "large.tif"));
}

TEST_F(Files, RawNumbers) {
    done("noise --size 60x40 --range 0:500 then normalise -o a.tif -o a.r16 -o a.r32");
    refused("info a.r16", {"'a.r16'", "2400 cells", "--size", "60x40"});
    refused("convert a.r16 b.tif --size 50x40", {"'a.r16'", "4000 bytes", "4800"});
    done("convert a.r16 b.tif --size 60x40 --range 0:500 --cell 8");
    EXPECT_EQ(info("b.tif")["range"], info("a.tif")["range"]);
    EXPECT_EQ(info("b.tif")["size"], info("a.tif")["size"]);
    done("convert a.r32 c.tif --size 60x40");
    EXPECT_EQ(fingerprint_of("c.tif"), fingerprint_of("a.tif"));
    done("a.r32 --size 60x40 then normalise --save-recipe r.json -o e.tif");
    done("run r.json -o f.tif");
    EXPECT_EQ(fingerprint_of("f.tif"), fingerprint_of("e.tif"));
    done("convert a.tif big.r32 --byte-order big");
    done("convert big.r32 d.tif --size 60x40 --byte-order big");
    EXPECT_EQ(fingerprint_of("d.tif"), fingerprint_of("a.tif"));
    EXPECT_TRUE(contains(done("info a.r16 --size 60x40 --range 0:500"), "60 x 40"));
    done("render a.r16 --raw-size 60x40 -o r.png");
    done("a.r16 --size 60x40 then smooth --radius 3 -o s.tif");
    refused("convert a.tif b.tif --byte-order big", {"--byte-order", ".r16"});
    refused("convert a.tif b.tif --byte-order middle", {"byte-order", "little"});
    refused("info a.r16 --size 60by40", {"60by40", "WIDTHxHEIGHT"});
}

TEST_F(Files, FrontierImages) {
    std::string chain = "noise --size 32 then normalise then noise --field hardness --seed 4 ";
    noted(chain + "-o a.frontier.png", {"256 heights", "no solubility"});
    noted(chain + "-o b.png --as frontier", {"256 heights", "no solubility"});
    EXPECT_EQ(file_text(folder_ / "a.frontier.png"), file_text(folder_ / "b.png"));
    EXPECT_EQ(info("b.png")["fields"].size(), 3u);
    done("b.png then thermal-erosion --steps 2 -o c.tif");
    noted(chain + "-o grey.png", {"hardness was left out"});
    EXPECT_EQ(info("grey.png")["fields"].size(), 1u);
    EXPECT_TRUE(contains(done("info grey.png --as frontier"), "solubility"));
    done("convert grey.png d.tif --as frontier");
    EXPECT_EQ(info("d.tif")["fields"].size(), 3u);
    // A picture of ours is an ordinary colour picture to look at.
    done("render d.tif -o photo.png");
    noted("info photo.png", {"colour picture"});
    refused("convert d.tif e.tif --as frontier", {"'d.tif'", "no Frontier image"});
    refused("noise --size 8 -o e.tif --as frontier", {"--as frontier", ".png"});
    refused("info d.tif --as frontier", {"'d.tif'", "no Frontier image"});
    refused("info grey.png --as frontie", {"as frontie", "frontier"});
}

TEST_F(Files, HeightsInOtherFormats) {
    done("noise --size 50x40 --cell 5 then normalise -o a.tif");
    std::string expected = fingerprint_of("a.tif");
    for (const char* name : {"b.asc", "b.bt", "b.img", "b.bil", "b.flt", "b.nc", "b.xyz"}) {
        SCOPED_TRACE(name);
        done("convert a.tif " + std::string(name));
        EXPECT_EQ(fingerprint_of(name), expected);
        EXPECT_NEAR(double(info(name)["cell"]), 5, 1e-9);
    }
    noted("convert a.tif b.ter", {"rounded by up to"});
    refused("convert a.tif b.hgt", {"'b.hgt'", "1201x1201"});
    refused("convert a.tif b.dem", {"'b.dem'", "read but not written", ".tif"});
}

TEST_F(Files, ThatHoldNothing) {
    write_text(folder_ / "none.asc",
               "ncols 2\nnrows 1\nxllcorner 5\nyllcorner 47\ncellsize 10\nNODATA_value -9\n-9 -9\n");
    write_text(folder_ / "claim.asc",
               "ncols 200000\nnrows 200000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    write_text(folder_ / "cut.asc", "ncols 20\nnrows 20\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3\n");
    for (const char* command : {"info ", "convert -o b.tif ", "render -o b.png ", ""}) {
        std::string after = *command ? "" : " then normalise -o b.tif";
        refused(command + std::string("none.asc") + after, {"'none.asc'", "every cell is missing"});
        refused(command + std::string("claim.asc") + after, {"'claim.asc'", "200000x200000", "1 to 65536"});
        refused(command + std::string("cut.asc") + after, {"'cut.asc'", "cut off"});
    }
    write_text(folder_ / "nan.asc",
               "ncols 3\nnrows 1\nxllcorner 5\nyllcorner 47\ncellsize 10\n1.5 nan inf\n");
    noted("convert nan.asc b.tif", {"2 cells that are not finite"});
    EXPECT_EQ(info("b.tif")["fields"][0]["missing"], 2);
    // Beside whole numbers too.
    write_text(folder_ / "whole.asc",
               "ncols 3\nnrows 1\nxllcorner 5\nyllcorner 47\ncellsize 10\n1 nan inf\n");
    noted("convert whole.asc b.tif", {"2 cells that are not finite"});
    EXPECT_EQ(info("b.tif")["fields"][0]["missing"], 2);
}

TEST_F(Files, WhatLiesBesideThemCounts) {
    write_text(folder_ / "a.asc", "ncols 2\nnrows 2\nxllcorner 5\nyllcorner 47\ncellsize 10\n1 2\n3 4\n");
    write_text(folder_ / "a.asc.aux.xml",
               "<PAMDataset><PAMRasterBand band=\"1\"><Offset>10</Offset><UnitType>km</UnitType>"
               "</PAMRasterBand></PAMDataset>");
    noted("convert a.asc b.tif", {"'km'; they were converted to metres"});
    EXPECT_EQ(info("b.tif")["fields"][0]["lowest"], 11000);
    write_text(folder_ / "c.raw", std::string("\x01\x00\x02\x00\x03\x00\xff\xff", 8));
    write_text(folder_ / "c.hdr",
               "ENVI\nsamples = 2\nlines = 2\nbands = 1\nheader offset = 0\ndata type = 2\ninterleave = bsq\n"
               "byte order = 0\n");
    done("convert c.raw d.tif");
    EXPECT_EQ(info("d.tif")["fields"][0]["lowest"], -1);
    EXPECT_EQ(info("d.tif")["fields"][0]["highest"], 3);
    done("convert c.raw e.tif --size 2x2 --range 0:65535");
    EXPECT_EQ(info("e.tif")["fields"][0]["highest"], 65535);
}

TEST_F(Files, TurnedOnesAreRefusedWithTwoWaysOut) {
    // A world file of 30 degrees.
    done("noise --size 20 --range 0:100 -o a.png");
    write_text(folder_ / "a.pgw", "8.660254037844387\n5\n5\n-8.660254037844387\n500000\n5400000\n");
    refused("info a.png", {"'a.png'", "30 degrees off", "--to-metres", "--cell"});
    noted("convert a.png b.tif --to-metres", {"resampled"});
    noted("convert a.png c.tif --cell 10", {"north is not up"});
    // And one of a quarter turn, whose rows run to the north.
    write_text(folder_ / "a.pgw", "0\n10\n10\n0\n500000\n5400000\n");
    done("convert a.png d.tif");
    EXPECT_EQ(info("d.tif")["georeference"]["transform"][5], -10);
}

TEST_F(Files, PermissionsAndLinksOfOutputsStay) {
    namespace fs = std::filesystem;
    auto is_private = [&](const std::string& name) {
        return (fs::status(folder_ / name).permissions() & fs::perms::mask) ==
               (fs::perms::owner_read | fs::perms::owner_write);
    };
    std::vector<std::pair<std::string, std::string>> outputs = {
        {"a.tif", "noise --size 16 -o a.tif"},
        {"a.png", "render a.tif -o a.png"},
        {"a.json", "noise --size 16 --save-recipe a.json"},
        {"l.json", "document export-layers p.caprock -o l.json"},
        {"q.caprock", "document save-as p.caprock q.caprock --overwrite"},
    };
    done("document new p.caprock --size 16");
    for (const auto& [name, line] : outputs) {
        SCOPED_TRACE(line);
        done(line);
        fs::permissions(folder_ / name, fs::perms::owner_read | fs::perms::owner_write);
        done(line);
        EXPECT_TRUE(is_private(name));
    }
    done("document compact q.caprock");
    EXPECT_TRUE(is_private("q.caprock"));
    fs::create_directory(folder_ / "far");
    outputs.emplace_back("r.caprock", "document new r.caprock --size 16");
    for (const auto& [name, line] : outputs) {
        SCOPED_TRACE(line);
        fs::remove(folder_ / name);
        fs::create_symlink("far/" + name, folder_ / name);
        done(line);
        EXPECT_TRUE(fs::is_symlink(folder_ / name));
        EXPECT_TRUE(fs::is_regular_file(folder_ / ("far/" + name)));
    }
    fs::create_symlink("gone/b.tif", folder_ / "b.tif");
    refused("noise --size 16 -o b.tif", {"'b.tif'", "gone' does not exist"});
}
