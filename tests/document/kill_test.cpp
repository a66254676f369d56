// A program that is killed at any moment: what it said is on disk is there, and the file is sound.
#include "document/child.h"
#include "document/document.h"
#include "document/documents.h"
#include "document/driver/driving.h"
#include "document/verify.h"
#include "soak/length.h"
#include "support/places.h"

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

class Killing : public testing::Test {
  protected:
    Folder folder;
    uint64_t seed = 20240917;
    std::string path = folder / "a.caprock";
    std::string other = folder / "b.caprock";
    std::mt19937_64 random{seed};
    // What must be there at least, and what may be there.
    DriverModel model{seed};
    std::map<std::string, int> kills;

    // Lets the driver go on, kills it some time after it has begun something for the n-th time, and takes note of
    // what it has said. Returns the number of the last command it may have begun.
    struct Said {
        int64_t committed = 0;
        int64_t begun = 0;
        std::map<int64_t, std::string> fingerprints;
    };
    Said let_run_and_kill(const std::string& phase) {
        Child driver({test::paint_driver, "paint", path, other, std::to_string(seed),
                      std::to_string(model.done()), phase});
        Said said;
        said.committed = said.begun = model.done();
        auto hear = [&](const std::string& line) {
            if (line.starts_with("refused") || line.starts_with("failed")) ADD_FAILURE() << line;
            if (line == "begin command") said.begun++;
            if (line.starts_with("committed ")) said.committed = std::stoll(line.substr(10));
            if (line.starts_with("done ")) {
                size_t space = line.find(' ', 5);
                said.fingerprints[std::stoll(line.substr(5, space - 5))] = line.substr(space + 1);
            }
            if (line.starts_with("at ") && line.substr(3) != path) std::swap(path, other);
        };
        int wanted = 1 + int(random() % 3) + (phase == "command" ? int(random() % 12) : 0);
        while (wanted > 0) {
            std::optional<std::string> line = driver.line();
            if (!line) {
                ADD_FAILURE() << "the driver is silent; it ended with " << driver.wait();
                return said;
            }
            hear(*line);
            if (*line == "begin " + phase) wanted--;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 45000));
        driver.kill();
        while (std::optional<std::string> line = driver.line()) hear(*line);
        kills[phase]++;
        return said;
    }

    // The model goes on to what was committed, and from there to the state that is found.
    void expect_nothing_lost(const Said& said, bool for_writing) {
        VerifyReport report = verify_project(path);
        ASSERT_TRUE(report.sound()) << joined(report.problems);
        DocumentOptions options;
        options.read_only = !for_writing;
        auto document = Document::open(path, options);
        ASSERT_TRUE(document->lost().empty());
        auto go_on = [&] {
            model.next();
            auto heard = said.fingerprints.find(model.done());
            if (heard != said.fingerprints.end()) {
                EXPECT_EQ(heard->second, fmt::format("{:016x}", fingerprint(model_field(model))))
                    << "what the driver saw after command " << model.done();
            }
        };
        while (model.done() < said.committed) go_on();
        std::string difference = difference_from(*document, model);
        std::string first = difference;
        while (!difference.empty() && model.done() < said.begun) {
            go_on();
            difference = difference_from(*document, model);
        }
        ASSERT_EQ(difference, "") << "of commands " << said.committed << " to " << said.begun
                                  << " none leads to what is there; after the first of them: " << first;
        // What an export has given its name is whole.
        for (const std::string& name : {path, other})
            if (fs::exists(name + ".raw")) {
                EXPECT_EQ(fs::file_size(name + ".raw"), uint64_t(driver_rect().cells()) * sizeof(float));
            }
    }
};

TEST_F(Killing, NothingThatWasCommittedIsLost) {
    const int all = is_long_soak() ? 200 : 60;
    std::cout << "seed " << seed << ", " << all << " kills\n";
    made_for_driver(path);
    const std::vector<std::string> phases = {"command", "save",    "command", "compact",
                                             "command", "save_as", "export"};
    for (int kill = 0; kill < all; kill++) {
        const std::string& phase = phases[size_t(kill) % phases.size()];
        SCOPED_TRACE(fmt::format("kill {} in {}", kill, phase));
        Said said = let_run_and_kill(phase);
        expect_nothing_lost(said, kill % 2 == 0);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
    }
    std::cout << model.done() << " commands;";
    for (const auto& [phase, count] : kills) std::cout << " " << count << " kills in " << phase;
    std::cout << "\n";
    // And it goes on as if nothing had been: all that is left can be undone.
    auto document = Document::open(path);
    while (document->undo()) {
    }
    EXPECT_EQ(document->position(), 0);
    document->flush();
    EXPECT_TRUE(verify_project(path).sound());
}

}  // namespace
}  // namespace caprock::test
