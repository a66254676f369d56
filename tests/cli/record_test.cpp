// The record: what the program made of many commands, to the last bit, when tests/record was written. Whatever is built anew
// inside, users' recipes and documents go on making the same land; where a fault is mended, the lines that change are part of
// that change.
#include "cli/typed_pages.h"
#include "operation/presets.h"
#include "soak/length.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace caprock::test {
namespace {

class Record : public TypedPages {
  protected:
    // The bits are those of a release in any build; that builds agree is tested elsewhere, on less.
    void SetUp() override {
        if (sanitized) GTEST_SKIP() << "the record is compared in a release";
    }

    static std::string place(const std::string& name) {
        return fmt::format("{}/tests/record/{}", test::source_folder, name);
    }

    // A line for each field of each file.
    std::string found_in(const std::vector<std::string>& files) {
        std::string lines;
        for (const std::string& file : files) {
            Outcome outcome = caprock("info --json " + file);
            EXPECT_EQ(outcome.code, 0) << file << "\n" << outcome.err;
            const nlohmann::json about = nlohmann::json::parse(outcome.out);
            for (const nlohmann::json& field : about["fields"])
                lines += fmt::format("{} {} {}\n", file, std::string(field["name"]),
                                     std::string(field["fingerprint"]));
        }
        return lines;
    }

    // What was found is kept in the build folder: to change the record is to copy it.
    void compare(const std::string& name, const std::string& found) {
        std::filesystem::create_directories(fmt::format("{}/record", test::build_folder));
        std::string kept = fmt::format("{}/record/{}.fingerprints", test::build_folder, name);
        write_text(kept, found);
        std::vector<std::string> expected = lines_of(file_text(place(name + ".fingerprints")));
        std::vector<std::string> lines = lines_of(found);
        EXPECT_FALSE(expected.empty());
        EXPECT_EQ(lines.size(), expected.size())
            << "of tests/record/" << name << ".fingerprints; found: " << kept;
        for (size_t i = 0; i < std::min(lines.size(), expected.size()); i++) EXPECT_EQ(lines[i], expected[i]);
    }

    // Types all lines of a file, and gives the names of those files that its commands make with -o.
    std::vector<std::string> type(const std::vector<std::string>& lines) {
        std::vector<std::string> made;
        for (const std::string& line : lines) {
            if (line.empty() || line.starts_with("#")) continue;
            Outcome outcome = caprock(line + " --quiet");
            EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.err;
            std::vector<std::string> words = words_of(line);
            auto output = std::ranges::find(words, "-o");
            if (output != words.end()) made.push_back(*(output + 1));
        }
        return made;
    }

    void compare_file(const std::string& name) {
        compare(name, found_in(type(lines_of(file_text(place(name + ".txt"))))));
    }
};

TEST_F(Record, Chains) {
    for (const char* kernel : {"crests.kernel", "terraces.kernel"})
        std::filesystem::copy(fmt::format("{}/examples/kernels/{}", test::source_folder, kernel),
                              folder_ / kernel);
    compare_file("chains");
}

TEST_F(Record, Documents) { compare_file("documents"); }

TEST_F(Record, Strokes) { compare_file("strokes"); }

// Projects that an earlier version of the program has written.
TEST_F(Record, EarlierProjects) {
    std::vector<std::string> projects;
    for (const auto& entry : std::filesystem::directory_iterator(place("earlier")))
        projects.push_back(entry.path().filename().string());
    std::ranges::sort(projects);
    EXPECT_GE(projects.size(), 2u);
    for (const std::string& project : projects)
        std::filesystem::copy(place("earlier/" + project), folder_ / project);
    compare("earlier", found_in(projects));
}

// In full they are two minutes of work: that is for ./test slow, and a piece of each for every run.
TEST_F(Record, Presets) {
    const std::string size = is_long_soak() ? "" : " --size 192x192";
    std::string found;
    for (const std::string& name : preset_names()) {
        done(fmt::format("run {0}{1} -o {0}.tif --quiet", name, size));
        found += found_in({name + ".tif"});
        std::filesystem::remove(folder_ / (name + ".tif"));
    }
    compare(is_long_soak() ? "presets" : "presets-small", found);
}

// The README's tour: what its commands print, and the land that they make.
TEST_F(Record, Readme) {
    std::set<std::string> fingerprints;
    std::vector<std::string> made;
    const int count = type_page("README.md", [&](const std::string& line, const std::string& out) {
        // The same line with another device: the same fingerprint.
        if (contains(line, "--device")) fingerprints.insert(out.substr(out.find_last_of(' ')));
        const bool tells = std::ranges::any_of(
            std::array{"render", "devices", "presets", "info"},
            [&](const char* name) { return line.starts_with(std::string("caprock ") + name); });
        const std::vector<std::string> words = words_of(line);
        const auto output = std::ranges::find(words, "-o");
        if (!tells && output != words.end()) made.push_back(*(output + 1));
    });
    EXPECT_GE(count, 10) << "the README has no tour any more";
    EXPECT_EQ(fingerprints.size(), 1u);
    compare("readme", found_in(made));
}

}  // namespace
}  // namespace caprock::test
