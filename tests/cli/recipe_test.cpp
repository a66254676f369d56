// What --save-recipe writes, `run` repeats.
#include "cli/command_line.h"

using namespace caprock::test;

class Recipes : public CommandLine {
  protected:
    nlohmann::json saved() { return nlohmann::json::parse(file_text(folder_ / "r.json")); }
};

TEST_F(Recipes, RunRepeatsTheSameBits) {
    done(
        "noise --size 64x48 --cell 2 --range -5:90 --seed 7 --kind billow then thermal-erosion --steps 3 "
        "then normalise -o a.tif --save-recipe r.json");
    done("run r.json -o b.tif");
    EXPECT_EQ(info("a.tif")["fields"], info("b.tif")["fields"]);
    EXPECT_EQ(info("b.tif")["range"], (std::vector<double>{-5, 90}));
    EXPECT_EQ(info("b.tif")["cell"], 2);
    // And saves the same recipe again.
    std::string text = file_text(folder_ / "r.json");
    done("run r.json --save-recipe r.json -o b.tif");
    EXPECT_EQ(file_text(folder_ / "r.json"), text);
    EXPECT_EQ(folder_.names(), (std::set<std::string>{"a.tif", "b.tif", "r.json"}));
}

TEST_F(Recipes, StartFromFiles) {
    done("noise --size 64x48 -o a.tif");
    done("a.tif then normalise -o b.tif --save-recipe r.json");
    EXPECT_EQ(saved()["file"], "a.tif");
    done("run r.json -o c.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), fingerprint_of("c.tif"));
    refused("run r.json --size 32 -o d.tif", {"--size", "'a.tif'"});
}

TEST_F(Recipes, SettingsOfTheRunComeFirst) {
    done("noise --size 64x48 --seed 7 --save-recipe r.json -o a.tif");
    done("run r.json --seed 8 --size 32 --cell 9 --range 0:10 -o b.tif");
    done("noise --seed 8 --size 32 --cell 9 --range 0:10 -o c.tif");
    EXPECT_EQ(info("b.tif")["fields"], info("c.tif")["fields"]);
    EXPECT_EQ(info("b.tif")["cell"], 9);
    refused("run r.json --size 0 -o d.tif", {"size 0x0"});
}

TEST_F(Recipes, UnknownAndMissingParametersAreNamed) {
    done("noise --size 16 --octaves 3 --save-recipe r.json -o a.tif");
    nlohmann::json recipe = saved();
    recipe["operations"][0]["parameters"].erase("octaves");
    recipe["operations"][0]["parameters"]["glitter"] = 5;
    write_text(folder_ / "r.json", recipe.dump());
    Outcome outcome = caprock("run r.json -o b.tif");
    EXPECT_EQ(outcome.code, 0);
    std::vector<std::string> lines = lines_of(outcome.err);
    ASSERT_EQ(lines.size(), 2u) << outcome.err;
    for (const std::string& line : lines) EXPECT_TRUE(line.starts_with("caprock: note: noise: ")) << line;
    EXPECT_TRUE(contains(outcome.err, "glitter"));
    EXPECT_TRUE(contains(outcome.err, "octaves"));
    EXPECT_EQ(caprock("run r.json -o b.tif --quiet").err, "");
    done("noise --size 16 -o c.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), fingerprint_of("c.tif"));
}

TEST_F(Recipes, WithoutOutputTheTerrainIsDescribed) {
    EXPECT_TRUE(contains(done("noise --size 16 --save-recipe r.json"), "16 x 16"));
    EXPECT_TRUE(contains(done("run r.json"), "16 x 16"));
}

TEST_F(Recipes, HoldTheFilesThatOperationsName) {
    write_text(folder_ / "rocks.json", "[0.1, 0.2, 0.3]");
    done(
        "noise --size 16 then normalise then materials --count 3 then hardness --table-file rocks.json then "
        "gradation "
        "-o a.tif --save-recipe r.json");
    write_text(folder_ / "rocks.json", "[0.1, 0.2, 0.9]");
    done("run r.json -o b.tif");
    EXPECT_EQ(fingerprint_of("b.tif"), fingerprint_of("a.tif"));
    std::filesystem::remove(folder_ / "rocks.json");
    done("run r.json -o c.tif");
    EXPECT_EQ(fingerprint_of("c.tif"), fingerprint_of("a.tif"));
    // One that names it alone, as earlier versions wrote it, takes it as it is.
    nlohmann::json recipe = saved();
    recipe["operations"][3]["parameters"]["table-file"] = "rocks.json";
    write_text(folder_ / "old.json", recipe.dump());
    refused("run old.json -o d.tif", {"hardness: ", "'rocks.json'", "no such file"});
    write_text(folder_ / "rocks.json", "[0.1, 0.2, 0.9]");
    done("run old.json -o d.tif");
    EXPECT_NE(fingerprint_of("d.tif"), fingerprint_of("a.tif"));
}
