// Presets from the command line: listed, shown as recipes, run like them.
#include "operation/presets.h"

#include "cli/command_line.h"

using namespace caprock;
using namespace caprock::test;

class PresetsCommand : public CommandLine {};

TEST_F(PresetsCommand, ListsNamesAndTitles) {
    std::string list = done("presets");
    for (const std::string& name : preset_names()) {
        EXPECT_TRUE(contains(list, "\n  " + name + " ")) << list;
        EXPECT_TRUE(contains(list, preset(name).title + "\n")) << list;
    }
    EXPECT_TRUE(contains(list, "from noise\n")) << list;
}

TEST_F(PresetsCommand, ARecipeToStartFrom) {
    std::string text = done("presets ridges");
    EXPECT_EQ(text, recipe_text(preset("ridges")));
    write_text(folder_ / "mine.json", text);
    done("run mine.json --size 64 --cell 128 -o a.tif");
    done("run ridges --size 64 --cell 128 -o b.tif");
    EXPECT_EQ(info("a.tif")["fields"], info("b.tif")["fields"]);
}

TEST_F(PresetsCommand, SettingsOfTheRunComeFirst) {
    done("run hills --size 48x32 --cell 100 --range -50:90 --seed 8 -o a.tif --save-recipe r.json");
    nlohmann::json json = info("a.tif");
    EXPECT_EQ(json["size"], (std::vector<int>{48, 32}));
    EXPECT_EQ(json["cell"], 100);
    EXPECT_EQ(json["range"], (std::vector<double>{-50, 90}));
    // What is saved is what was run, and still says where it came from.
    Recipe saved = parse_recipe(file_text(folder_ / "r.json"), {});
    EXPECT_EQ(saved.title, preset("hills").title);
    EXPECT_EQ(saved.about, preset("hills").about);
    EXPECT_EQ(saved.operations[0]->value_text("seed"), "8");
    done("run r.json -o b.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    done("run hills --size 48x32 --cell 100 --range -50:90 -o c.tif");
    EXPECT_NE(fingerprint_of("a.tif"), fingerprint_of("c.tif"));
}

TEST_F(PresetsCommand, AFileOfItsNameGoesFirst) {
    done("noise --size 8 --save-recipe r.json");
    std::filesystem::rename(folder_ / "r.json", folder_ / "hills");
    done("run hills -o a.tif");
    EXPECT_EQ(info("a.tif")["size"], (std::vector<int>{8, 8}));
    // A folder is no recipe, so it is not in the way of one.
    std::filesystem::remove(folder_ / "hills");
    std::filesystem::create_directory(folder_ / "hills");
    done("run hills --size 9 -o a.tif");
    EXPECT_EQ(info("a.tif")["size"], (std::vector<int>{9, 9}));
}

TEST_F(PresetsCommand, WhatIsNoPreset) {
    refused("presets hils", {"presets", "'hils'", "did you mean 'hills'?"});
    refused("presets qqqqqqq", {"presets", "'qqqqqqq'", "'caprock presets'"});
    refused("presets hills ridges", {"presets", "one name"});
    refused("run hils -o a.tif", {"run", "'hils'", "nor a file", "did you mean 'hills'?"});
    refused("run qqqqqqq -o a.tif", {"run", "'qqqqqqq'", "'caprock presets'"});
    refused_words({"run", "", "-o", "a.tif"}, {"run", "''"});
    // What looks like a file can only be one.
    refused("run hills.json -o a.tif", {"'hills.json'", "no such file"});
    refused("run ./hills -o a.tif", {"'./hills'", "no such file"});
    refused("run hills ridges", {"run", "one recipe"});
    refused("hills -o a.tif", {"'hills'", "preset", "caprock run hills"});
}
