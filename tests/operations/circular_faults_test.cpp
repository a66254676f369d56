#include "base/error.h"
#include "base/text.h"
#include "operations/faulting/fault_places.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain domed(const Grid& grid, const Parameters& parameters) {
    return applied("circular-faults", parameters, Terrain(grid));
}

// Equations 1 to 4 in doubles.
double raised(const std::vector<CircularFault>& faults, int x, int y) {
    double height = 0;
    for (const CircularFault& fault : faults) {
        double s = fault.radius * fault.radius - std::pow(x - fault.x, 2) - std::pow(y - fault.y, 2);
        if (s > 0) height += std::sqrt(s) / fault.radius;
    }
    return height;
}

void expect_domes(const Grid& grid, const Terrain& result, const std::vector<CircularFault>& faults,
                  double tolerance) {
    for (int y = 0; y < grid.extent.bottom; y++)
        for (int x = 0; x < grid.extent.right; x++)
            ASSERT_NEAR(result.height().at(x, y), raised(faults, x, y), tolerance) << x << "," << y;
}

TEST(CircularFaults, AddTheRootOverTheRadius) {
    for (Size size : {Size{150, 90}, Size{64, 16}, Size{65, 17}, Size{3, 200}, Size{200, 3}, Size{1, 1}})
        for (Interval radius : {Interval{25, 25}, Interval{1, 60}, Interval{0.5, 2}, Interval{300, 400}}) {
            Grid grid = grid_of(size);
            Terrain result = domed(grid, {{"faults", "120"},
                                          {"radius", interval_text(radius)},
                                          {"normalise", "false"},
                                          {"seed", "4"}});
            // The rim, where a float's square root is steep, decides the tolerance.
            expect_domes(grid, result, draw_circular_faults(grid, 120, 4, radius, {}), 2e-4);
        }
}

TEST(CircularFaults, OneDomeByHand) {
    Grid grid = grid_of({21, 21});
    CircularFault dome = draw_circular_faults(grid, 1, 1, {5, 5}, {})[0];
    Terrain result = domed(grid, {{"faults", "1"}, {"radius", "5"}, {"normalise", "false"}, {"step", "10"}});
    auto at = [&](int dx, int dy) {
        int x = dome.x + dx;
        int y = dome.y + dy;
        return grid.extent.contains(Rect{x, y, x + 1, y + 1}) ? result.height().at(x, y) : missing;
    };
    struct Expected {
        int dx, dy;
        float height;
    };
    for (Expected e : {Expected{0, 0, 10}, Expected{3, 0, 8}, Expected{0, -4, 6}, Expected{3, 4, 0},
                       Expected{5, 0, 0}, Expected{0, 6, 0}, Expected{-3, 0, 8}}) {
        if (is_missing(at(e.dx, e.dy))) continue;
        EXPECT_FLOAT_EQ(at(e.dx, e.dy), e.height) << e.dx << "," << e.dy;
    }
}

TEST(CircularFaults, AFewAndManyAlikeHaveTheSameBits) {
    // Nine domes of one radius come from a table, eight do not: where the ninth does not reach nothing differs.
    Grid grid = grid_of({150, 110});
    Parameters eight = {{"faults", "8"}, {"radius", "31.7"}, {"normalise", "false"}};
    Parameters nine = {{"faults", "9"}, {"radius", "31.7"}, {"normalise", "false"}};
    Terrain few = domed(grid, eight);
    Terrain many = domed(grid, nine);
    CircularFault ninth = draw_circular_faults(grid, 9, 1, {31.7, 31.7}, {})[8];
    int compared = 0;
    for (int y = 0; y < 110; y++)
        for (int x = 0; x < 150; x++) {
            if (std::hypot(x - ninth.x, y - ninth.y) < 31.7) continue;
            ASSERT_EQ(few.height().at(x, y), many.height().at(x, y)) << x << "," << y;
            compared += few.height().at(x, y) > 0;
        }
    EXPECT_GT(compared, 1000);
}

TEST(CircularFaults, RadiiAreInMetres) {
    // The same circles, whatever the cells: 12 m are 3 cells of 4 m.
    Grid grid = grid_of({80, 60}, 4);
    Terrain result = domed(grid, {{"faults", "40"}, {"radius", "12"}, {"normalise", "false"}});
    std::vector<CircularFault> faults = draw_circular_faults(grid, 40, 1, {3, 3}, {});
    expect_domes(grid, result, faults, 2e-4);
}

TEST(CircularFaults, ARadiusOfZeroIsAQuarterOfTheShorterSide) {
    Grid grid = grid_of({120, 80}, 2);
    EXPECT_TRUE(identical(domed(grid, {}).height(), domed(grid, {{"radius", "40"}}).height()));
}

TEST(CircularFaults, NormaliseToTheRangeOfTheField) {
    Grid grid = grid_of({80, 60}, 2, {-50, 200});
    FieldStatistics heights = statistics(domed(grid, {}).height());
    EXPECT_EQ(heights.low, -50);
    EXPECT_EQ(heights.high, 200);
    EXPECT_EQ(statistics(domed(grid, {{"field", "mask"}}).field("mask")).high, 1);
}

TEST(CircularFaults, DomesBeyondTheBorderReachIn) {
    Grid grid = grid_of({30, 20});
    Terrain result =
        domed(grid, {{"faults", "200"}, {"radius", "15"}, {"around-centre", "60"}, {"normalise", "false"}});
    expect_domes(grid, result, draw_circular_faults(grid, 200, 1, {15, 15}, {Axis::none, 0, 60}), 2e-4);
}

TEST(CircularFaults, NoneOrAllOutsideIsFlatGround) {
    Grid grid = grid_of({20, 10}, 1, {10, 20});
    for (const char* normalise : {"true", "false"}) {
        FieldStatistics flat = statistics(domed(grid, {{"faults", "0"}, {"normalise", normalise}}).height());
        EXPECT_EQ(flat.low, 10);
        EXPECT_EQ(flat.high, 10);
    }
    // Far away all of them, with this seed: the first dome alone lies outside.
    for (uint32_t seed = 1; seed < 200; seed++) {
        CircularFault dome = draw_circular_faults(grid, 1, seed, {3, 3}, {Axis::none, 0, 500})[0];
        if (std::hypot(dome.x, dome.y) < 100) continue;
        FieldStatistics flat = statistics(
            domed(
                grid,
                {{"faults", "1"}, {"radius", "3"}, {"around-centre", "500"}, {"seed", std::to_string(seed)}})
                .height());
        EXPECT_EQ(flat.low, 10);
        EXPECT_EQ(flat.high, 10);
        return;
    }
    FAIL() << "no dome was drawn outside";
}

TEST(CircularFaults, TwiceTheResolutionIsTheSameLandscape) {
    Terrain coarse = domed(grid_of({100, 80}, 4), {{"faults", "300"}});
    Terrain fine = domed(grid_of({200, 160}, 2), {{"faults", "300"}});
    double difference = 0;
    for (int y = 0; y < 80; y++)
        for (int x = 0; x < 100; x++)
            difference += std::abs(coarse.height().at(x, y) - fine.height().at(2 * x, 2 * y));
    EXPECT_LT(difference / 8000, 5) << "of 300 m";
}

TEST(CircularFaults, SoManyThatTheyAreAddedInTurnAreTheSame) {
    // Far more entries in the lists of one row of blocks than are made at once; in those of a tile, fewer.
    Grid grid = grid_of({65536, 2});
    std::unique_ptr<Operation> operation = made_operation(
        "circular-faults",
        {{"faults", "9000"}, {"radius", "20000:30000"}, {"step", "3"}, {"normalise", "false"}});
    for (const NamedDevice& device : all_devices()) {
        RunContext context = on(device.device);
        Terrain whole = run(*operation, Terrain(grid), context);
        for (Rect tile : {Rect{0, 0, 64, 2}, Rect{31007, 1, 31200, 2}, Rect{65500, 0, 65536, 2}}) {
            Terrain part = evaluate(*operation, Terrain(grid), tile, context);
            EXPECT_TRUE(identical(part.height(), whole.height().cropped(tile))) << device.name;
        }
    }
}

TEST(CircularFaults, MiddlesAreWithinReach) {
    Grid grid = grid_of({8, 8}, 1e-6);
    for (const char* name : {"around-centre", "band", "radius"}) {
        try {
            domed(grid, {{name, "50000"}, {"along", std::string(name) == "band" ? "x" : "none"}});
            FAIL() << name;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(std::string(name) + " 50000 m is more than"),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST(CircularFaults, SayWhatExcludesEachOther) {
    try {
        domed(grid_of({20, 10}), {{"along", "x"}, {"around-centre", "5"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "circular-faults: --along and --around-centre exclude each other; give one of them");
    }
    try {
        domed(grid_of({20, 10}, 0.1), {{"radius", "5000"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "circular-faults: radius 5000 m is more than 30000 cells of 0.1 m");
    }
}

}  // namespace
}  // namespace caprock::test
