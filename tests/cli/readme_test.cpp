// The tours of the pages, typed as they stand there: every command works, and what it prints is what the page shows. That of the
// README is in record_test.cpp.
#include "cli/typed_pages.h"
#include "soak/length.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

class Pages : public TypedPages {
  protected:
    // Whether a page is true does not depend on how the program was built, and its commands are as large as users' are.
    void SetUp() override {
        if (sanitized) GTEST_SKIP() << "pages are typed in a release";
    }
};

TEST_F(Pages, Brushes) {
    int count = type_page("docs/brushes.md", [](const std::string&, const std::string&) {});
    EXPECT_GE(count, 20) << "the page has no tour any more";
}

TEST_F(Pages, Recipes) {
    int count = type_page("docs/recipes.md", [](const std::string&, const std::string&) {});
    EXPECT_GE(count, 5) << "the page has no tour any more";
}

TEST_F(Pages, Documents) {
    int count = type_page("docs/documents.md", [](const std::string&, const std::string&) {});
    EXPECT_GE(count, 30) << "the page has no tour any more";
}

// Pages of operations: commands that work, and files that they show as pictures.
TEST_F(Pages, Operations) {
    for (const char* page :
         {"docs/noise.md", "docs/shaping.md", "docs/filters.md", "docs/roads.md", "docs/lines.md",
          "docs/hydrology.md", "docs/water.md", "docs/landscapes.md", "docs/river-network.md"}) {
        SCOPED_TRACE(page);
        EXPECT_GE(type_page(page, [](const std::string&, const std::string&) {}), 1)
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
