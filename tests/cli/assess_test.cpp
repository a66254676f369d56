// caprock assess: is it like land?
#include "cli/command_line.h"
#include "cli/page_commands.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class Assess : public CommandLine {
  protected:
    nlohmann::json assessed(const std::string& line) {
        return nlohmann::json::parse(done("assess --json " + line));
    }
    static nlohmann::json measure(const nlohmann::json& land, const std::string& name) {
        for (const nlohmann::json& each : land["measures"])
            if (each["name"] == name) return each;
        ADD_FAILURE() << "no measure " << name;
        return {};
    }
    // Four bytes a cell, as a file of bare numbers.
    template <typename Height>
    void write_raw(const std::string& name, int side, const Height& height) {
        std::string bytes;
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                const float value = float(height(x, y));
                bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
            }
        write_text(folder_ / name, bytes);
    }
};

TEST_F(Assess, SaysWhatIsUnlikeInATableAndInWords) {
    done("noise --size 300 --cell 30 --seed 3 -o noise.tif");
    const std::string text = done("assess noise.tif");
    EXPECT_TRUE(text.starts_with("noise.tif: 300 x 300 cells of 30 m, heights ")) << text;
    for (const char* part :
         {"\n  closed hollows", "\n  Hack's exponent", "\n  concavity", "\n  bifurcation ratio",
          "\n  hypsometric integral", "\n  median slope", "\n  ridges", "\n  pits", "\n  roughness exponent",
          "  here", "  real land", "0 to 5 %", "0.48 to 0.55", "noise.tif: unlike real land in "})
        EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
    // The number in the words is that of the table, and that of the JSON.
    const nlohmann::json json = assessed("noise.tif");
    const nlohmann::json hollows = measure(json, "closed_hollows");
    EXPECT_EQ(hollows["likeness"], "more");
    EXPECT_EQ(hollows["range"], (std::vector<double>{0, 0.05}));
    const std::string percent = std::to_string(int(std::lround(hollows["value"].get<double>() * 100))) + " %";
    EXPECT_TRUE(
        contains(text, "  closed hollows: " + percent + " of the cells, where real land has 0 to 5 %; "))
        << text;
    EXPECT_TRUE(contains(text, percent + " >  0 to 5 %")) << text;
    for (const nlohmann::json& words : json["unlike"])
        EXPECT_TRUE(contains(text, "\n  " + words.get<std::string>() + "\n")) << words;
    EXPECT_FALSE(json["unlike"].empty());
    for (const char* curve : {"hypsometry", "slope_area", "hack", "orders", "slopes", "roughness"})
        EXPECT_FALSE(json["curves"][curve].empty()) << curve;
}

TEST_F(Assess, IsOfMetres) {
    // A cone of one in two, whatever its cells: half of the height a cell of half the size.
    write_raw("a.r32", 101, [](int x, int y) { return -5 * std::hypot(x - 50, y - 50); });
    const nlohmann::json land = assessed("a.r32 --cell 10");
    EXPECT_NEAR(measure(land, "median_slope")["value"].get<double>(), std::atan(0.5) * 180 / 3.14159265, 0.1);
    EXPECT_NEAR(measure(assessed("a.r32 --cell 5"), "median_slope")["value"].get<double>(), 45, 0.1);
    EXPECT_EQ(land["landforms"]["peak"], 1);
    EXPECT_EQ(land["cell"], 10);
}

TEST_F(Assess, HoldsAgainstLandOfOnesOwn) {
    done("noise --size 300 --cell 30 --seed 3 -o mine.tif");
    done("plane --size 200 --cell 30 --grade-x 0.3 --grade-y 0.1 -o plane.tif");
    std::string text = done("assess mine.tif --like mine.tif");
    EXPECT_TRUE(contains(text, "mine.tif: like mine.tif in all ")) << text;
    EXPECT_FALSE(contains(text, "real land")) << text;
    text = done("assess plane.tif --like mine.tif");
    EXPECT_TRUE(contains(text, "plane.tif: unlike mine.tif in ")) << text;
    EXPECT_TRUE(contains(text, "  closed hollows: 0 % of the cells, where mine.tif has ")) << text;
    const nlohmann::json json = assessed("plane.tif --like mine.tif");
    EXPECT_EQ(json["held_against"], "mine.tif");
    EXPECT_EQ(measure(json, "closed_hollows")["likeness"], "less");
    EXPECT_GT(measure(json, "closed_hollows")["reference"].get<double>(), 0.05);
    EXPECT_EQ(measure(json, "closed_hollows")["reference"],
              measure(assessed("mine.tif"), "closed_hollows")["value"]);
    done("noise --size 200 --cell 5 -o fine.tif");
    EXPECT_TRUE(contains(done("assess fine.tif --like mine.tif"),
                         "note: cells are 5 m here, and 30 m where mine.tif"));
}

TEST_F(Assess, SeveralFilesSideBySide) {
    done("noise --size 150 --cell 30 -o a.tif");
    done("noise --size 140x100 --cell 30 --kind ridged -o b.tif");
    const std::string text = done("assess a.tif b.tif");
    EXPECT_TRUE(contains(text, "a.tif: 150 x 150 cells")) << text;
    EXPECT_TRUE(contains(text, "b.tif: 140 x 100 cells")) << text;
    EXPECT_TRUE(contains(text, "\na.tif: unlike") || contains(text, "\na.tif: like")) << text;
    EXPECT_TRUE(contains(text, "\nb.tif: unlike") || contains(text, "\nb.tif: like")) << text;
    const nlohmann::json both = assessed("a.tif b.tif");
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0], assessed("a.tif"));
    EXPECT_EQ(both[1], assessed("b.tif"));
}

TEST_F(Assess, DrawsAPicture) {
    done("noise --size 150 --cell 30 -o a.tif");
    const std::string text = done("assess a.tif -o a.png");
    EXPECT_EQ(text, done("assess a.tif"));
    EXPECT_TRUE(file_text(folder_ / "a.png").starts_with("\x89PNG"));
    done("assess a.tif a.tif --like a.tif -o b.png --json");
    EXPECT_NE(file_text(folder_ / "b.png"), file_text(folder_ / "a.png"));
}

TEST_F(Assess, SaysWhatIsNotToBeHad) {
    done("plane --size 1 -o one.tif");
    done("plane --size 40 -o small.tif");
    std::string text = done("assess one.tif");
    EXPECT_TRUE(contains(text, "one.tif: nothing of it can be held against real land\n")) << text;
    EXPECT_TRUE(contains(text, "  Hack's exponent: not to be had: too few streams\n")) << text;
    EXPECT_TRUE(contains(text, "  hypsometric integral: not to be had: the land is level\n")) << text;
    const nlohmann::json json = assessed("one.tif");
    EXPECT_TRUE(measure(json, "hack_exponent")["value"].is_null());
    EXPECT_EQ(measure(json, "hack_exponent")["why"], "too few streams");
    EXPECT_EQ(measure(json, "hack_exponent")["likeness"], "unknown");
    done("assess one.tif small.tif -o picture.png");
    write_raw("none.r32", 20, [](int, int) { return NAN; });
    refused("assess none.r32 --cell 30", {"none.r32", "every cell is missing"});
}

TEST_F(Assess, OfADocument) {
    done("noise --size 200 --cell 30 --seed 5 -o a.tif");
    done("document new a.caprock --from a.tif -q");
    nlohmann::json file = assessed("a.tif"), document = assessed("a.caprock");
    EXPECT_EQ(document["file"], "a.caprock");
    EXPECT_EQ(document["measures"], file["measures"]);
    refused("assess a.caprock --cell 30", {"'a.caprock' is a document", "--cell"});
}

TEST_F(Assess, RefusesWhatIsWrong) {
    done("noise --size 64 -o a.tif");
    done("noise --size 64 --field hardness -o hard.tif");
    write_text(folder_ / "degrees.asc",
               "ncols 2\nnrows 2\nxllcorner 11\nyllcorner 47\ncellsize 0.001\n1 2\n3 4\n");
    refused("assess", {"assess: takes files"});
    refused("assess nothing.tif", {"nothing.tif"});
    refused("assess a.tif --like nothing.tif", {"nothing.tif"});
    refused("assess a.tif --alike a.tif", {"assess: no parameter '--alike'", "--like"});
    refused("assess a.tif -o a.tif", {"a.tif", ".png"});
    refused("assess a.tif -o nowhere/a.png", {"nowhere"});
    refused("assess degrees.asc", {"'degrees.asc'", "degrees", "--to-metres"});
    refused("assess a.tif --like degrees.asc", {"'degrees.asc'", "degrees"});
    EXPECT_TRUE(contains(done("help assess"), "--like"));
    EXPECT_TRUE(contains(done("help"), "\n  assess FILE ..."));
}

// What a page shows is what happens.
TEST_F(Assess, ItsPage) {
    int count = 0;
    for (const PageCommand& command : page_commands("docs/assess.md")) {
        std::vector<std::string> words = words_of(command.line);
        words.erase(words.begin());
        const Outcome outcome = caprock(words);
        EXPECT_EQ(outcome.code, 0) << command.line << "\n" << outcome.err;
        count++;
        if (!command.shows_its_output) continue;
        for (const std::string& line : lines_of(outcome.out))
            EXPECT_TRUE(line.empty() || contains(page_text("docs/assess.md"), "    " + line))
                << "docs/assess.md does not show\n"
                << line;
    }
    EXPECT_GE(count, 2);
}

}  // namespace
}  // namespace caprock::test
