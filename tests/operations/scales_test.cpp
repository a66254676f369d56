// From the terrain's cells to those of a simulation's scale and back.
#include "operations/erosion/scales.h"

#include "operation/recipe.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// A simulation's ground in cells of several sizes. Its stages are asked for nothing here.
struct Bench {
    Terrain terrain;
    RunContext context = on_cpu();
    Progress progress;
    std::unique_ptr<Operation> operation = make_operation("hydraulic-erosion");
    std::unique_ptr<const Simulation> simulation;
    Work work;

    explicit Bench(const Terrain& on_terrain)
        : terrain(on_terrain),
          simulation(operation->simulation(on_terrain.grid())),
          work(terrain, *operation, context, progress) {}
    std::vector<SimulationFields> grounds(int doublings) {
        std::vector<SimulationFields> grounds = {simulation->ground(work)};
        for (int i = 0; i < doublings; i++) grounds.push_back(simulation->coarser(work, grounds.back()));
        return grounds;
    }
};

double volume(const Field& depth, const Field* area) {
    double sum = 0;
    const Rect& rect = depth.rect();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++)
            if (!is_missing(depth.at(x, y))) sum += double(depth.at(x, y)) * (area ? area->at(x, y) : 1.0f);
    return sum;
}

TEST(Scales, CellsAreDoubledToAboutTheScale) {
    auto doublings = [](double cell, double scale) {
        return doublings_to(scale, Grid{Rect::of({10, 10}), cell, {0, 1}});
    };
    EXPECT_EQ(doublings(8, 8), 0);
    EXPECT_EQ(doublings(30, 8), 0);
    EXPECT_EQ(doublings(4, 8), 1);
    EXPECT_EQ(doublings(5, 8), 1) << "10 m is nearer to 8 than 5 m, by factors";
    EXPECT_EQ(doublings(6, 8), 0);
    EXPECT_EQ(doublings(1, 8), 3);
    EXPECT_EQ(doublings(1, 0), 0);
}

TEST(Scales, AStageHasWholeStepsThatLastAsLongAsWasAskedFor) {
    for (double wanted : {0.0, 0.001, 0.5, 1.0, 2.25, 100.0, 156.25}) {
        Stage stage = Stage::lasting(wanted);
        EXPECT_DOUBLE_EQ(stage.steps * stage.share, wanted) << wanted;
        EXPECT_LE(stage.share, 1);
        EXPECT_EQ(stage.steps, int(std::ceil(wanted)));
    }
    EXPECT_EQ(Stage::lasting(100).share, 1);
}

// Coarse cells lie at every other fine one, and nothing that hard rock is under may change.
TEST(Scales, CoarseGroundIsTheFineGroundAtItsCells) {
    Bench bench(rough_terrain({41, 30}, Holes::some));
    std::vector<SimulationFields> grounds = bench.grounds(2);
    ASSERT_EQ(grounds.size(), 3u);
    EXPECT_EQ(grounds[1].rect(), Rect::of({21, 15}));
    EXPECT_EQ(grounds[2].rect(), Rect::of({11, 8}));
    EXPECT_EQ(grounds[2].cell(), 16);
    const Field& hardness = bench.terrain.field("hardness");
    for (int y = 0; y < 15; y++)
        for (int x = 0; x < 21; x++) {
            float fine = bench.terrain.height().at(2 * x, 2 * y);
            float coarse = grounds[1].at("height").at(x, y);
            ASSERT_TRUE(fine == coarse || (is_missing(fine) && is_missing(coarse)));
            bool hard = false;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (hardness.rect().contains(2 * x + dx, 2 * y + dy))
                        hard |= hardness.at(2 * x + dx, 2 * y + dy) >= 1;
            ASSERT_EQ(grounds[1].at("hardness").at(x, y), hard ? 1 : hardness.at(2 * x, 2 * y));
        }
    EXPECT_EQ(bench.grounds(0).size(), 1u);
}

TEST(Scales, InsideCoarseCellsAreWholeAndAtTheBorderNot) {
    Bench bench(rough_terrain({41, 32}));
    Field area = bench.grounds(1)[1].at("area");
    EXPECT_EQ(area.at(10, 7), 1);
    EXPECT_EQ(area.at(0, 7), 0.75f);
    EXPECT_EQ(area.at(20, 0), 0.5625f);
    EXPECT_EQ(area.at(10, 15), 1.25f) << "it has all of the last row, which lies beyond it";
}

// What is moved among coarse cells is moved among fine ones: the volume of a change is the same in both.
TEST(Scales, AChangeHasTheSameVolumeInFineCells) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Bench bench(rough_terrain({57, 44}, holes));
        std::vector<SimulationFields> grounds = bench.grounds(2);
        for (size_t i = 0; i < 2; i++) {
            const SimulationFields &fine = grounds[i], &coarse = grounds[i + 1];
            const Field& coarse_height = coarse.at("height");
            const Field& fine_height = fine.at("height");
            Field change = made_field(coarse.rect(), [&](int x, int y) {
                return is_missing(coarse_height.at(x, y)) ? missing : float(int(8 * scattered(x, y, 3)) - 4);
            });
            SimulationFields after = coarse;
            after.set("height", made_field(coarse.rect(), [&](int x, int y) {
                          return coarse_height.at(x, y) + change.at(x, y);
                      }));
            Field result = bench.simulation->finer(bench.work, fine, coarse, after).at("height");
            Field changed =
                made_field(fine.rect(), [&](int x, int y) { return result.at(x, y) - fine_height.at(x, y); });
            const Field* area = fine.find("area");
            EXPECT_NEAR(volume(changed, area), 4 * volume(change, coarse.find("area")), 0.1);
            // In full at the coarse cell, and half of each between two known ones.
            for (int y = 0; y < coarse.rect().bottom; y++)
                for (int x = 0; x + 1 < coarse.rect().right; x++) {
                    if (is_missing(change.at(x, y)) || is_missing(change.at(x + 1, y))) continue;
                    ASSERT_NEAR(changed.at(2 * x, 2 * y), change.at(x, y), 1e-4);
                    if (is_missing(changed.at(2 * x + 1, 2 * y))) continue;
                    ASSERT_NEAR(changed.at(2 * x + 1, 2 * y), (change.at(x, y) + change.at(x + 1, y)) / 2,
                                1e-4);
                }
        }
    }
}

TEST(Scales, WhatIsCollectedIsAllSpreadOutAgain) {
    for (Holes holes : {Holes::none, Holes::some}) {
        Terrain terrain = rough_terrain({57, 44}, holes);
        const Field water = made_field(terrain.rect(), [&](int x, int y) {
            return is_missing(terrain.height().at(x, y)) ? missing : scattered(x, y, 8);
        });
        terrain.set("water", water);
        Bench bench(terrain);
        std::vector<SimulationFields> grounds = bench.grounds(2);
        const Field* none = nullptr;
        double before = volume(water, none);
        // All but what no coarse cell stands for, beside missing ones.
        if (holes == Holes::none) {
            EXPECT_NEAR(16 * volume(grounds[2].at("water"), grounds[2].find("area")) / before, 1, 1e-5);
        }
        SimulationFields state = bench.simulation->begin(bench.work, grounds[2]);
        for (size_t i = 2; i-- > 0;)
            state = bench.simulation->finer(bench.work, grounds[i], grounds[i + 1], state);
        const Field all = state.at("water");
        EXPECT_NEAR(volume(all, none) / before, 1, 1e-5);
        EXPECT_GE(statistics(all).low, 0);
        EXPECT_EQ(statistics(all).missing, statistics(water).missing);
    }
}

// ---- what earlier versions have written -------------------------------------------------------------------

Terrain run_text(const std::string& text, const Terrain& input) {
    RunContext context = on_cpu();
    std::vector<std::string> told;
    std::unique_ptr<Operation> operation =
        parse_operation(text, [&](const std::string& message) { told.push_back(message); });
    EXPECT_EQ(told, std::vector<std::string>{}) << text;
    // Written anew it is what it was.
    std::string again = operation_text(*operation);
    EXPECT_EQ(operation_text(*parse_operation(again, {})), again);
    return run(*parse_operation(again, {}), input, context);
}

TEST(Scales, RecipesOfEarlierVersionsDoWhatTheyDid) {
    RunContext context = on_cpu();
    Terrain input = rough_terrain({60, 50}, Holes::some, 3);
    struct {
        const char* written;
        const char* operation;
        Parameters now;
        const char* field;
    } all[] = {
        {R"({"operation": "thermal-erosion", "version": 1, "parameters": {"steps": 7, "rate": 0.4}})",
         "thermal-erosion",
         {{"steps", "7"}, {"rate", "0.4"}, {"rule", "frontier"}},
         "height"},
        {R"({"operation": "thermal-erosion", "parameters": {}})",
         "thermal-erosion",
         {{"steps", "100"}, {"rule", "frontier"}, {"rate", "0.5"}},
         "height"},
        // The second had no rule that leaves talus smooth.
        {R"({"operation": "thermal-erosion", "version": 2, "parameters": {"duration": 9, "scale": 3}})",
         "thermal-erosion",
         {{"steps", "9"}, {"rule", "frontier"}, {"rate", "0.5"}},
         "height"},
        {R"({"operation": "thermal-erosion", "version": 2, "parameters": {"steps": 9, "rule": "musgrave"}})",
         "thermal-erosion",
         {{"steps", "9"}, {"rule", "musgrave"}, {"rate", "0.5"}},
         "height"},
        {R"({"operation": "thermal-erosion", "version": 1, "parameters": {"steps": 0}})",
         "thermal-erosion",
         {{"duration", "0"}},
         "height"},
        {R"({"operation": "hydraulic-erosion", "version": 1, "parameters": {"iterations": 9}})",
         "hydraulic-erosion",
         {{"steps", "9"}},
         "sediment"},
        {R"({"operation": "levelling", "version": 1, "parameters": {"radius": 10.0, "shape": "disc"}})",
         "levelling",
         {{"whole-cells", "true"}, {"shape", "disc"}},
         "height"},
        {R"({"operation": "mask-flow", "version": 1, "parameters": {"area": [0.1, 2.0]}})",
         "mask-flow",
         {{"area", "0.1:2"}, {"scale", "0"}},
         "mask"},
        {R"({"operation": "table-mountain", "version": 1, "parameters": {"seed": 3}})",
         "table-mountain",
         {{"seed", "3"}, {"whole-cells", "true"}},
         "height"},
    };
    for (const auto& one : all) {
        SCOPED_TRACE(one.written);
        Terrain expected = run(*made_operation(one.operation, one.now), input, context);
        EXPECT_TRUE(identical(run_text(one.written, input).field(one.field), expected.field(one.field)));
    }
    EXPECT_TRUE(identical(run_text(all[4].written, input).height(), input.height()));
}

}  // namespace
}  // namespace caprock::test
