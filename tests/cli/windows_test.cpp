// Chains on terrains that do not fit in the memory they may take: computed window by window, with the bits of the whole.
#include "command_line.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

using Windows = CommandLine;

TEST_F(Windows, HaveTheBitsOfTheWhole) {
    const std::string chain =
        "noise --feature 400 then noise --field hardness --feature 90 --seed 4 then thermal-erosion --steps "
        "12 "
        "then smooth --radius 60 --size 1500x1100 --cell 4 --device cpu";
    done(chain + " -o whole.tif");
    // Four fields of 6.6 MB at once.
    Outcome outcome = caprock(chain + " -o windows.tif --memory 17M --verbose");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "in windows")) << outcome.err;
    EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
}

TEST_F(Windows, BeginWithAFile) {
    done("noise --size 1500x1100 --cell 4 -o land.tif");
    const std::string chain =
        "land.tif then thermal-erosion --steps 8 then levelling --radius 50 --device cpu";
    done(chain + " -o whole.tif");
    Outcome outcome = caprock(chain + " -o windows.tif --memory 17M --verbose");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "in windows")) << outcome.err;
    EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
    // Where it fits, it is not taken apart.
    outcome = caprock(chain + " -o again.tif --memory 1G --verbose");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "in windows")) << outcome.err;
    EXPECT_EQ(facts("again.tif"), facts("whole.tif"));
}

// A few numbers of everything are had from windows, and what takes many steps goes through files.
TEST_F(Windows, FoldAndTakeManySteps) {
    // Sanitized, a step takes ten times as long, and is the same.
    const std::string chain = fmt::format(
        "linear-faults --faults 500 then normalise then thermal-erosion --steps {} then hydraulic-erosion "
        "--steps {} --size 900x700 --cell 4 --device cpu",
        sanitized ? 60 : 400, sanitized ? 45 : 300);
    done(chain + " -o whole.tif");
    Outcome outcome = caprock(chain + " -o windows.tif --memory 17M --verbose");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "in windows")) << outcome.err;
    EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
    EXPECT_EQ(folder_.names(), (std::set<std::string>{"whole.tif", "windows.tif"}));
}

TEST_F(Windows, OfARecipe) {
    done("noise --size 1500x1100 then smooth --radius 20 -o whole.tif --save-recipe r.json --device cpu");
    done("run r.json -o windows.tif --memory 17M --device cpu");
    EXPECT_EQ(facts("windows.tif"), facts("whole.tif"));
}

TEST_F(Windows, AreRefusedWhereEverythingIsSeenAtOnce) {
    const std::string noise = "noise --size 2500x1500 --memory 17M ";
    refused(noise + "then mask-flow -o a.tif",
            {"mask-flow: it sees all of the terrain at once, which takes", "17"});
    refused(noise + "then smooth --ledger -o a.tif",
            {"--ledger is of everything at once", "--memory allows"});
    refused(noise + "then smooth --json -o a.tif", {"--json is of everything at once"});
    refused(noise + "then smooth", {"a chain without -o is of everything at once"});
    refused("noise --memory 3 -o a.tif", {"memory 3: must be a size such as 512M or 2G"});
}

}  // namespace
}  // namespace caprock::test
