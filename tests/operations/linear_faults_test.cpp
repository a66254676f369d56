#include "operations/faulting/fault_places.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain faulted(const Grid& grid, const Parameters& parameters) {
    return applied("linear-faults", parameters, Terrain(grid));
}

// Equation 4, as printed.
int64_t determinant(const LinearFault& f, int i, int j) {
    return int64_t(f.x2 - f.x1) * (j - f.y1) - int64_t(f.y2 - f.y1) * (i - f.x1);
}

int lifted(const std::vector<LinearFault>& faults, int i, int j) {
    int count = 0;
    for (const LinearFault& fault : faults) count += determinant(fault, i, j) > 0;
    return count;
}

TEST(LinearFaults, LiftWhereTheDeterminantIsPositive) {
    for (Size size :
         {Size{61, 43}, Size{43, 61}, Size{7, 200}, Size{200, 7}, Size{2, 2}, Size{1, 90}, Size{90, 1}})
        for (const char* seed : {"1", "2", "3"}) {
            Grid grid = grid_of(size, 2);
            Terrain result = faulted(grid, {{"faults", "300"}, {"normalise", "false"}, {"seed", seed}});
            std::vector<LinearFault> faults = draw_linear_faults(grid, 300, uint32_t(std::stoul(seed)));
            ASSERT_EQ(faults.size(), 300u);
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++)
                    ASSERT_EQ(result.height().at(x, y), float(lifted(faults, x, y)))
                        << x << "," << y << " of " << size.width << "x" << size.height;
        }
}

TEST(LinearFaults, AreExactOnTheLargestGrids) {
    // Products of 32 bits, and lines that cross rows anywhere: rows here and there of a very wide landscape.
    Grid grid = grid_of({65536, 65536}, 2);
    std::vector<LinearFault> faults = draw_linear_faults(grid, 500, 9);
    RunContext context = on_cpu();
    std::unique_ptr<Operation> operation =
        made_operation("linear-faults", {{"faults", "500"}, {"normalise", "false"}, {"seed", "9"}});
    for (Rect region :
         {Rect{0, 0, 300, 2}, Rect{65000, 33333, 65536, 33335}, Rect{31000, 65534, 32500, 65536}}) {
        Terrain result = evaluate(*operation, Terrain(grid), region, context);
        for (int y = region.top; y < region.bottom; y++)
            for (int x = region.left; x < region.right; x++)
                ASSERT_EQ(result.height().at(x, y), float(lifted(faults, x, y))) << x << "," << y;
    }
}

TEST(LinearFaults, AreExactOnTheLargestGridsOnEveryDevice) {
    // So many lines that for some of them a product of 32 bits lies just where those end.
    Grid grid = grid_of({65536, 65536}, 2);
    std::unique_ptr<Operation> operation =
        made_operation("linear-faults", {{"faults", "1000000"}, {"normalise", "false"}, {"seed", "9"}});
    Rect region{0, 65500, 65536, 65508};
    RunContext reference = on(make_cpu_device(CpuLevel::portable));
    const Terrain expected = evaluate(*operation, Terrain(grid), region, reference);
    for (const NamedDevice& device : all_devices()) {
        RunContext context = on(device.device);
        Terrain result = evaluate(*operation, Terrain(grid), region, context);
        EXPECT_TRUE(identical(result.height(), expected.height())) << device.name;
    }
}

TEST(LinearFaults, LevelAndUprightLines) {
    // On a landscape one cell high all lines are level: nothing lies above them. One cell wide: all upright.
    EXPECT_EQ(statistics(faulted(grid_of({50, 1}, 2), {{"normalise", "false"}}).height()).high, 0);
    EXPECT_EQ(statistics(faulted(grid_of({1, 50}, 2), {{"normalise", "false"}}).height()).high, 0);
}

TEST(LinearFaults, TheSignIsThatOfEquationFour) {
    // One fault, by hand: the side that is lifted is where (x2 - x1)(j - y1) > (y2 - y1)(i - x1).
    for (uint32_t seed = 1; seed < 20; seed++) {
        Grid grid = grid_of({9, 9}, 2);
        LinearFault f = draw_linear_faults(grid, 1, seed)[0];
        Terrain result = faulted(
            grid, {{"faults", "1"}, {"normalise", "false"}, {"step", "5"}, {"seed", std::to_string(seed)}});
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 9; x++) {
                bool above = (f.x2 - f.x1) * (y - f.y1) > (f.y2 - f.y1) * (x - f.x1);
                ASSERT_EQ(result.height().at(x, y), above ? 5.0f : 0.0f);
            }
        EXPECT_EQ(result.height().at(f.x1, f.y1), 0) << "the line itself stays";
        EXPECT_EQ(result.height().at(f.x2, f.y2), 0);
    }
}

TEST(LinearFaults, NormaliseToTheRangeOfTheField) {
    Grid grid = grid_of({80, 60}, 2, {-50, 200});
    FieldStatistics heights = statistics(faulted(grid, {}).height());
    EXPECT_EQ(heights.low, -50);
    EXPECT_EQ(heights.high, 200);
    FieldStatistics hardness = statistics(faulted(grid, {{"field", "hardness"}}).field("hardness"));
    EXPECT_EQ(hardness.low, 0);
    EXPECT_EQ(hardness.high, 1);
}

TEST(LinearFaults, WithoutNormalisingTheyStandOnTheLowEnd) {
    Grid grid = grid_of({80, 60}, 2, {-50, 200});
    Terrain result = faulted(grid, {{"normalise", "false"}, {"step", "0.5"}, {"faults", "10"}});
    std::vector<LinearFault> faults = draw_linear_faults(grid, 10, 1);
    for (int y = 0; y < 60; y++)
        for (int x = 0; x < 80; x++)
            ASSERT_FLOAT_EQ(result.height().at(x, y), -50 + 0.5f * float(lifted(faults, x, y)));
}

TEST(LinearFaults, DecreasingDisplacementsFallEvenlyToTheLast) {
    Grid grid = grid_of({40, 30}, 2);
    int count = 50;
    Terrain result = faulted(grid, {{"faults", "50"},
                                    {"displacement", "decreasing"},
                                    {"last", "0.2"},
                                    {"step", "3"},
                                    {"normalise", "false"}});
    std::vector<LinearFault> faults = draw_linear_faults(grid, count, 1);
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) {
            double expected = 0;
            for (int i = 0; i < count; i++)
                if (determinant(faults[size_t(i)], x, y) > 0) expected += 3 * (1 - 0.8 * i / (count - 1));
            ASSERT_NEAR(result.height().at(x, y), expected, 1e-5) << x << "," << y;
        }
}

TEST(LinearFaults, NoFaultsAreFlatGround) {
    for (const char* normalise : {"true", "false"}) {
        FieldStatistics flat = statistics(
            faulted(grid_of({20, 10}, 2, {10, 20}), {{"faults", "0"}, {"normalise", normalise}}).height());
        EXPECT_EQ(flat.low, 10);
        EXPECT_EQ(flat.high, 10);
        EXPECT_EQ(flat.missing, 0);
    }
    // One cell cannot have two points on it.
    EXPECT_EQ(faulted(grid_of({1, 1}, 2), {}).height().at(0, 0), 0);
}

TEST(LinearFaults, TheLowPassIsThatOfSmooth) {
    Grid grid = grid_of({90, 70}, 2);
    RunContext context = on_cpu();
    Terrain rough = faulted(grid, {{"normalise", "false"}});
    Terrain smooth = run(*made_operation("smooth", {{"radius", "12"}}), rough, context);
    Terrain expected = run(*made_operation("normalise", {}), smooth, context);
    EXPECT_TRUE(identical(faulted(grid, {{"smooth", "12"}}).height(), expected.height()));
}

TEST(LinearFaults, TwiceTheResolutionIsTheSameLandscape) {
    Terrain coarse = faulted(grid_of({100, 80}, 4), {{"faults", "400"}});
    Terrain fine = faulted(grid_of({200, 160}, 2), {{"faults", "400"}});
    Terrain other = faulted(grid_of({200, 160}, 2), {{"faults", "400"}, {"seed", "2"}});
    // Points lie on cells, so a line may turn by as much as a cell.
    double difference = 0;
    double difference_of_seeds = 0;
    for (int y = 0; y < 80; y++)
        for (int x = 0; x < 100; x++) {
            difference += std::abs(coarse.height().at(x, y) - fine.height().at(2 * x, 2 * y));
            difference_of_seeds += std::abs(other.height().at(2 * x, 2 * y) - fine.height().at(2 * x, 2 * y));
        }
    EXPECT_LT(difference, difference_of_seeds / 5);
}

}  // namespace
}  // namespace caprock::test
