// The README's tour and the one of documents, typed as they stand there: every command works, and what it prints is what
// the page shows.
#include "cli/command_line.h"
#include "cli/page_commands.h"
#include "soak/length.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class Pages : public CommandLine {
  protected:
    // Whether a page is true does not depend on how the program was built, and its commands are as large as users' are.
    void SetUp() override {
        if (sanitized) GTEST_SKIP() << "pages are typed in a release";
    }

    // Types all commands of a page. `typed` is told of each what it printed.
    template <typename Typed>
    int type(const std::string& path, const Typed& typed) {
        std::string page = page_text(path);
        int count = 0;
        for (const PageCommand& command : page_commands(path)) {
            SCOPED_TRACE(command.line);
            std::vector<std::string> words = words_of(command.line);
            words.erase(words.begin());
            Outcome outcome = caprock(words);
            EXPECT_EQ(outcome.code, 0) << outcome.err;
            if (outcome.code != 0) return count;
            count++;
            if (command.shows_its_output) {
                for (const std::string& line : lines_of(outcome.out))
                    EXPECT_TRUE(contains(page, "    " + line)) << path << " does not show\n" << line;
            }
            typed(command.line, outcome.out);
        }
        return count;
    }
};

TEST_F(Pages, Readme) {
    std::set<std::string> fingerprints;
    int count = type("README.md", [&](const std::string& line, const std::string& out) {
        // The same line with another device: the same fingerprint.
        if (contains(line, "--device")) fingerprints.insert(out.substr(out.find_last_of(' ')));
    });
    EXPECT_GE(count, 10) << "the README has no tour any more";
    EXPECT_EQ(fingerprints.size(), 1u);
}

TEST_F(Pages, Brushes) {
    int count = type("docs/brushes.md", [](const std::string&, const std::string&) {});
    EXPECT_GE(count, 20) << "the page has no tour any more";
}

TEST_F(Pages, Recipes) {
    int count = type("docs/recipes.md", [](const std::string&, const std::string&) {});
    EXPECT_GE(count, 5) << "the page has no tour any more";
}

TEST_F(Pages, Documents) {
    int count = type("docs/documents.md", [](const std::string&, const std::string&) {});
    EXPECT_GE(count, 30) << "the page has no tour any more";
}

// Pages of operations: commands that work, and files that they show as pictures.
TEST_F(Pages, Operations) {
    for (const char* page :
         {"docs/noise.md", "docs/shaping.md", "docs/filters.md", "docs/roads.md", "docs/lines.md",
          "docs/hydrology.md", "docs/water.md", "docs/landscapes.md", "docs/river-network.md"}) {
        SCOPED_TRACE(page);
        EXPECT_GE(type(page, [](const std::string&, const std::string&) {}), 1)
            << "the page has no commands any more";
    }
}

// The example of the format is a document, and every table is described.
TEST_F(Pages, ProjectFormat) {
    std::string page = page_text("docs/project-format.md");
    std::string example;
    for (const std::string& line : lines_of(page))
        if (line.starts_with("    ")) example += line + "\n";
    write_text(folder_ / "layers.json", example);
    Outcome outcome = caprock("document new a.caprock --from layers.json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    nlohmann::json layers = nlohmann::json::parse(done("document export-layers a.caprock"))["layers"];
    EXPECT_EQ(layers[1]["layers"][0]["placement"],
              nlohmann::json::parse(example)["layers"][1]["layers"][0]["placement"]);
    std::string source = page_text("src/document/project_file.cpp");
    int tables = 0;
    const std::string create = "CREATE TABLE ";
    for (size_t at = source.find(create); at != std::string::npos; at = source.find(create, at + 1)) {
        std::string name =
            source.substr(at + create.size(), source.find(' ', at + create.size()) - at - create.size());
        EXPECT_TRUE(contains(page, "| `" + name + "` |")) << name;
        tables++;
    }
    EXPECT_GE(tables, 9);
}

}  // namespace
}  // namespace caprock::test
