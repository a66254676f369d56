// The README's tour, typed as it stands there: every command works, and what it prints is what the README shows.
#include "cli/command_line.h"

#include <fstream>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// The indented lines of the README, with continued ones put together.
std::vector<std::string> readme_commands() {
    std::ifstream file(std::string(CAPROCK_SOURCE_DIR) + "/README.md");
    std::vector<std::string> commands;
    bool continued = false;
    for (std::string line; std::getline(file, line);) {
        bool begins = line.starts_with("    caprock ") || line.starts_with("    $ caprock ");
        if (!begins && !continued) continue;
        std::string text = line.substr(line.find_first_not_of(" $"));
        bool continues = text.ends_with("\\");
        if (continues) text.pop_back();
        if (continued) {
            commands.back() += text;
        } else {
            commands.push_back(text);
        }
        continued = continues;
    }
    return commands;
}

std::string readme_text() {
    std::ifstream file(std::string(CAPROCK_SOURCE_DIR) + "/README.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

using Readme = CommandLine;

TEST_F(Readme, EveryCommandOfTheTourWorks) {
    std::string readme = readme_text();
    int count = 0;
    std::set<std::string> fingerprints;
    for (const std::string& command : readme_commands()) {
        SCOPED_TRACE(command);
        std::vector<std::string> words = words_of(command);
        words.erase(words.begin());
        Outcome outcome = caprock(words);
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        count++;
        if (words[0] == "info") {
            for (const std::string& line : lines_of(outcome.out))
                EXPECT_TRUE(contains(readme, "    " + line)) << "the README does not show\n" << line;
        }
        // The same line with another device: the same fingerprint.
        if (contains(command, "--device"))
            fingerprints.insert(outcome.out.substr(outcome.out.find_last_of(' ')));
    }
    EXPECT_GE(count, 10) << "the README has no tour any more";
    EXPECT_EQ(fingerprints.size(), 1u);
}

}  // namespace
}  // namespace caprock::test
