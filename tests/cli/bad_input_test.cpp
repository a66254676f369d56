// Whatever is wrong is said in one line: what, where, and what would be right. Code 2, nothing written.
#include "base/error.h"
#include "base/memory.h"
#include "cli/command_line.h"

using namespace caprock::test;

class BadInput : public CommandLine {};

TEST_F(BadInput, UnknownNames) {
    refused("nois", {"'nois'", "did you mean 'noise'?"});
    refused("noise then normalize", {"'normalize'", "'normalise'"});
    refused("noise --octave 3", {"noise", "'--octave'", "'--octaves'"});
    refused("noise --sise 3", {"'--sise'", "'--size'"});
    refused("noise -octaves 3", {"'-octaves'", "'--octaves'"});
    refused("noise --kind rigded", {"kind", "rigded", "sum, billow, ridged, quilez or erosive", "'ridged'"});
    refused("noise --frobnicate 3", {"'--frobnicate'", "caprock help noise"});
    refused("noise --size 8 --device fpga", {"'fpga'", "cpu"});
    refused("qqqqqqq", {"'qqqqqqq'", "caprock list"});
    refused("infoo a.tif", {"'infoo'", "'info'"});
    refused("help nois", {"'nois'", "'noise'"});
    refused("help qqqqqqq", {"'qqqqqqq'", "caprock help"});
    refused("--verison", {"'--verison'", "'--version'"});
    refused("info --jsn a.tif", {"info", "'--jsn'", "'--json'"});
    refused("render a.tif --contour 3 -o a.png", {"render", "'--contour'", "'--contours'"});
    refused("convert a.tif b.tif --quite", {"convert", "'--quite'", "'--quiet'"});
    refused("run r.json --sede 3", {"run", "'--sede'", "'--seed'"});
}

TEST_F(BadInput, ValuesOutOfRange) {
    refused("noise --octaves 99", {"octaves 99", "1 to 32"});
    refused("mask-noise --octaves 3.5", {"octaves 3.5", "1 to 32"});
    refused("noise --octaves 99999999999999999999", {"octaves", "1 to 32"});
    refused("noise --octaves eight", {"octaves eight"});
    refused("noise --octaves=", {"octaves ''"});
    refused("noise --seed -1", {"seed -1", "4294967295"});
    refused("noise --seed 4294967296", {"seed 4294967296", "4294967295"});
    refused("noise --hurst nan", {"hurst nan", "0 to 2"});
    refused("noise --cell 0", {"cell 0", "0.001"});
    refused("noise --cell -4", {"cell -4"});
    refused("noise --threads 5000", {"threads 5000", "0 to 1024"});
    refused("noise --range 300:-100", {"range 300:-100", "low:high"});
    refused("noise --range 5:5", {"5:5", "below"});
    refused("noise --range 5:", {"range 5:", "low:high"});
    refused("noise --quiet=perhaps", {"quiet perhaps", "true or false"});
    refused("noise --size 8 then thermal-erosion --talus 90", {"thermal-erosion", "talus 90", "85"});
}

TEST_F(BadInput, Sizes) {
    refused("noise --size 0", {"size 0", "1 to 65536"});
    refused("noise --size 0x5", {"size 0x5", "1 to 65536"});
    refused("noise --size 5x0", {"size 5x0", "1 to 65536"});
    refused("noise --size -5x5", {"size -5x5", "1 to 65536"});
    refused("noise --size 70000x70000", {"70000x70000", "1 to 65536"});
    refused("noise --size 65537x1", {"65537x1", "1 to 65536"});
    refused("noise --size 99999999999x5", {"99999999999x5", "WIDTHxHEIGHT", "1 to 65536"});
    refused("noise --size 4294967297x4294967297", {"4294967297x4294967297", "1 to 65536"});
    refused("noise --size large", {"large", "WIDTHxHEIGHT"});
    refused("noise --size 5x5x5", {"5x5x5", "WIDTHxHEIGHT"});
    refused("noise --size 5.5", {"5.5", "WIDTHxHEIGHT"});
}

TEST_F(BadInput, MoreMemoryThanThereIs) {
    // More fields of 16 GiB than any machine that runs this test has memory for.
    std::string line = "noise --size 65536x65536";
    for (int i = 0; i < 400; i++) line += " then noise --field f" + std::to_string(i);
    refused(line, {"65536 x 65536 cells in 401 fields", "6.3 TiB", "this machine has"});
    // Written to a file it would go through windows, but for what sees everything.
    refused(line + " then mask-flow -o a.tif",
            {"mask-flow: it sees all of the terrain at once", "6.4 TiB", "may be used"});
    // What an operation works with counts, before the chain begins. Larger machines would really do it.
    if (caprock::machine_memory() < uint64_t(64) << 30)
        refused("noise --size 65536 then thermal-erosion --device cpu",
                {"thermal-erosion", "in 4 fields", "64.0 GiB", "this machine has"});
    try {
        caprock::require_memory(uint64_t(1) << 60, "a terrain of the whole Earth");
        FAIL();
    } catch (const caprock::OutOfMemory& error) {
        std::string message = error.what();
        EXPECT_TRUE(contains(message, "a terrain of the whole Earth needs 1.0 EiB")) << message;
        EXPECT_TRUE(contains(message, "this machine has")) << message;
    }
}

TEST_F(BadInput, Grammar) {
    refused("then noise", {"'then'", "operation or a file"});
    refused("noise then", {"'then'", "followed by an operation"});
    refused("noise then then normalise", {"'then'", "followed by an operation"});
    refused("then", {"'then'"});
    refused("noise then --size 5", {"'then'", "'--size'"});
    refused("--size 64 noise", {"'--size'", "first"});
    refused("noise --seed", {"--seed", "needs a value"});
    refused("noise --seed --size 5", {"--seed", "needs a value"});
    refused("noise --seed then normalise", {"--seed", "needs a value"});
    refused("noise --size", {"--size", "WIDTHxHEIGHT"});
    refused("noise -o", {"-o", "needs a value"});
    refused("noise normalise", {"'normalise'", "'then'"});
    refused("noise size 64", {"'size'", "--"});
    refused("noise a.tif", {"'a.tif'", "-o"});
    refused("noise -oa.tif", {"'-oa.tif'", "'-o a.tif'"});
    refused("noise then a.tif", {"'a.tif'", "-o"});
    refused("noise then info", {"'info'", "command"});
    refused("noise --", {"'--'"});
    refused("noise -", {"'-'"});
    refused("noise --no-octaves", {"noise", "'--no-octaves'", "takes a value", "1 to 32"});
    refused("noise --no-size", {"'--no-size'", "takes a value", "WIDTHxHEIGHT"});
    refused("noise --no-quiet=true", {"'--no-quiet'", "takes no value", "--quiet=true"});
    refused("noise --no-octave", {"noise", "'--no-octave'", "caprock help noise"});
    refused("info --no-cell a.tif", {"info", "'--no-cell'", "takes a value"});
    refused_words({""}, {"''", "caprock list"});
    refused_words({"noise", ""}, {"''"});
    refused_words({"noise", "then", ""}, {"''"});
    refused_words({"noise", "-o", ""}, {"''"});
    refused_words({"noise", "--size", ""}, {"size"});
    refused_words({"no\nise\x1b[2J"}, {"no?ise"});
    refused("list all", {"list", "'all'"});
    refused("devices all", {"devices", "'all'"});
    refused("help noise smooth", {"help"});
    refused("completions zsh", {"completions", "bash"});
    refused("info", {"info", "FILE"});
    refused("render", {"render", "PICTURE.png"});
    refused("run", {"run", "RECIPE.json"});
    refused("convert", {"convert", "FROM TO"});
    refused("convert a.tif", {"convert", "FROM TO"});
    refused("convert a.tif b.tif c.tif", {"convert", "FROM TO"});
}

TEST_F(BadInput, NothingToWorkOn) {
    refused("thermal-erosion", {"thermal-erosion", "'height'", "a file or a generator"});
    refused("noise --size 8 --field x then normalise", {"normalise", "'height'", "x"});
}

TEST_F(BadInput, Outputs) {
    std::filesystem::create_directory(folder_ / "folder.tif");
    refused("noise -o a.tif -o a.tif", {"two outputs", "'a.tif'"});
    refused("noise -o a.tif -o ./a.tif", {"two outputs", "'./a.tif'"});
    refused("noise -o folder.tif/../a.tif -o a.tif", {"two outputs"});
    refused("noise -o \"" + folder_.path() + "/a.tif\" -o a.tif", {"two outputs"});
    refused("noise -o a.bmp", {"'a.bmp'", ".tif", ".png"});
    refused("noise -o a", {"'a'", ".tif", ".png"});
    refused("noise -o no/a.tif", {"'no/a.tif'", "the folder 'no' does not exist"});
    refused("noise -o folder.tif", {"'folder.tif'", "it is a folder"});
    refused("noise --save-recipe no/r.json", {"'no/r.json'", "'no' does not exist"});
    refused("noise --save-recipe r.txt", {"'r.txt'", ".json"});
    // Checked before the work, and the work before anything is written.
    refused("noise --size 20000x20000 -o a.tif -o no/a.tif", {"'no/a.tif'"});
    done("noise --size 8 -o a.tif");
    refused("render a.tif -o b.tif", {"'b.tif'", ".png"});
    refused("render a.tif -o no/b.png", {"'no/b.png'", "'no' does not exist"});
    refused("render a.tif", {"render", "-o PICTURE.png"});
    refused("convert a.tif a.gif", {"'a.gif'", ".tif"});
    refused("a.tif then normalise -o b.tif --save-recipe a.tif", {"'a.tif'", ".json"});
}

TEST_F(BadInput, Files) {
    done("noise --size 64 -o a.tif");
    write_truncated(folder_ / "a.tif", folder_ / "cut.tif", 0.6);
    write_text(folder_ / "text.tif", "not\na\nraster\n");
    write_text(folder_ / "empty.tif", "");
    std::filesystem::create_directory(folder_ / "folder");
    for (const char* command : {"info ", "convert -o b.tif ", "render -o b.png ", ""}) {
        std::string after = *command ? "" : " then normalise -o b.tif";
        refused(command + std::string("none.tif") + after, {"'none.tif'", "no such file"});
        refused(command + std::string("cut.tif") + after, {"'cut.tif'", "damaged or cut off"});
        refused(command + std::string("text.tif") + after, {"'text.tif'", "no raster"});
        refused(command + std::string("empty.tif") + after, {"'empty.tif'", "empty"});
        refused(command + std::string("folder") + after, {"'folder'", "is a folder"});
    }
    refused("a.tif --size 32 then normalise", {"--size", "'a.tif'"});
    refused("convert a.tif b.tif --size 32", {"--size", "'a.tif'"});
    refused("info a.tif none.tif", {"'none.tif'"});
}

TEST_F(BadInput, FilesOfEveryKindThatWereCutOff) {
    done("noise --size 64 then normalise -o a.tif");
    for (const char* ending :
         {".tif", ".png", ".asc", ".bt", ".img", ".bil", ".flt", ".nc", ".r16", ".r32"}) {
        std::string kind = ending;
        if (kind != ".tif") done("convert a.tif a" + kind);
        write_truncated(folder_ / ("a" + kind), folder_ / ("cut" + kind), 0.6);
        if (kind == ".bil" || kind == ".flt")
            std::filesystem::copy(folder_ / "a.hdr", folder_ / "cut.hdr",
                                  std::filesystem::copy_options::overwrite_existing);
        refused("cut" + kind + " then normalise -o b.tif", {"cannot read 'cut" + kind + "'"});
    }
}

TEST_F(BadInput, RawFilesOfAnotherSize) {
    write_text(folder_ / "odd.r16", std::string(11, 'x'));
    write_text(folder_ / "six.r16", std::string(12, 'x'));
    refused("convert odd.r16 b.tif", {"'odd.r16'", "11 bytes", "2 bytes"});
    refused("convert six.r16 b.tif", {"'six.r16'", "no square", "--size", "3x2"});
    refused("convert six.r16 b.tif --size 5x5", {"'six.r16'", "5x5", "50 bytes", "it has 12", "3x2"});
    // Not a number of every cell, and one that is not finite.
    write_text(folder_ / "none.r32", std::string("\0\0\xc0\x7f", 4));
    write_text(folder_ / "endless.r32", std::string("\0\0\x80\x7f", 4));
    refused("convert none.r32 b.tif", {"'none.r32'", "every cell is missing"});
    refused("convert endless.r32 b.tif", {"'endless.r32'", "inf"});
}

// Devices have no size to ask for, and no end.
TEST_F(BadInput, FilesWithoutEnd) {
    refused("run /dev/zero -o a.tif", {"'/dev/zero'", "larger than 16.0 MiB", "no recipe"});
    refused("info /dev/zero", {"'/dev/zero'", "not a plain file"});
    refused("noise --size 8 then materials then hardness --table-file /dev/zero",
            {"/dev/zero", "larger than 16.0 MiB", "no table of hardness"});
    refused("noise --size 8 then interpolate --points-file /dev/zero",
            {"/dev/zero", "larger than 256.0 MiB", "no list of points"});
}

// Said before the work, which would take hours here.
TEST_F(BadInput, GridsThatAFormatDoesNotTake) {
    std::string work = " then thermal-erosion --steps 100000 ";
    refused("noise --size 1200" + work + "-o N47E011.hgt", {"'N47E011.hgt'", "1201x1201", "1200x1200"});
    refused("noise --size 1201" + work + "-o N47E011.hgt", {"'N47E011.hgt'", "one degree"});
    refused("noise --size 1201" + work + "-o a.tif -o N47E011.hgt", {"'N47E011.hgt'", "one degree"});
    // A tile of one degree, whose name can only be one.
    std::string header = "ncols 1201\nnrows 1201\nxllcenter 1\nyllcenter 2\ncellsize 0.000833333333333333\n";
    std::string rows;
    for (int y = 0; y < 1201; y++) {
        for (int x = 0; x < 1201; x++) rows += (x + y) % 7 ? "5 " : "812 ";
        rows += "\n";
    }
    write_text(folder_ / "tile.asc", header + rows);
    refused("tile.asc --cell 90" + work + "-o N03E001.hgt", {"'N03E001.hgt'", "must be called N02E001.hgt"});
    refused("tile.asc --cell 90" + work + "--snapshot-every 10 -o N02E001.hgt",
            {"'N02E001-000010.hgt'", "must be called N02E001.hgt"});
    Outcome outcome = caprock("convert tile.asc N02E001.hgt --cell 90");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(folder_.names().contains("N02E001.hgt"));
}

TEST_F(BadInput, FilesThatOperationsRead) {
    refused("table-mountain --size 8 --table-file nowhere.json",
            {"table-mountain: ", "'nowhere.json'", "no such file"});
    refused("noise --size 8 then materials then hardness --table-file nowhere.json",
            {"hardness: ", "'nowhere.json'", "no such file"});
}

TEST_F(BadInput, Recipes) {
    std::filesystem::create_directory(folder_ / "folder");
    write_text(folder_ / "text.json", "noise\n");
    write_text(folder_ / "list.json", "[]");
    write_text(folder_ / "unknown.json",
               R"({"caprock": 1, "grid": {"size": [8, 8], "cell": 1, "range": [0, 1]},
        "operations": [{"operation": "nois", "version": 1, "parameters": {}}]})");
    write_text(folder_ / "value.json", R"({"caprock": 1, "grid": {"size": [8, 8], "cell": 1, "range": [0, 1]},
        "operations": [{"operation": "noise", "version": 1, "parameters": {"octaves": 99}}]})");
    write_text(folder_ / "nothing.json",
               R"({"caprock": 1, "grid": {"size": [8, 8], "cell": 1, "range": [0, 1]},
        "operations": []})");
    refused("run none.json -o a.tif", {"'none.json'", "no such file"});
    refused("run folder -o a.tif", {"'folder'", "is a folder"});
    refused("run text.json -o a.tif", {"'text.json'", "JSON"});
    refused("run list.json -o a.tif", {"'list.json'", "recipe"});
    refused("run unknown.json -o a.tif", {"'unknown.json'", "'nois'", "'noise'"});
    refused("run value.json -o a.tif", {"'value.json'", "octaves 99", "1 to 32"});
    refused("run nothing.json -o a.tif", {"'a.tif'", "no fields"});
    refused("run text.json list.json", {"run", "one recipe"});
}

TEST_F(BadInput, Benchmarks) {
    refused("bench nothing", {"'nothing'", "noise-8", "documents"});
    refused("bench \"\"", {"''", "noise-8", "documents"});
    refused("bench --size 8", {"size 8", "64"});
}

// However long a word is, the message that has it can be read, and its end says what would be right.
TEST_F(BadInput, WordsWithoutEnd) {
    const std::string word(100000, 'x');
    refused_words({"noise", "--size", word}, {"size xxx", " ... ", "WIDTHxHEIGHT"});
    refused_words({"noise", "-o", word}, {"cannot write 'xxx", " ... ", ".tif"});
    EXPECT_LT(caprock({"info", word}).err.size(), 2100u);
}
