// What a run says and writes of simulations: the ledger, JSON, frames.
#include "command_line.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace caprock::test {
namespace {

using Simulation = CommandLine;
const std::string hills =
    "noise --size 64 then thermal-erosion --steps 5 then hydraulic-erosion --iterations 20";

TEST_F(Simulation, TheLedgerIsATable) {
    Outcome outcome = caprock(hills + " --ledger");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const char* row : {"thermal-erosion rock", "hydraulic-erosion rock", "hydraulic-erosion sediment",
                            "hydraulic-erosion water"})
        EXPECT_TRUE(contains(outcome.out, row)) << outcome.out;
    EXPECT_FALSE(contains(caprock(hills).out, "ledger"));
    EXPECT_TRUE(contains(caprock("noise --size 8 --ledger").out, "no simulation was run"));
}

TEST_F(Simulation, TheLedgerIsInTheJsonAndCloses) {
    Outcome outcome = caprock(hills + " --json -o h.tif");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    nlohmann::json json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["file"], "h.tif");
    EXPECT_EQ(json["fields"].size(), 3u);
    ASSERT_EQ(json["ledger"].size(), 4u);
    for (const nlohmann::json& line : json["ledger"]) {
        double all = double(line["before"]) + double(line["in"]);
        EXPECT_NEAR(all, double(line["out"]) + double(line["after"]), 1e-5 * all) << line;
        EXPECT_LT(double(line["error"]), 1e-5) << line;
    }
}

TEST_F(Simulation, FramesAreWrittenBesideTheOutput) {
    Outcome outcome =
        caprock("noise --size 32 then hydraulic-erosion --iterations 30 --snapshot-every 10 -o h.tif");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(folder_.names(),
              (std::set<std::string>{"h.tif", "h-000010.tif", "h-000020.tif", "h-000030.tif"}));
    std::string last = caprock("info h-000030.tif").out;
    std::string whole = caprock("info h.tif").out;
    EXPECT_EQ(last.substr(last.find("size")), whole.substr(whole.find("size")));
}

TEST_F(Simulation, FramesNeedAnOutputToBeNamedAfter) {
    Outcome outcome = caprock("noise --size 32 then thermal-erosion --snapshot-every 10");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(
        contains(outcome.err, "--snapshot-every: frames are named after the output; give one with -o"))
        << outcome.err;
}

}  // namespace
}  // namespace caprock::test
