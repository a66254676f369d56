// The rooms of docs/architecture.md: who may include whom. And a few habits of the house.
#include "support/places.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace caprock::test {
namespace {

namespace fs = std::filesystem;

const fs::path source = test::source_folder;

// What each room may include besides itself. `kernels` stands for kernels/dialect/launch.h and the generated
// list.
const std::map<std::string, std::set<std::string>> allowed = {
    {"base", {}},
    {"compute", {"kernels", "base"}},
    {"field", {"base", "compute"}},
    {"terrain", {"base", "field"}},
    {"hydrology", {"base", "compute", "field"}},
    {"operation", {"base", "compute", "field", "terrain"}},
    {"operations", {"kernels", "base", "compute", "field", "terrain", "hydrology", "operation"}},
    {"graph", {"base", "compute", "field", "terrain", "operation"}},
    {"document", {"base", "compute", "field", "terrain", "operation", "graph"}},
    {"painting", {"kernels", "base", "compute", "field", "terrain", "operation", "graph", "document"}},
    {"formats", {"base", "field", "terrain"}},
    {"view", {"base", "field", "terrain"}},
    {"assessment", {"base", "field", "terrain", "hydrology", "view"}},
    // All but those that the library shows nothing of; its own headers, include/caprock, know none.
    {"library", {"base", "compute", "field", "terrain", "operation", "graph", "document", "formats"}},
};

std::string room_of(const std::string& include) {
    if (include == "version.h") return "base";  // everybody may know it
    if (include == "kernels.h" || include.starts_with("dialect/")) return "kernels";
    size_t slash = include.find('/');
    return slash == std::string::npos ? "" : include.substr(0, slash);
}

std::vector<fs::path> files_under(const fs::path& folder, const std::set<std::string>& endings) {
    std::vector<fs::path> files;
    if (!fs::exists(folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && endings.contains(entry.path().extension().string()))
            files.push_back(entry.path());
    return files;
}

std::vector<std::pair<int, std::string>> lines_of(const fs::path& path) {
    std::vector<std::pair<int, std::string>> lines;
    std::ifstream file(path);
    std::string line;
    for (int number = 1; std::getline(file, line); number++) lines.emplace_back(number, line);
    return lines;
}

TEST(Rooms, IncludeOnlyWhatTheyMay) {
    const std::regex quoted("^\\s*#\\s*include\\s*\"([^\"]+)\"");
    int seen = 0;
    for (const auto& entry : fs::directory_iterator(source / "src")) {
        std::string room = entry.path().filename().string();
        ASSERT_TRUE(allowed.contains(room)) << "src/" << room << " is not a room of docs/architecture.md";
        for (const fs::path& file : files_under(entry.path(), {".cpp", ".h"})) {
            for (const auto& [number, line] : lines_of(file)) {
                std::smatch match;
                if (!std::regex_search(line, match, quoted)) continue;
                seen++;
                std::string target = room_of(match[1]);
                EXPECT_TRUE(target == room || allowed.at(room).contains(target))
                    << fs::relative(file, source).string() << ":" << number << ": " << room
                    << " may not include " << match[1];
            }
        }
    }
    EXPECT_GT(seen, 50) << "the test looked at nothing";
}

// Whoever builds on the library has the standard library and these headers, and nothing else on his machine.
TEST(Rooms, PublicHeadersKnowNoOthers) {
    const std::regex include("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]");
    int seen = 0;
    for (const fs::path& file : files_under(source / "include", {".h"}))
        for (const auto& [number, line] : lines_of(file)) {
            std::smatch match;
            if (!std::regex_search(line, match, include)) continue;
            seen++;
            const std::string name = match[2];
            const bool standard = std::ranges::all_of(
                name, [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '_'; });
            EXPECT_TRUE(match[1] == "<" && (name.starts_with("caprock/") || standard))
                << fs::relative(file, source).string() << ":" << number << " includes " << name;
        }
    EXPECT_GT(seen, 30) << "the test looked at nothing";
}

TEST(Rooms, HeavyLibrariesStayInFewFiles) {
    // Each costs seconds in every file that includes it, and binds the room to a library it should not know.
    const std::map<std::string, std::regex> where = {
        {"gdal|ogr_|cpl_", std::regex("^(src/formats/gdal/|tests/formats/|tests/view/golden)")},
        {"nlohmann/json", std::regex("^(src/base/json_text|apps/cli/report|tests/)")},
        {"CL/cl", std::regex("^src/compute/opencl/")},
        {"^Q", std::regex("^(apps/editor|tests/editor)/")},
    };
    const std::regex angled("^\\s*#\\s*include\\s*<([^>]+)>");
    for (const char* folder : {"src", "apps", "tests", "bench", "kernels"})
        for (const fs::path& file : files_under(source / folder, {".cpp", ".h"}))
            for (const auto& [number, line] : lines_of(file)) {
                std::smatch match;
                if (!std::regex_search(line, match, angled)) continue;
                std::string name = match[1];
                for (const auto& [library, places] : where) {
                    if (!std::regex_search(name, std::regex(library))) continue;
                    std::string path = fs::relative(file, source).generic_string();
                    EXPECT_TRUE(std::regex_search(path, places))
                        << path << ":" << number << " includes " << name;
                }
            }
}

// What throws or is lost where a stream fails: base/telling.h does neither.
TEST(Rooms, ProgramsTellThroughOneDoor) {
    for (const char* folder : {"src", "apps", "bench", "tools"})
        for (const fs::path& file : files_under(source / folder, {".cpp", ".h"}))
            for (const auto& [number, line] : lines_of(file))
                for (const char* other :
                     {"fmt::print(", "std::cout", "std::cerr", "std::clog", "std::printf(", "std::fprintf(",
                      "std::puts(", "std::fputs(", "perror("})
                    EXPECT_EQ(line.find(other), std::string::npos)
                        << fs::relative(file, source).string() << ":" << number << ": say() or tell()";
}

// Two types of one name in one namespace are linked into one library without a word, and which of them a function gets is
// anybody's guess.
TEST(Rooms, EveryTypeHasANameOfItsOwn) {
    const std::regex space("^(inline )?namespace ([\\w:]*) *\\{");
    const std::regex type("^(struct|class|enum class|union) (\\w+)( final)?( : .*| *\\{.*)$");
    std::map<std::string, std::string> places;
    for (const char* folder : {"src", "include", "apps", "bench"})
        for (const fs::path& file : files_under(source / folder, {".cpp", ".h"})) {
            // Those of the editor and of the command line are not in one program.
            std::string program =
                folder == std::string("apps") ? fs::relative(file, source / "apps").begin()->string() : "";
            std::vector<std::string> spaces;
            for (const auto& [number, line] : lines_of(file)) {
                std::smatch match;
                if (std::regex_search(line, match, space)) spaces.push_back(match[2]);
                if (line.starts_with("}  // namespace") && !spaces.empty()) spaces.pop_back();
                bool hidden = std::ranges::count(spaces, "") > 0;
                if (hidden || !std::regex_search(line, match, type)) continue;
                std::string name = program;
                for (const std::string& part : spaces) name += "::" + part;
                name += "::" + match[2].str();
                std::string place = fs::relative(file, source).string() + ":" + std::to_string(number);
                auto [known, is_new] = places.emplace(name, place);
                EXPECT_TRUE(is_new) << name << ": " << place << " and " << known->second;
            }
        }
    EXPECT_GT(places.size(), 300u) << "the test looked at nothing";
}

// What a field's numbers mean is asked of terrain/quantity.h.
TEST(Rooms, NobodyComparesNamesOfQuantities) {
    const std::regex compared(
        "[=!]= *\"(height|hardness|solubility|material|water|sediment)\"|"
        "\"(height|hardness|solubility|material|water|sediment)\" *[=!]=");
    for (const char* folder : {"src", "apps", "bench"})
        for (const fs::path& file : files_under(source / folder, {".cpp", ".h"}))
            for (const auto& [number, line] : lines_of(file))
                EXPECT_FALSE(std::regex_search(line, compared))
                    << fs::relative(file, source).string() << ":" << number << ": " << line;
}

// Half a cell that is added, taken away or kept for that. Halves of a picture's pixels, of texels and of lengths are others.
bool has_half_cell(const std::string& line) {
    // Few lines have either, and expressions take long.
    if (line.find("0.5") == std::string::npos && line.find("/ 2") == std::string::npos) return false;
    const std::string cell = "[\\w.>()-]*\\bcell_?(\\(\\))?";
    static const std::regex half(
        // (x + 0.5) * cell, and x / cell - 0.5
        "0\\.5f?\\)? *\\* *" + cell + "\\b|/ *" + cell + " *[-+] *0\\.5|" +
        // x + cell / 2, and half = cell / 2
        "[-+=] *" + cell + " */ *2\\b|" +
        // the edges of rectangles of cells, and of the pixels of files
        "\\b(left|top|right|bottom) *[-+] *0\\.5|\\bt\\[[1245]\\] */ *2\\b");
    return std::regex_search(line.substr(0, line.find("//")), half);
}

// Where a cell lies is asked of terrain/grid.h.
TEST(Rooms, NobodyAddsHalfACellByHand) {
    for (const char* line :
         {"(rect.left + 0.5) * cell_", "from / cell - 0.5 - first", "(column + 0.5) * cell",
          "ring_->x += board_.terrain().grid().cell / 2;", "double half = grid().cell / 2;",
          "height_at(field, cell, x + cell / 2, y)", "double u = cursor_->x / cell() + 0.5",
          "double west = t[0] + t[1] / 2;", "place.transform[0] + cell / 2", "pyramid.rect().right - 0.5"})
        EXPECT_TRUE(has_half_cell(line)) << line;
    for (const char* line :
         {"point_at(view, size, {x + 0.5, y + 0.5})", "std::max(settings_.radius * share, grid_.cell / 2)",
          "picture.width * 0.5", "x = 1;  // not (x + 0.5) * cell", "cells_to_pixels(x) * cell"})
        EXPECT_FALSE(has_half_cell(line)) << line;
    for (const char* folder :
         {"src/terrain", "src/view", "src/painting", "src/formats", "src/document", "apps", "bench"})
        for (const fs::path& file : files_under(source / folder, {".cpp", ".h", ".glsl", ".vert", ".frag"})) {
            std::string path = fs::relative(file, source).generic_string();
            if (path == "src/terrain/grid.h") continue;
            for (const auto& [number, line] : lines_of(file))
                EXPECT_FALSE(has_half_cell(line)) << path << ":" << number << ": " << line;
        }
}

TEST(Rooms, FilesStaySmallEnoughToRead) {
    for (const char* folder : {"src", "include", "apps", "tests", "bench", "kernels", "tools"})
        for (const fs::path& file : files_under(source / folder, {".cpp", ".h", ".kernel"}))
            EXPECT_LE(lines_of(file).size(), 800u) << fs::relative(file, source).string();
}

TEST(Rooms, EveryOperationHasItsTest) {
    for (const fs::path& file : files_under(source / "src" / "operations", {".cpp"})) {
        fs::path test = source / "tests" / "operations" / (file.stem().string() + "_test.cpp");
        EXPECT_TRUE(fs::exists(test)) << fs::relative(file, source).string() << " has no " << test.filename();
    }
}

TEST(Rooms, KernelsUseOnlyFloats) {
    // A literal without f is a double: another rounding, and on some devices an error.
    const std::regex double_literal("[^\\w.]\\d+\\.\\d*([eE][+-]?\\d+)?(?![\\dfFpPxeE.])");
    const std::regex comment("/\\*.*?\\*/|//.*");
    for (const fs::path& file : files_under(source / "kernels", {".kernel", ".h"})) {
        std::ifstream stream(file);
        std::string text((std::istreambuf_iterator<char>(stream)), {});
        text = std::regex_replace(text, std::regex("/\\*[\\s\\S]*?\\*/"), " ");
        std::smatch match;
        EXPECT_FALSE(std::regex_search(text, match, double_literal))
            << fs::relative(file, source).string() << ": " << match.str();
    }
}

}  // namespace
}  // namespace caprock::test
