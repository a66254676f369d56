#include "base/error.h"
#include "graph/executor.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const Grid mountain_grid{Rect::of({150, 120}), 2, {100, 400}};

Terrain run_on_cpu(const Operation& operation, const Terrain& input) {
    RunContext context = on_cpu();
    return run(operation, input, context);
}

Terrain mountain(const Parameters& parameters) {
    return run_on_cpu(*made_operation("table-mountain", parameters), Terrain(mountain_grid));
}

TEST(TableMountain, IsTheChainOfThePaper) {
    Terrain expected(mountain_grid);
    for (const auto& [name, parameters] : std::vector<std::pair<std::string, Parameters>>{
             {"circular-faults", {{"faults", "300"}, {"radius", "5:60"}, {"seed", "8"}}},
             {"materials", {{"count", "4"}}},
             {"hardness", {{"merge-top", "2"}}},
             {"gradation", {{"erosion", "0.65"}, {"caprock", "true"}}},
             {"levelling", {{"radius", "6"}}}})
        expected = run_on_cpu(*made_operation(name, parameters), expected);
    Terrain made = mountain({{"faults", "300"},
                             {"radius", "5:60"},
                             {"seed", "8"},
                             {"materials", "4"},
                             {"merge-top", "2"},
                             {"erosion", "0.65"},
                             {"levelling", "6"}});
    for (const char* field : {"height", "material", "hardness"})
        EXPECT_TRUE(identical(made.field(field), expected.field(field))) << field;
    EXPECT_EQ(made.names().size(), 3u);
}

TEST(TableMountain, HasAFlatTopAndStepsBelow) {
    Terrain made = mountain({{"levelling", "0"}, {"seed", "3"}});
    int top = 0;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 150; x++) {
            bool hardest = made.field("hardness").at(x, y) == 1;
            top += hardest;
            if (hardest) {
                ASSERT_EQ(made.height().at(x, y), 400) << "the caprock is flat";
            } else {
                ASSERT_LT(made.height().at(x, y), 400);
            }
        }
    EXPECT_GT(top, 50);
    // Between two materials lies a step: no height is left between what the lower can reach and the upper begins.
    std::vector<std::pair<float, float>> extents(5, {1e9f, -1e9f});
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 150; x++) {
            auto& [low, high] = extents[size_t(made.field("material").at(x, y))];
            low = std::min(low, made.height().at(x, y));
            high = std::max(high, made.height().at(x, y));
        }
    // Each material is a quarter of the hardness harder: it keeps an eighth of the 300 m more.
    for (size_t i = 1; i < 5; i++)
        EXPECT_GT(extents[i].first, extents[i - 1].second + 30) << "material " << i;
}

// Whether ground that was higher before the gradation ends up lower somewhere: a caldera.
bool has_calderas(const Parameters& parameters) {
    Parameters uneroded = parameters;
    uneroded.emplace_back("erosion", "0");
    uneroded.emplace_back("caprock", "false");
    uneroded.emplace_back("levelling", "0");
    Terrain before = mountain(uneroded);
    Parameters eroded = parameters;
    eroded.emplace_back("levelling", "0");
    Terrain after = mountain(eroded);
    std::vector<std::pair<float, float>> cells;
    for (int y = 0; y < 120; y++)
        for (int x = 0; x < 150; x++) cells.emplace_back(before.height().at(x, y), after.height().at(x, y));
    std::ranges::sort(cells);
    for (size_t i = 1; i < cells.size(); i++)
        if (cells[i].second < cells[i - 1].second) return true;
    return false;
}

TEST(TableMountain, CalderasComeOnlyWhereHardnessFalls) {
    EXPECT_FALSE(has_calderas({{"table", "0,0.25,0.5,0.75,1"}}));
    EXPECT_FALSE(has_calderas({{"table", "0,0.25,0.25,0.25,1"}}));
    EXPECT_FALSE(has_calderas({{"table", "0.1,0.2,0.3,0.9,1"}}));
    EXPECT_TRUE(has_calderas({{"table", "0,0.25,1,0.5,0.9"}}));
}

TEST(TableMountain, ATableSaysHowManyMaterialsThereAre) {
    EXPECT_EQ(statistics(mountain({{"table", "0.75,0.95,1"}}).field("material")).high, 2);
    EXPECT_EQ(statistics(mountain({{"minerals", "talc,quartz,topaz,diamond"}}).field("material")).high, 3);
    std::string path = testing::TempDir() + "/table_mountain.json";
    std::ofstream(path) << "[0.2, \"diamond\"]";
    EXPECT_EQ(statistics(mountain({{"table-file", path}}).field("material")).high, 1);
    try {
        mountain({{"table-file", "/nowhere/table.json"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("/nowhere/table.json"), std::string::npos) << error.what();
    }
}

TEST(TableMountain, AButteStandsAlone) {
    for (const char* butte : {"along-x", "along-y", "around-centre"}) {
        Terrain made = mountain({{"butte", butte}, {"radius", "2:30"}, {"spread", "20"}});
        bool along_x = std::string(butte) == "along-x";
        bool along_y = std::string(butte) == "along-y";
        // Where no dome reaches lies the plain: the low end less all of the erosion.
        for (int x = 0; x < 150; x++)
            if (!along_y) {
                EXPECT_EQ(made.height().at(x, 0), 100 - 150) << butte;
            }
        for (int y = 0; y < 120; y++)
            if (!along_x) {
                EXPECT_EQ(made.height().at(0, y), 100 - 150) << butte;
            }
        EXPECT_EQ(statistics(made.field("hardness")).high, 1) << butte;
    }
}

TEST(TableMountain, ChangingTheErosionMakesNoFaultsAgain) {
    RunContext context = on_cpu();
    Executor chain = Executor::remembering();
    auto steps_after = [&](const Parameters& parameters) {
        std::vector<std::unique_ptr<Operation>> operations;
        operations.push_back(made_operation("table-mountain", parameters));
        Terrain start(mountain_grid);
        Terrain remembered = chain.run(operations, start, context);
        Terrain anew = run_chain(operations, start, context);
        for (const char* field : {"height", "material", "hardness"})
            EXPECT_TRUE(identical(remembered.field(field), anew.field(field))) << field;
        return chain.steps_run();
    };
    EXPECT_EQ(steps_after({}), 6) << "faults are made, and stretched";
    EXPECT_EQ(steps_after({}), 0);
    EXPECT_EQ(steps_after({{"levelling", "20"}}), 1);
    EXPECT_EQ(steps_after({{"erosion", "0.3"}}), 2);
    EXPECT_EQ(steps_after({{"table", "0,0.3,0.5,0.9,1"}}), 3);
    EXPECT_EQ(steps_after({{"materials", "7"}}), 4);
    EXPECT_EQ(steps_after({{"seed", "2"}}), 6);
}

}  // namespace
}  // namespace caprock::test
