// How the program behaves while it works: the bar, Ctrl-C, full disks.
#include "cli/command_line.h"
#include "support/places.h"

#include <regex>
#include <sys/mount.h>
#include <sys/stat.h>

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

// ---- what cannot be told -----------------------------------------------------------------------------------

TEST_F(Conduct, ErrorsThatCannotBeWrittenChangeNothing) {
    done("noise --size 64 -o a.tif");
    done("document new p.caprock --size 64 --no-thumbnail");
    done("document add p.caprock noise --no-thumbnail");
    write_text(folder_ / "bad.kernel", "no kernel\n");
    const std::vector<std::string> commands = {
        "info a.tif",
        "info none.tif",
        "noise --size 0",
        "noise --size 64 --verbose --timings -o b.tif",
        "document add p.caprock fill-holes --no-thumbnail",
        "document add p.caprock nothing",
        // A note: the layer reads a field that there is not.
        "document add p.caprock gradation --no-thumbnail",
        "document list p.caprock",
        "run p.caprock -o c.tif",
        "render a.tif -o a.png",
        "kernel bad.kernel --device cpu",
        "paint p.caprock --stroke nothing",
        "help nothing",
        "--version",
    };
    for (const std::string& command : commands) {
        std::string line = "\"$CAPROCK\" " + command;
        int code = shell(line).code;
        for (const char* stream : {"/dev/full", "&-"}) {
            Outcome outcome = shell(line + " 2>" + stream);
            EXPECT_EQ(outcome.code, code) << command << " 2>" << stream;
            EXPECT_EQ(outcome.err, "") << command;
        }
    }
    EXPECT_TRUE(contains(done("document verify p.caprock"), "sound"));
}

// With closed streams, the files that are opened next would have their numbers, and what is told would be written into them.
TEST_F(Conduct, ClosedStreamsAreNobodysFile) {
    for (const char* closed : {"<&- >&- 2>&-", ">&- 2>&-", "2>&-", "<&-"}) {
        std::string name = "p" + std::to_string(folder_.names().size()) + ".caprock";
        for (const char* command :
             {"new P --size 64 --no-ground --no-thumbnail", "add P noise --no-thumbnail",
              "add P gradation --no-thumbnail", "add P nothing"}) {
            std::string line = command;
            line.replace(line.find('P'), 1, name);
            shell("\"$CAPROCK\" document " + line + " " + closed);
        }
        EXPECT_TRUE(contains(done("document verify " + name), "sound")) << closed;
        EXPECT_EQ(nlohmann::json::parse(done("document list --json " + name))["layers"].size(), 2u) << closed;
    }
    Outcome outcome = shell("\"$CAPROCK\" list >&-");
    expect_one_line(outcome, {"standard output", "closed"});
}

// Who asked for a change and hears of a failure must know that it was made all the same.
TEST_F(Conduct, AChangeWhoseAnswerCannotBePrinted) {
    done("document new p.caprock --size 64 --no-ground --no-thumbnail");
    Outcome outcome = shell("\"$CAPROCK\" document add p.caprock noise --no-thumbnail > /dev/full");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "No space left")) << outcome.err;
    EXPECT_TRUE(contains(outcome.err, "'p.caprock' was written")) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(done("document list --json p.caprock"))["layers"].size(), 1u);

    outcome = shell("\"$CAPROCK\" noise --size 64 --json -o a.tif > /dev/full");
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(contains(outcome.err, "'a.tif' was written")) << outcome.err;
    EXPECT_EQ(info("a.tif")["size"][0], 64);
}

TEST_F(Conduct, AReaderThatHasGone) {
    done("document new p.caprock --size 64 --no-ground --no-thumbnail");
    // A pipe that nobody reads any more: what ends the substitution has been waited for.
    std::string gone = "exec > >(:); wait $!; exec \"$CAPROCK\" ";
    for (const char* command : {"help", "list", "document list p.caprock"}) {
        Outcome outcome = shell(gone + command);
        EXPECT_EQ(outcome.code, 128 + SIGPIPE) << command;
        EXPECT_EQ(outcome.err, "") << command;
    }
    Outcome outcome = shell(gone + "document add p.caprock noise --no-thumbnail");
    EXPECT_EQ(outcome.code, 0) << "the change is made";
    EXPECT_EQ(nlohmann::json::parse(done("document list --json p.caprock"))["layers"].size(), 1u);
    // Notes go the same way, and no file is left half written for it.
    outcome = shell("exec 2> >(:); wait $!; exec \"$CAPROCK\" noise --size 64 --verbose -o a.tif");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(folder_.names(), (std::set<std::string>{"a.tif", "p.caprock"}));
}

// ---- interrupts --------------------------------------------------------------------------------------------

// All of these go on for minutes, each in work of another kind.
TEST_F(Conduct, EveryCommandAnswersInterrupts) {
    done("noise --size 2048 --octaves 1 --device cpu -o a.tif");
    write_text(folder_ / "k.kernel", "KERNEL(k, INOUT(height))\n{ STORE(height, LOAD(height) + 1.0f); }\n");
    std::filesystem::create_directory(folder_ / "tmp");
    std::filesystem::create_directory(folder_ / "out");
    const std::vector<std::string> commands = {
        "bench noise-8 --size 1024 --repeats 1000 --device cpu",
        "bench documents --size 1024 --repeats 1000",
        "bench brushes --size 512 --device cpu",
        "render a.tif --view 3d --size 320x200 --turntable 10000 -o out/a.png",
        "render a.tif --size 16000x16000 --contours 1 -o out/a.png",
        "kernel --watch --device cpu k.kernel",
        // Nobody writes into it.
        "run pipe.json",
    };
    ASSERT_EQ(mkfifo((folder_ / "pipe.json").c_str(), 0600), 0);
    int signal = SIGTERM;
    for (const std::string& command : commands) {
        signal = signal == SIGINT ? SIGTERM : SIGINT;
        Process process({.arguments = words_of(command),
                         .environment = {{"TMPDIR", folder_ / "tmp"}},
                         .folder = folder_.path()});
        usleep(500000);
        process.interrupt(signal);
        Outcome outcome = process.wait();
        EXPECT_EQ(outcome.code, 130) << command << "\n" << outcome.err;
        // Watching has no other end.
        std::string words = contains(command, "--watch") ? "" : "caprock: cancelled";
        EXPECT_TRUE(outcome.err.starts_with(words)) << command << "\n" << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), words.empty() ? 0u : 1u) << command << "\n" << outcome.err;
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "tmp")) << command;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "out")) {
            // Frames that were done before.
            EXPECT_EQ(entry.path().extension(), ".png") << entry.path();
            std::string bytes = file_text(entry.path());
            EXPECT_TRUE(contains(bytes.substr(bytes.size() - 8), "IEND")) << entry.path();
            std::filesystem::remove(entry.path());
        }
    }
}

TEST_F(Conduct, StartsQuickly) {
    double best = 10;
    for (int i = 0; i < 5; i++) best = std::min(best, run_program({.arguments = {"--version"}}).seconds);
    // Sanitizers and loaded machines take their time; GDAL or OpenCL at the start would take more.
    EXPECT_LT(best, 1.0);
}
