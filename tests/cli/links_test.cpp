// Chains that take from more than one place, in words and in recipes: the same bits either way, whole and in windows.
#include "command_line.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class Links : public CommandLine {
  protected:
    // The same as a whole, in windows, and as the recipe that it writes.
    void expect_one_result(const std::string& chain) {
        done(chain + " --device cpu -o whole.tif --save-recipe recipe.json");
        Outcome outcome = caprock(chain + " --device cpu -o windows.tif --memory 17M --verbose");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "in windows")) << outcome.err;
        EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
        done("run recipe.json --device cpu -o again.tif --save-recipe again.json");
        EXPECT_EQ(facts("again.tif"), facts("whole.tif"));
        done("run again.json --device cpu -o windows.tif --memory 17M");
        EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
    }
};

TEST_F(Links, AStepTakesFromAnother) {
    expect_one_result(
        "noise --seed 3 --size 1500x1100 --cell 4 as base then smooth --radius 80 as soft then from base "
        "then "
        "take soft.height as source then blend --mode add --source source");
    // What is added is what was smoothed.
    done("noise --seed 3 --size 60 then smooth --radius 80 -o soft.tif");
    done(
        "noise --seed 3 --size 60 then take soft.tif as source then blend --mode add --source source -o "
        "a.tif");
    done(
        "noise --seed 3 --size 60 as base then smooth --radius 80 as soft then from base then take soft as "
        "source "
        "then blend --mode add --source source -o b.tif");
    EXPECT_EQ(facts("a.tif"), facts("b.tif"));
}

TEST_F(Links, AFileIsLaidOntoTheGrid) {
    done("noise --size 1500x1100 --cell 4 --seed 2 -o rock.tif");
    expect_one_result(
        "noise --size 1500x1100 --cell 4 then take rock.tif as hardness then thermal-erosion --steps 5");
    // At the same cells, it is what it was.
    done("noise --size 1500x1100 --cell 4 then take rock.tif as hardness -o both.tif");
    const std::string both = done("info both.tif"), rock = done("info rock.tif");
    const std::string fingerprint = rock.substr(rock.size() - 17);
    EXPECT_EQ(both.substr(both.size() - 17), fingerprint) << both << rock;
    // Coarser, and finer than the land.
    done("noise --size 80 --cell 80 --seed 2 -o coarse.tif");
    expect_one_result(
        "noise --size 1500x1100 --cell 4 as land then from coarse.tif as other then smooth --radius "
        "200 as wide then from land then take wide.height as second then smooth --radius 40");
    done("noise --size 1500 --cell 1 --seed 2 -o fine.tif");
    done("noise --size 100 --cell 10 then take fine.tif as second -o c.tif");
}

TEST_F(Links, AFieldOfAFileIsNamed) {
    done("noise --size 50 then noise --field hardness --seed 2 -o two.tif");
    done("noise --size 50 --seed 3 then take two.tif:hardness as second -o a.tif");
    done("noise --size 50 --seed 3 then take two.tif as hardness -o b.tif");
    EXPECT_TRUE(contains(done("info a.tif"), "second"));
    const std::string a = done("info a.tif"), b = done("info b.tif");
    EXPECT_EQ(a.substr(a.size() - 17), b.substr(b.size() - 17));
    refused("noise --size 50 then take two.tif:wetness as second -o c.tif", {"'two' has no field 'wetness'"});
}

TEST_F(Links, SayWhereAFileDoesNotReach) {
    done("noise --size 20 --cell 8 -o small.tif");
    Outcome outcome = caprock("noise --size 50 --cell 8 then take small.tif as second -o a.tif");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_TRUE(contains(outcome.err, "small covers a part of the terrain; beyond it, second is missing"))
        << outcome.err;
}

TEST_F(Links, ARecipeIsReadAsItIsWritten) {
    write_text(folder_ / "recipe.json",
               R"({"caprock": 2, "grid": {"size": [60, 60], "cell": 8, "range": [0, 1000]},
              "inputs": {"rock": {"file": "rock.tif"}},
              "operations": [{"operation": "noise", "name": "base"},
                             {"operation": "smooth", "name": "soft"},
                             {"from": "base", "take": {"source": "soft.height", "hardness": "rock"},
                              "operation": "blend", "parameters": {"mode": "add", "source": "source"}}]})");
    done("noise --size 60 --seed 9 -o rock.tif");
    Outcome outcome = caprock("run recipe.json -o a.tif");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    done(
        "noise --size 60 as base then smooth as soft then from base then take soft.height as source then "
        "take "
        "rock.tif as hardness then blend --mode add --source source -o b.tif --save-recipe all.json");
    EXPECT_EQ(facts("a.tif"), facts("b.tif"));
    // A layer has no such steps.
    done("document new p.caprock --size 60");
    refused("document add p.caprock all.json", {"all.json", "its steps take from one another"});
}

TEST_F(Links, SayWhatIsWrong) {
    done("noise --size 20 -o land.tif");
    const std::string noise = "noise --size 20 as base ";
    refused(noise + "then from bsae then smooth -o a.tif", {"from bsae: no step is called 'bsae'", "'base'"});
    refused(noise + "then take bsae.height as x -o a.tif", {"take bsae.height", "did you mean 'base'?"});
    refused(noise + "then from somewhere -o a.tif",
            {"from somewhere: it is neither a file nor the name of a step", "base"});
    refused(noise + "then take nowhere.tif as x -o a.tif", {"nowhere.tif"});
    refused(noise + "then take land.tif -o a.tif", {"take land.tif: say as what: take rock.tif as hardness"});
    refused(noise + "then take land.tif as -o a.tif", {"must be followed by one name"});
    refused(noise + "then take -o a.tif", {"'take' must be followed by a file or the name of a step"});
    refused(noise + "then from -o a.tif", {"'from' must be followed by"});
    refused(noise + "then from base.height -o a.tif", {"'take' takes one"});
    refused(noise + "then smooth as base -o a.tif", {"two steps or inputs are called 'base'"});
    refused(noise + "then smooth as a.b -o a.tif", {"a name is letters, digits, - and _"});
    refused(noise + "then smooth as -o a.tif", {"'as' must be followed by a name"});
    refused(noise + "then smooth as x as y -o a.tif", {"it is called 'x' already"});
    refused("noise --size 20 then land.tif -o a.tif", {"'take land.tif as FIELD'"});
    refused(noise + "then take land.tif as x --rnge 3 -o a.tif", {"--rnge"});
}

// ---- layers ----------------------------------------------------------------------------------------------

TEST_F(Links, ALayerTakesFromAnother) {
    done("noise --size 60 --cell 8 --seed 9 -o rock.tif");
    done("document new p.caprock --size 60 --cell 8");
    done("document add p.caprock noise --seed 3 --name Land");
    done("document import p.caprock rock.tif --name \"Hard rock\" --no-visible");
    done(
        "document add p.caprock take \"Hard rock.height\" as second then blend --mode add --source second "
        "--name Sum");
    done("run p.caprock -o a.tif");
    done(
        "noise --size 60 --cell 8 --seed 3 then take rock.tif as second then blend --mode add --source "
        "second -o b.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("b.tif"));
    EXPECT_TRUE(contains(done("document list p.caprock"), "as second then blend"))
        << done("document list p.caprock");
    done(
        "document operations p.caprock Sum take \"Hard rock\" as second then blend --mode subtract --source "
        "second");
    done("run p.caprock -o c.tif");
    EXPECT_NE(fingerprint_of("a.tif"), fingerprint_of("c.tif"));
    done("document undo p.caprock");
    done("run p.caprock -o c.tif");
    EXPECT_EQ(fingerprint_of("a.tif"), fingerprint_of("c.tif"));
    refused("document add p.caprock take Soft as second then blend --source second", {"Soft"});
    refused("document add p.caprock take Land as", {"'take Land' must say as what"});
    refused("document add p.caprock take Land as second", {"must be followed by an operation"});
    refused("document add p.caprock smooth then take Land as second then blend --source second",
            {"comes before the operations"});
}

// ---- what is larger than memory --------------------------------------------------------------------------

TEST_F(Links, InfoAndMapsInWindowsAreTheSame) {
    done("noise --size 1100x900 then noise --field hardness --seed 2 then materials -o land.tif");
    EXPECT_EQ(done("info land.tif --memory 16M"), done("info land.tif"));
    EXPECT_EQ(done("info land.tif --json --memory 16M"), done("info land.tif --json"));
    for (const std::string options :
         {"", "--longest-side 300", "--field hardness", "--field material --longest-side 200",
          "--size 400x300 --scheme swiss --contours auto --grid auto --legend",
          "--field material --size 400x300", "--size 1300x1100 --crisp --scheme earth"}) {
        done("render land.tif " + options + " -o whole.png");
        done("render land.tif " + options + " -o windows.png --memory 16M");
        EXPECT_EQ(file_text(folder_ / "windows.png"), file_text(folder_ / "whole.png")) << options;
    }
}

}  // namespace
}  // namespace caprock::test
