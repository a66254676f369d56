// Every preset, by walking the list: it says what it is, uses what there is, and runs.
#include "operation/presets.h"

#include "base/error.h"
#include "graph/executor.h"
#include "support/devices.h"
#include "support/terrains.h"
#include "support/test_names.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <regex>

namespace caprock::test {
namespace {

class Presets : public testing::TestWithParam<std::string> {};

// The same land in a few cells.
Grid coarse(Grid grid) {
    int longest = std::max(grid.extent.width(), grid.extent.height());
    double shrink = std::max(longest / 64.0, 1.0);
    auto side = [&](int cells) { return std::max(int(std::lround(cells / shrink)), 1); };
    grid.extent = Rect::of({side(grid.extent.width()), side(grid.extent.height())});
    grid.cell *= shrink;
    return grid;
}

TEST_P(Presets, ParsesWithoutAnythingToSay) {
    std::vector<std::string> told;
    Recipe recipe = preset(GetParam(), [&](const std::string& message) { told.push_back(message); });
    EXPECT_EQ(told, std::vector<std::string>{});
    EXPECT_FALSE(recipe.operations.empty());
    EXPECT_TRUE(recipe.grid) << "a preset comes without files";
}

TEST_P(Presets, SaysWhatItIs) {
    EXPECT_TRUE(std::regex_match(GetParam(), std::regex("[a-z0-9]+(-[a-z0-9]+)*")));
    Recipe recipe = preset(GetParam());
    EXPECT_FALSE(recipe.title.empty());
    EXPECT_LE(recipe.title.size(), 80u) << recipe.title;
    EXPECT_EQ(recipe.title.find('\n'), std::string::npos) << recipe.title;
    EXPECT_FALSE(recipe.about.empty());
    EXPECT_TRUE(recipe.about.ends_with(".")) << recipe.about;
}

TEST_P(Presets, StaysItselfWhenWrittenAndRead) {
    Recipe recipe = preset(GetParam());
    EXPECT_EQ(recipe_text(parse_recipe(recipe_text(recipe), {})), recipe_text(recipe));
}

TEST_P(Presets, Runs) {
    Recipe recipe = preset(GetParam());
    RunContext context = on(cpu_devices().back().device);
    std::vector<std::string> told;
    context.tell = [&](const std::string& message) { told.push_back(message); };
    Terrain result = run_chain(recipe.operations, Terrain(coarse(*recipe.grid)), context);
    // One of them is there to show what the warning is of.
    bool warns = recipe.about.find("calderas") != std::string::npos;
    EXPECT_EQ(told.size(), warns ? 1u : 0u) << (told.empty() ? "" : told[0]);
    FieldStatistics cells = statistics(result.field(result.names()[0]));
    EXPECT_LT(cells.missing, cells.cells);
    EXPECT_LT(cells.low, cells.high) << "all of it is flat";
}

INSTANTIATE_TEST_SUITE_P(All, Presets, testing::ValuesIn(preset_names()), test_name);

TEST(PresetList, HasEachNameOnceInOrder) {
    std::vector<std::string> names = preset_names();
    EXPECT_GE(names.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(names, std::ranges::less_equal{}));
    for (const std::string& name : names) EXPECT_TRUE(is_preset(name)) << name;
}

TEST(PresetList, NearestName) {
    EXPECT_FALSE(is_preset("hils"));
    try {
        preset("hils");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "no preset 'hils'; did you mean 'hills'?");
    }
}

}  // namespace
}  // namespace caprock::test
