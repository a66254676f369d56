// Networks of rivers and the land made for them: what holds for every one of them, looked up in the lines and cells that were made.
#include "base/error.h"
#include "base/mathematics.h"
#include "hydrology/flow_graph.h"
#include "operations/rivers/river_beds.h"
#include "support/refusals.h"
#include "support/terrains.h"
#include "terrain/line_set.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>

namespace caprock::test {
namespace {

struct MadeNetwork {
    Terrain terrain;
    std::vector<Line> reaches;
    std::map<int64_t, const Line*> by_number = {};

    MadeNetwork(const Grid& grid, Parameters parameters) : terrain(grid) {
        parameters.emplace_back("lines", "made");
        terrain = applied("river-network", parameters, terrain);
        reaches = terrain.find_lines("made")->lines();
        for (const Line& reach : reaches) by_number[std::get<int64_t>(reach.attributes.at("reach"))] = &reach;
    }
};

int64_t whole_number(const Line& line, const char* name) {
    return std::get<int64_t>(line.attributes.at(name));
}
double real_number(const Line& line, const char* name) { return std::get<double>(line.attributes.at(name)); }

const Grid square_grid = grid_of({257, 257}, 8);
const Grid oblong_grid = grid_of({301, 180}, 10);

// Ways to make some.
const std::vector<std::pair<Grid, Parameters>>& networks() {
    static const std::vector<std::pair<Grid, Parameters>> all = {
        {square_grid, {}},
        {square_grid, {{"seed", "5"}, {"mouths", "1"}, {"spacing", "120"}}},
        {oblong_grid, {{"method", "ridges"}}},
        {oblong_grid, {{"method", "ridges"}, {"seed", "9"}, {"ridges", "2"}, {"spacing", "400"}}},
        {oblong_grid, {{"winding", "1"}, {"spacing", "150"}, {"steepness", "0.5"}, {"seed", "3"}}},
        {square_grid, {{"rivers", "900,100 1000,700 700,1300 1100,2048; 100,900 500,1000 820,1030"}}},
        {square_grid, {{"rivers", "300,300 600,900 1000,1000"}, {"concavity", "0.7"}}},
        {square_grid,
         {{"rivers", "1000,100,20 1000,2048,0; 1100,800,120 1100,1200,119 1900,1210,80 2048,1200,60"}}},
    };
    return all;
}

TEST(RiverNetwork, BedsNeverRiseDownstream) {
    for (const auto& [grid, parameters] : networks()) {
        const MadeNetwork made(grid, parameters);
        ASSERT_GT(made.reaches.size(), 5u);
        for (const Line& reach : made.reaches)
            for (size_t i = 1; i < reach.points.size(); i++)
                ASSERT_LT(reach.points[i].z, reach.points[i - 1].z) << whole_number(reach, "reach");
    }
}

TEST(RiverNetwork, EveryRiverEndsAtTheBorderOrInAnother) {
    for (const auto& [grid, parameters] : networks()) {
        const MadeNetwork made(grid, parameters);
        const WorldArea land = grid.span_of(grid.extent);
        for (const Line& reach : made.reaches) {
            const LinePoint& end = reach.points.back();
            if (const int64_t into = whole_number(reach, "into"); into != 0) {
                ASSERT_TRUE(made.by_number.contains(into));
                EXPECT_EQ(made.by_number.at(into)->points.front(), end);
            } else {
                EXPECT_TRUE(end.x == land.left || end.x == land.right || end.y == land.top ||
                            end.y == land.bottom)
                    << end.x << "," << end.y;
            }
            // And none goes in a circle.
            size_t steps = 0;
            for (const Line* at = &reach; whole_number(*at, "into") != 0;
                 at = made.by_number.at(whole_number(*at, "into")))
                ASSERT_LE(++steps, made.reaches.size());
        }
    }
}

TEST(RiverNetwork, ReachesSayWhatComesTogether) {
    for (const auto& [grid, parameters] : networks()) {
        MadeNetwork made(grid, parameters);
        std::map<int64_t, std::vector<const Line*>> sources;
        for (const Line& reach : made.reaches) sources[whole_number(reach, "into")].push_back(&reach);
        for (const Line& reach : made.reaches) {
            double area = 0;
            int64_t highest = 0, times = 0;
            for (const Line* source : sources[whole_number(reach, "reach")]) {
                area += real_number(*source, "area");
                const int64_t order = whole_number(*source, "order");
                times = order > highest ? 1 : times + (order == highest ? 1 : 0);
                highest = std::max(highest, order);
            }
            EXPECT_GE(real_number(reach, "area"), area * (1 - 1e-12));
            // Strahler's rule.
            EXPECT_EQ(whole_number(reach, "order"), std::max(highest + (times > 1 ? 1 : 0), int64_t(1)));
            EXPECT_NEAR(real_number(reach, "length"), reach.length(), 1e-9);
            EXPECT_NEAR(real_number(reach, "slope") * reach.length(),
                        reach.points.front().z - reach.points.back().z, 1e-9);
        }
    }
}

// What leaves the land is all of it: here nothing else is left of a mouth than the last reach.
TEST(RiverNetwork, AllOfTheLandDrains) {
    const MadeNetwork made(square_grid, {{"rivers", "900,100 1000,700 700,1300 1100,2048"}});
    double area = 0;
    for (const Line& reach : made.reaches)
        if (whole_number(reach, "into") == 0) area += real_number(reach, "area");
    EXPECT_NEAR(area, 2048.0 * 2048, 0.002 * 2048 * 2048);
}

TEST(RiverNetwork, NowhereIsFarFromARiver) {
    for (const auto& [grid, parameters] : networks()) {
        const MadeNetwork made(grid, parameters);
        double spacing = 200;
        for (const auto& [name, value] : parameters)
            if (name == "spacing") spacing = std::stod(value);
        // Half of the spacing at points of the lattice; to the next of them, and for what smoothing moves rivers.
        const double most = 0.75 * spacing;
        double farthest = 0;
        for (int y = 0; y < grid.extent.bottom; y += 3)
            for (int x = 0; x < grid.extent.right; x += 3) {
                double least = std::numeric_limits<double>::infinity();
                for (const Line& reach : made.reaches)
                    for (const LinePoint& point : reach.points)
                        least = std::min(least, std::hypot(point.x - x * grid.cell, point.y - y * grid.cell));
                farthest = std::max(farthest, least);
            }
        EXPECT_LE(farthest, most);
        EXPECT_GE(farthest, 0.3 * spacing);
    }
}

double share_in_hollows(const Field& height) {
    const FieldStatistics all = statistics(height);
    Progress progress;
    const FlowGraph graph(height, {}, progress);
    double inside = 0;
    for (size_t cell = 0; cell < graph.size(); cell++)
        inside += graph.level(cell) - graph.height(cell) > 0.001f * (all.high - all.low) ? 1 : 0;
    return inside / double(graph.size());
}

TEST(RiverNetwork, LandHasHardlyAnyHollows) {
    for (const auto& [grid, parameters] : networks())
        EXPECT_LT(share_in_hollows(MadeNetwork(grid, parameters).terrain.height()), 0.005);
    // Where places are not moved, and crests are sharp, there is no reason for any.
    for (const auto& [grid, parameters] : networks()) {
        Parameters plain = parameters;
        plain.emplace_back("roughness", "0");
        plain.emplace_back("crest", "0");
        EXPECT_LT(share_in_hollows(MadeNetwork(grid, plain).terrain.height()), 0.0005);
    }
}

// A cell within 0.71 cells of a river is as high as the bed at the place of the river that is nearest, or lower. So the cell nearest to
// a place of a river is above the bed there by no more than the river falls in that distance.
TEST(RiverNetwork, CellsOfARiverFollowItsBed) {
    for (const auto& [grid, parameters] : networks()) {
        const MadeNetwork made(grid, parameters);
        const Field& height = made.terrain.height();
        for (const Line& reach : made.reaches) {
            double steepest = 0;
            for (size_t i = 1; i < reach.points.size(); i++)
                steepest = std::max(steepest, (reach.points[i - 1].z - reach.points[i].z) /
                                                  std::hypot(reach.points[i].x - reach.points[i - 1].x,
                                                             reach.points[i].y - reach.points[i - 1].y));
            for (const LinePoint& point : reach.points) {
                const float cell =
                    height.at(int(std::lround(point.x / grid.cell)), int(std::lround(point.y / grid.cell)));
                ASSERT_LE(cell, point.z + steepest * 0.71 * grid.cell + 1e-3);
            }
        }
        // Bilinear heights along the line: of cells no farther from it than the diagonal of one.
        const double slope = tangent_of_degrees(37) * 1.3;
        for (const Line& reach : made.reaches)
            for (const LinePoint& point : reach.points) {
                const int x = std::min(int(point.x / grid.cell), grid.extent.right - 2);
                const int y = std::min(int(point.y / grid.cell), grid.extent.bottom - 2);
                const double across = point.x / grid.cell - x, down = point.y / grid.cell - y;
                const double above = (1 - across) * height.at(x, y) + across * height.at(x + 1, y);
                const double below = (1 - across) * height.at(x, y + 1) + across * height.at(x + 1, y + 1);
                const double ground = (1 - down) * above + down * below;
                EXPECT_NEAR(ground, point.z, slope * grid.cell * std::sqrt(2.0));
            }
    }
}

TEST(RiverNetwork, DetailVanishesAtRivers) {
    const MadeNetwork rough(square_grid, {{"roughness", "1"}});
    const MadeNetwork even(square_grid, {{"roughness", "0"}});
    EXPECT_EQ(rough.reaches, even.reaches);
    double most = 0;
    for (int y = 0; y < 257; y++)
        for (int x = 0; x < 257; x++)
            most = std::max(
                most, double(std::fabs(rough.terrain.height().at(x, y) - even.terrain.height().at(x, y))));
    EXPECT_GT(most, 5);
    for (const Line& reach : rough.reaches)
        for (const LinePoint& point : reach.points) {
            const int x = int(std::lround(point.x / 8)), y = int(std::lround(point.y / 8));
            if (std::hypot(point.x / 8 - x, point.y / 8 - y) < 0.7) {
                EXPECT_EQ(rough.terrain.height().at(x, y), even.terrain.height().at(x, y));
            }
        }
}

TEST(RiverNetwork, TwiceTheResolutionHasTheSameRiversAndTheSameLandFiner) {
    for (const char* method : {"branching", "ridges"}) {
        const MadeNetwork coarse(grid_of({201, 151}, 16), {{"method", method}});
        const MadeNetwork fine(grid_of({401, 301}, 8), {{"method", method}});
        const MadeNetwork finest(grid_of({801, 601}, 4), {{"method", method}});
        EXPECT_EQ(coarse.reaches, fine.reaches);
        EXPECT_EQ(fine.reaches, finest.reaches);
        const double deviation = statistics(finest.terrain.height()).deviation;
        auto difference = [&](const Field& one, const Field& finer) {
            double sum = 0;
            for (int y = 0; y < one.rect().bottom; y++)
                for (int x = 0; x < one.rect().right; x++) {
                    const double by = double(one.at(x, y)) - double(finer.at(2 * x, 2 * y));
                    sum += by * by;
                }
            return std::sqrt(sum / double(one.rect().cells()));
        };
        EXPECT_LT(difference(fine.terrain.height(), finest.terrain.height()), 0.02 * deviation);
        EXPECT_LT(difference(coarse.terrain.height(), fine.terrain.height()), 0.05 * deviation);
    }
}

// One river on land so small that nothing flows into it: the ground is the least that its places say, in doubles.
TEST(RiverNetwork, GroundIsTheLowestThatRiversSay) {
    const Grid grid = grid_of({120, 90}, 5);
    const std::vector<LinePoint> course = {{60, 0, 150}, {200, 120, 130}, {380, 200, 95}, {400, 445, 60}};
    const Parameters parameters = {{"rivers", "60,0,150 200,120,130 380,200,95 400,445,60"},
                                   {"spacing", "10000"},
                                   {"floor", "0"},
                                   {"crest", "0"},
                                   {"roughness", "0"},
                                   {"hillslope", "30"}};
    const MadeNetwork made(grid, parameters);
    ASSERT_EQ(made.reaches.size(), 1u);
    // What docs/hydrology.md says: slopes ease towards the crest, 7500 m away here, and begin on a floor.
    double nearest = std::numeric_limits<double>::infinity(), sum = 0;
    for (int y = 0; y < 90; y++)
        for (int x = 0; x < 120; x++) {
            double lowest = std::numeric_limits<double>::infinity(), away = lowest;
            const double px = x * 5.0, py = y * 5.0;
            for (size_t i = 1; i < course.size(); i++)
                for (int k = 0; k <= 200; k++) {
                    const double t = k / 200.0;
                    const double qx = course[i - 1].x + t * (course[i].x - course[i - 1].x);
                    const double qy = course[i - 1].y + t * (course[i].y - course[i - 1].y);
                    const double z = course[i - 1].z + t * (course[i].z - course[i - 1].z);
                    const double d = std::hypot(px - qx, py - qy);
                    const double falls =
                        (course[i - 1].z - course[i].z) /
                        std::hypot(course[i].x - course[i - 1].x, course[i].y - course[i - 1].y);
                    Rise rise;
                    rise.slope = tangent_of_degrees(30);
                    rise.floor = 0.075 * 7500;
                    rise.saved =
                        (rise.slope - std::clamp(1.25 * falls, 0.25 * rise.slope, 0.95 * rise.slope)) *
                        rise.floor;
                    lowest = std::min(lowest, z + rise.at(d, 7500));
                    away = std::min(away, d);
                }
            const double found = double(made.terrain.height().at(x, y));
            nearest = std::min(nearest, away);
            // Nowhere lower but for its bed, which is 0.71 cells wide to either side; and hardly higher. The place of a river that says
            // the least is looked for as if slopes were straight: on the floor of a valley, that costs up to half of what the river
            // falls on as long a way.
            EXPECT_GE(found, lowest - 0.71 * 5 - 0.01) << x << "," << y;
            EXPECT_LE(found, lowest + 0.5 * 0.18 * away + 0.05) << x << "," << y;
            sum += found - lowest;
        }
    EXPECT_LT(nearest, 1);
    EXPECT_NEAR(sum / (120 * 90), 0, 1);
}

TEST(RiverNetwork, GivenRiversAreKept) {
    const std::vector<LinePoint> trunk = {{900, 100}, {1000, 700}, {700, 1300}, {1100, 2048}};
    const std::vector<LinePoint> known = {{100, 900, 300}, {500, 1000, 180.5}, {820, 1030, 120.25}};
    const MadeNetwork made(
        square_grid,
        {{"rivers", "900,100 1000,700 700,1300 1100,2048; 100,900,300 500,1000,180.5 820,1030,120.25"}});
    auto nearest = [&](const LinePoint& to) {
        LinePoint found(1e9, 1e9);
        for (const Line& reach : made.reaches)
            for (const LinePoint& point : reach.points)
                if (std::hypot(point.x - to.x, point.y - to.y) < std::hypot(found.x - to.x, found.y - to.y))
                    found = point;
        return found;
    };
    for (const LinePoint& point : trunk) EXPECT_EQ(nearest(point).place(), point.place());
    for (const LinePoint& point : known) EXPECT_EQ(nearest(point), point);
    // A bed stays where it was given, and the ground of its cells with it.
    EXPECT_NEAR(made.terrain.height().at(63, 125), 180.5, 1.5 * 8);
    // On the way, too.
    const LinePoint between(100 + 0.5 * 400, 900 + 0.5 * 100);
    EXPECT_NEAR(nearest(between).z, (300 + 180.5) / 2, 5);
    // The one flows into the other.
    EXPECT_LT(nearest({820, 1040}).z, 120.25 + 1e-9);
}

TEST(RiverNetwork, ABedThatStandsAboveAnotherRiverIsKept) {
    // 200 m above a river 100 m away: ground between them is steeper than elsewhere, and the bed is what was given.
    const MadeNetwork made(
        square_grid,
        {{"rivers", "1000,100,20 1000,2048,0; 1100,800,220 1100,1200,219 1900,1210,218 2048,1200,217"}});
    double least = 1e9;
    for (int x = 139; x < 238; x++) {
        const int y = int(std::lround((1200 + 10 * (x * 8.0 - 1100) / 800) / 8));
        least = std::min(least, double(made.terrain.height().at(x, y)));
    }
    EXPECT_NEAR(made.terrain.height().at(138, 125), 219.4, 12);
    EXPECT_GT(least, 210);
}

TEST(RiverNetwork, RefusesRiversThatCannotBe) {
    auto refused = [](const Parameters& parameters) {
        return refusal([&] { applied("river-network", parameters, Terrain(square_grid)); });
    };
    auto expect_words = [&](const std::string& rivers, const std::vector<std::string>& words) {
        const std::string why = refused({{"rivers", rivers}});
        for (const std::string& word : words) EXPECT_NE(why.find(word), std::string::npos) << why;
    };
    expect_words("10,10,50 500,500,40 900,900,60 1000,2048,0",
                 {"line 1", "uphill", "40 m at 500,500", "60 m at 900,900"});
    expect_words("10,10 2048,300; 1000,400,90 1000,1000,80; 1500,1000,50 1010,1000,40",
                 {"line 3", "uphill", "1010,1000", "line 2"});
    expect_words("0,0 2000,2000; 0,2000 2000,0", {"lines 1 and 2 cross at 1000"});
    expect_words("10,10 500,10 500,500 close", {"line 1", "circle"});
    expect_words("5000,5000 6000,6000", {"lies on the land", "2048"});
    EXPECT_NE(refused({{"spacing", "3"}}).find("or more would do"), std::string::npos);
    EXPECT_NE(refused({{"ridge-lines", "crests"}}).find("--method ridges"), std::string::npos);
    EXPECT_NE(refused({{"method", "ridges"}, {"lines", "a"}, {"ridge-lines", "a"}}).find("name of their own"),
              std::string::npos);
}

TEST(RiverNetwork, RidgesStandAboveTheRest) {
    Terrain terrain(oblong_grid);
    terrain = applied("river-network", {{"method", "ridges"}, {"ridge-lines", "crests"}, {"lines", "made"}},
                      terrain);
    const LineSet& crests = *terrain.find_lines("crests");
    EXPECT_EQ(crests.size(), 6u);
    double sum = 0, count = 0;
    for (const Line& line : crests.lines())
        for (const LinePoint& point : line.points) {
            sum += point.z;
            count++;
        }
    const FieldStatistics all = statistics(terrain.height());
    EXPECT_GT(sum / count, all.mean + 0.3 * all.deviation);
}

TEST(RiverNetwork, SlopesAndDetailMayVary) {
    Terrain terrain(square_grid);
    terrain.set("steep", made_field(square_grid.extent, [](int x, int) { return x < 128 ? 0.0f : 1.0f; }));
    const Terrain made = applied("river-network", {{"hillslope", "@steep:12..45"}}, terrain);
    auto mean_slope = [&](int from, int to) {
        double sum = 0;
        for (int y = 1; y < 256; y++)
            for (int x = from; x < to; x++)
                sum += std::hypot(made.height().at(x + 1, y) - made.height().at(x - 1, y),
                                  made.height().at(x, y + 1) - made.height().at(x, y - 1)) /
                       16;
        return sum / (255.0 * (to - from));
    };
    EXPECT_GT(mean_slope(150, 250), 1.7 * mean_slope(6, 106));
}

TEST(RiverNetwork, LandOfOneRowOrOneCellIsMade) {
    for (Size size : {Size{1, 1}, Size{1, 60}, Size{60, 1}, Size{2, 2}}) {
        const Terrain made = applied("river-network", {{"base", "12.5"}}, Terrain(grid_of(size, 8)));
        EXPECT_EQ(statistics(made.height()).missing, 0);
        EXPECT_NEAR(statistics(made.height()).low, 12.5, 1e-3);
    }
}

}  // namespace
}  // namespace caprock::test
