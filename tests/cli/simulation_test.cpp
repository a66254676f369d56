// What a run says and writes of simulations: the ledger, JSON, frames.
#include "command_line.h"
#include "support/kernels.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

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
        caprock("noise --size 32 then hydraulic-erosion --steps 30 --snapshot-every 10 -o h.tif");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(folder_.names(),
              (std::set<std::string>{"h.tif", "h-000010.tif", "h-000020.tif", "h-000030.tif"}));
    EXPECT_EQ(facts("h-000030.tif"), facts("h.tif"));
}

TEST_F(Simulation, FramesNeedAnOutputToBeNamedAfter) {
    Outcome outcome = caprock("noise --size 32 then thermal-erosion --snapshot-every 10");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(
        contains(outcome.err, "--snapshot-every: frames are named after the output; give one with -o"))
        << outcome.err;
}

// ---- checkpoints ----------------------------------------------------------------------------------------------

class CheckpointedRun : public CommandLine {
  protected:
    // A step of a sanitized program takes so much longer that fewer leave as much time to kill it.
    static std::string steps(int count) { return std::to_string(sanitized ? count / 2 : count) + " "; }

    // Kills the program when its checkpoint has been written more than once.
    void killed(const std::string& line) {
        Process process({.arguments = words_of(line), .folder = folder_.path()});
        const std::string path = folder_ / "a.checkpoint";
        std::set<std::filesystem::file_time_type> writings;
        for (int i = 0; i < 60000 && writings.size() < 2; i++) {
            // It is not there before the first step, nor when all is done.
            std::error_code gone;
            if (const auto time = std::filesystem::last_write_time(path, gone); !gone) writings.insert(time);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        process.interrupt(SIGKILL);
        const Outcome outcome = process.wait();
        ASSERT_EQ(writings.size(), 2u) << "nothing to kill was seen: " << outcome.err;
        ASSERT_NE(outcome.code, 0) << "it was done before it could be killed";
    }
};

// Of the second simulation, so that what lies before it has to be in the file as well; whole, and through windows.
TEST_F(CheckpointedRun, GoesOnToTheSameBitsWhenItWasKilled) {
    const std::string chain =
        "noise --size 1000x800 --seed 5 then smooth --radius 30 then hydraulic-erosion --steps " +
        steps(180) + "--rain-every 4 --device cpu ";
    done(chain + "-o whole.tif");
    for (const char* memory : {"", "--memory 17M "}) {
        SCOPED_TRACE(memory);
        const std::string line =
            chain + memory + "--checkpoint a.checkpoint --checkpoint-every 0 -o resumed.tif ";
        killed(line);
        if (HasFatalFailure()) return;
        EXPECT_FALSE(folder_.names().contains("resumed.tif"));
        refused(chain + memory + "then smooth --checkpoint a.checkpoint -o b.tif",
                {"a.checkpoint' is of other work"});
        Outcome outcome = caprock(line + "--verbose");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "going on from a.checkpoint")) << outcome.err;
        EXPECT_EQ(facts("resumed.tif"), facts("whole.tif"));
        EXPECT_EQ(folder_.names(), (std::set<std::string>{"whole.tif", "resumed.tif"}));
        std::filesystem::remove(folder_ / "resumed.tif");
    }
}

// A kernel of one's own: its frames, its checkpoint and its pages are those of any simulation.
TEST_F(CheckpointedRun, OfAKernelGoesOnToTheSameBits) {
    write_text(folder_ / "creep.kernel", creeping_kernel);
    const std::string chain =
        "noise --size 1300x1000 --seed 5 --cell 4 then noise --field hardness --seed 6 then creep.kernel "
        "--steps " +
        steps(300) + "--device cpu ";
    done(chain + "-o whole.tif");
    for (const char* memory : {"", "--memory 17M "}) {
        SCOPED_TRACE(memory);
        const std::string line =
            chain + memory + "--checkpoint a.checkpoint --checkpoint-every 0 -o resumed.tif ";
        killed(line);
        if (HasFatalFailure()) return;
        Outcome outcome = caprock(line + "--verbose");
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_TRUE(contains(outcome.err, "going on from a.checkpoint")) << outcome.err;
        EXPECT_EQ(facts("resumed.tif"), facts("whole.tif"));
        EXPECT_EQ(contains(outcome.err, "in windows"), *memory != 0) << outcome.err;
        std::filesystem::remove(folder_ / "resumed.tif");
    }
    done(chain + "--snapshot-every " + steps(150) + "-o frames.tif");
    auto frame = [&](int count) { return fmt::format("frames-{:06}.tif", std::stoi(steps(count))); };
    EXPECT_EQ(facts(frame(300)), facts("whole.tif"));
    done(chain + "--stop-after " + steps(150) + "-o stopped.tif");
    EXPECT_EQ(facts("stopped.tif"), facts(frame(150)));
}

TEST_F(CheckpointedRun, RefusesOtherFiles) {
    refused("noise --size 32 then thermal-erosion --checkpoint a.tif -o b.tif",
            {"the name of a checkpoint must end in .checkpoint"});
    write_text(folder_ / "mine.checkpoint", "a list of things to do");
    refused("noise --size 32 then thermal-erosion --checkpoint mine.checkpoint -o b.tif",
            {"is no checkpoint"});
    EXPECT_EQ(file_text(folder_ / "mine.checkpoint"), "a list of things to do");
}

}  // namespace
}  // namespace caprock::test
