// How the program behaves while it works: the bar, Ctrl-C, full disks.
#include "cli/command_line.h"
#include "support/places.h"

#include <regex>
#include <sys/mount.h>

using namespace caprock::test;

class Conduct : public CommandLine {
  protected:
    Outcome shell(const std::string& script, const std::vector<std::string>& words = {}) {
        std::vector<std::string> arguments = {"-c", script, "bash"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        return run_program({.program = "bash",
                            .arguments = arguments,
                            .environment = {{"CAPROCK", caprock::test::caprock_program}},
                            .folder = folder_.path()});
    }
    void expect_one_line(const Outcome& outcome, const std::vector<std::string>& parts) {
        EXPECT_EQ(outcome.code, 2);
        EXPECT_TRUE(outcome.err.starts_with("caprock: ")) << outcome.err;
        EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
        for (const std::string& part : parts) EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    }
};

namespace {

// Far longer than any test waits.
const std::vector<std::string> endless =
    words_of("noise --size 2048x2048 --octaves 1 --device cpu then thermal-erosion --steps 100000 -o a.tif");

}  // namespace

TEST_F(Conduct, ABarOnATerminal) {
    std::vector<std::string> words = endless;
    words.insert(words.end(), {"--size", "512x512"});
    Process process({.arguments = words, .folder = folder_.path(), .terminal = true});
    ASSERT_TRUE(process.wait_for("thermal-erosion"));
    ASSERT_TRUE(process.wait_for("left"));
    process.interrupt();
    Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 130);
    // One line drawn over again and again.
    std::regex bar("thermal-erosion [█░]+ +[0-9]+ %, [0-9.]+ (s|min|h) left");
    EXPECT_TRUE(std::regex_search(outcome.err, bar)) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    // Erased before the last word.
    EXPECT_TRUE(contains(outcome.err, "\r\033[Kcaprock: cancelled")) << outcome.err;
}

// Work that takes long to its first half percent shows that it goes on.
TEST_F(Conduct, TheBarComesSoon) {
    Process process({.arguments = endless, .folder = folder_.path(), .terminal = true});
    ASSERT_TRUE(process.wait_for("thermal-erosion"));
    process.interrupt();
    Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 130);
    EXPECT_LT(outcome.seconds, 30);
}

// Whatever the work is called, the bar stays within one line of the terminal.
TEST_F(Conduct, TheBarFitsTheTerminal) {
    std::string name = std::string(150, 'n') + ".tif";
    done("noise --size 2048 --octaves 1 -o " + name);
    Process process(
        {.arguments = {"info", name, name, name, name}, .folder = folder_.path(), .terminal = true});
    Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 0);
    std::stringstream drawn(outcome.err);
    for (std::string line; std::getline(drawn, line, '\r');) {
        std::ptrdiff_t columns = std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; });
        EXPECT_LE(columns, 100 + 3) << line;  // and the three that erase it
    }
}

TEST_F(Conduct, NoBarWhenQuiet) {
    std::vector<std::string> words = endless;
    words.push_back("--quiet");
    Process process({.arguments = words, .folder = folder_.path(), .terminal = true});
    usleep(700000);
    process.interrupt();
    EXPECT_EQ(process.wait().err.find('%'), std::string::npos);
}

TEST_F(Conduct, InterruptLeavesWhatWasThere) {
    for (int signal : {SIGINT, SIGTERM}) {
        write_text(folder_ / "a.tif", "old");
        Process process({.arguments = endless, .folder = folder_.path()});
        usleep(700000);
        process.interrupt(signal);
        Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 130);
        EXPECT_LT(outcome.seconds, 20);
        EXPECT_EQ(outcome.out, "");
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        EXPECT_EQ(file_text(folder_ / "a.tif"), "old");
        EXPECT_EQ(folder_.names(), std::set<std::string>{"a.tif"});
    }
}

TEST_F(Conduct, InterruptOnOpenCl) {
    std::vector<std::string> words = endless;
    words.insert(words.end(), {"--device", "opencl"});
    Process process({.arguments = words, .folder = folder_.path()});
    usleep(1500000);
    process.interrupt();
    Outcome outcome = process.wait();
    EXPECT_EQ(outcome.code, 130) << outcome.err;
    EXPECT_LT(outcome.seconds, 30);
    EXPECT_TRUE(folder_.names().empty());
}

TEST_F(Conduct, AFileLargerThanAllowed) {
    write_text(folder_ / "a.tif", "old");
    write_text(folder_ / "a.png", "old");
    write_text(folder_ / "r.json", "old");
    done("noise --size 256 -o whole.tif");
    std::set<std::string> before = folder_.names();
    // With the signal ignored, and as it is by default.
    for (const char* trap : {"trap '' XFSZ; ", ""}) {
        std::string limited = std::string(trap) + "ulimit -f 8; exec \"$CAPROCK\" \"$@\"";
        for (const char* output : {"a.tif", "a.png"}) {
            Outcome outcome = shell(limited, {"noise", "--size", "512", "-o", output});
            expect_one_line(outcome, {"'" + std::string(output) + "'", "ulimit"});
            EXPECT_EQ(file_text(folder_ / output), "old");
        }
        expect_one_line(shell(limited, {"render", "whole.tif", "-o", "a.png"}), {"'a.png'", "ulimit"});
        EXPECT_EQ(folder_.names(), before);
    }
    std::string nothing = "trap '' XFSZ; ulimit -f 0; exec \"$CAPROCK\" \"$@\"";
    expect_one_line(shell(nothing, {"noise", "--size", "8", "--save-recipe", "r.json"}), {"'r.json'"});
    EXPECT_EQ(file_text(folder_ / "r.json"), "old");
    EXPECT_EQ(folder_.names(), before);
}

TEST_F(Conduct, AFullDisk) {
    std::filesystem::create_directory(folder_ / "small");
    if (mount("tmpfs", (folder_ / "small").c_str(), "tmpfs", 0, "size=64k") != 0)
        GTEST_SKIP() << "a small disk can be made by root only";
    for (const char* output : {"small/a.tif", "small/a.png"}) {
        Outcome outcome = caprock("noise --size 512 -o " + std::string(output));
        expect_one_line(outcome, {"'" + std::string(output) + "'", "full"});
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "small")) << output;
    }
    // What was there stays there.
    EXPECT_EQ(caprock("noise --size 16 -o small/a.tif").code, 0);
    std::string old = file_text(folder_ / "small/a.tif");
    EXPECT_EQ(caprock("noise --size 512 -o small/a.tif").code, 2);
    EXPECT_EQ(file_text(folder_ / "small/a.tif"), old);
    umount((folder_ / "small").c_str());
}

TEST_F(Conduct, AStandardOutputThatIsFull) {
    done("noise --size 8 -o a.tif");
    for (const char* command : {"info a.tif", "list", "help"}) {
        Outcome outcome = shell("\"$CAPROCK\" " + std::string(command) + " > /dev/full");
        expect_one_line(outcome, {"output"});
    }
}

TEST_F(Conduct, StartsQuickly) {
    double best = 10;
    for (int i = 0; i < 5; i++) best = std::min(best, run_program({.arguments = {"--version"}}).seconds);
    // Sanitizers and loaded machines take their time; GDAL or OpenCL at the start would take more.
    EXPECT_LT(best, 1.0);
}
