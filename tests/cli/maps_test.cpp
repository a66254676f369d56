// Numbers that vary over the land, on the command line: by fields of the chain and of files, whole and in windows, and in the
// recipes that are written.
#include "command_line.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class NumbersByMap : public CommandLine {
  protected:
    void expect_one_result(const std::string& chain) {
        done(chain + " --device cpu -o whole.tif --save-recipe recipe.json");
        done(chain + " --device cpu -o windows.tif --memory 17M");
        EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
        done("run recipe.json --device cpu -o again.tif");
        EXPECT_EQ(facts("again.tif"), facts("whole.tif"));
        done("run recipe.json --device cpu -o windows.tif --memory 17M");
        EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
    }
};

TEST_F(NumbersByMap, ByAFieldOfTheChain) {
    expect_one_result(
        "noise --size 1300x900 --cell 4 then mask-noise --field rock then thermal-erosion --steps 6 --talus "
        "@rock:15..50 --rate @rock:0.2..0.8 then terrace --sharpness @rock:0..1");
}

TEST_F(NumbersByMap, ByAFieldOfAFile) {
    done("mask-noise --size 700x500 --cell 10 --field rock -o rock.tif");
    expect_one_result(
        "noise --size 1300x900 --cell 4 then thermal-erosion --steps 6 --talus @rock.tif:rock:15..50");
    // The field is there for that operation alone.
    EXPECT_FALSE(contains(done("info whole.tif"), "rock"));
    // It is the same as one that is taken into the terrain.
    done(
        "noise --size 1300x900 --cell 4 then take rock.tif:rock as rock then thermal-erosion --steps 6 "
        "--talus "
        "@rock:15..50 --device cpu -o taken.tif");
    const std::string whole = done("info whole.tif"), taken = done("info taken.tif");
    const std::string print = whole.substr(whole.find("height", whole.find("fingerprint")));
    EXPECT_TRUE(contains(taken, print.substr(0, print.find('\n')))) << whole << taken;
}

TEST_F(NumbersByMap, SimulationsThroughPagesAndCheckpoints) {
    // Stages of cells of several sizes, with the map in each.
    expect_one_result(
        "noise --size 1300x900 --cell 2 then mask-noise --field rock then hydraulic-erosion --duration 3 "
        "--capacity @rock:0.2..0.9 --evaporation @rock:0.01..0.2 --rain-least @rock:0..0.05");
}

TEST_F(NumbersByMap, MistakesAreNamed) {
    refused("noise --size 64 then thermal-erosion --talus @rock -o a.tif", {"needs the field 'rock'"});
    refused("noise --size 64 then thermal-erosion --talus @none.tif:0..40 -o a.tif",
            {"'none.tif': there is no"});
    refused("noise --size 64 then thermal-erosion --talus @height:0..95 -o a.tif",
            {"must be 0 to 85 degrees"});
    refused("noise --size 64 then thermal-erosion --talus @ -o a.tif", {"a map is @FIELD"});
    refused("noise --size 64 then smooth --radius @height -o a.tif", {"it is one number for all the land"});
    done("noise --size 64 -o one.tif");
    refused("noise --size 64 then thermal-erosion --talus @one.tif:rock -o a.tif", {"has no field 'rock'"});
}

TEST_F(NumbersByMap, HelpSaysWhichTheyAre) {
    const std::string help = done("help thermal-erosion");
    EXPECT_TRUE(contains(help, "--talus N|@MAP")) << help;
    EXPECT_TRUE(contains(help, "@FIELD:LOW..HIGH")) << help;
    EXPECT_FALSE(contains(done("help smooth"), "@MAP"));
}

// ---- documents and brushes ---------------------------------------------------------------------------------

TEST_F(NumbersByMap, LayersTakeFieldsOfTheDocument) {
    done("noise --size 96 --cell 8 then mask-noise --field rock -o land.tif");
    done("document new p.caprock --from land.tif");
    done("document add p.caprock thermal-erosion --steps 5 --talus @rock:15..50 --name Scree");
    done("run p.caprock --device cpu -o document.tif");
    done("land.tif then thermal-erosion --steps 5 --talus @rock:15..50 --device cpu -o chain.tif");
    EXPECT_EQ(facts("document.tif"), facts("chain.tif"));
    // Another map, undone again.
    done("document set p.caprock Scree --talus @rock:50..15");
    done("run p.caprock --device cpu -o other.tif");
    EXPECT_NE(facts("other.tif"), facts("chain.tif"));
    done("document undo p.caprock");
    done("run p.caprock --device cpu -o document.tif");
    EXPECT_EQ(facts("document.tif"), facts("chain.tif"));
    // A layer is blended by one number, and files are for chains.
    refused("document set p.caprock Scree --opacity @rock:0..1", {"a mask says where"});
    Outcome outcome = caprock("document add p.caprock thermal-erosion --talus @land.tif:rock:15..50");
    EXPECT_TRUE(contains(outcome.err, "import the file as a layer")) << outcome.err;
}

}  // namespace
}  // namespace caprock::test
