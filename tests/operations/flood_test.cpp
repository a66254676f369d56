// Floods against what is known of water: it rests where it is level, breaks out as Ritter found, runs down a slope as Manning did,
// and is neither made nor lost.
#include "support/devices.h"
#include "support/operations.h"
#include "support/same_terrain.h"
#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

constexpr double gravity = 9.81;

Terrain flooded(const Terrain& input, const Parameters& parameters, RunContext context = on_cpu()) {
    return run(*made_operation("flood", parameters), input, context);
}

template <typename Height, typename Water>
Terrain wet_land(Size size, double cell, const Height& height, const Water& water) {
    Terrain terrain(Grid{Rect::of(size), cell, {0, 400}});
    terrain.set("height", made_field(terrain.rect(), height));
    terrain.set("water", made_field(terrain.rect(), water));
    return terrain;
}

// Behind a dam across a long flat channel water stands 2 m deep, and then there is no dam.
Terrain behind_a_dam(bool along_x, int side) {
    const Size size = along_x ? Size{side, 3} : Size{3, side};
    return wet_land(
        size, 1, [](int, int) { return 250.0f; },
        [&](int x, int y) { return (along_x ? x : y) < side / 2 ? 2.0f : 0.0f; });
}

const Parameters bare = {{"rain", "0"}, {"friction", "0"}, {"border", "closed"}};

Parameters with(Parameters parameters, const Parameters& more) {
    parameters.insert(parameters.end(), more.begin(), more.end());
    return parameters;
}

TEST(Flood, StillWaterStaysStill) {
    // Over a bumpy bed, with an island and holes, for more than a thousand steps; an open border is none where nothing flows.
    auto bed = [](int x, int y) {
        if (is_hole(x, y, Holes::some)) return missing;
        return 300 + 5 * std::sin(float(x) * 0.4f) * std::cos(float(y) * 0.3f) + 3 * scattered(x, y, 1);
    };
    const float level = 304.7f;
    Terrain input = wet_land({70, 60}, 3, bed, [&](int x, int y) {
        return std::isnan(bed(x, y)) ? missing : std::max(level - bed(x, y), 0.0f);
    });
    for (const char* border : {"open", "closed"}) {
        Terrain output = flooded(
            input,
            {{"rain", "0"}, {"duration", "200"}, {"deepest", "8"}, {"border", border}, {"friction", "0"}});
        ASSERT_GT(200 / (0.35 * 3 / std::sqrt(gravity * 8)), 1000);
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 70; x++) {
                if (is_missing(input.height().at(x, y))) continue;
                EXPECT_NEAR(output.field("water").at(x, y), input.field("water").at(x, y), 1e-4);
                EXPECT_LT(output.field("speed").at(x, y), 1e-3);
            }
    }
}

TEST(Flood, ADamBreaksAsRitterFound) {
    const int side = 800;
    const double seconds = 30, wave = std::sqrt(gravity * 2), dam = side / 2 - 0.5;
    Terrain output = flooded(behind_a_dam(true, side), with(bare, {{"duration", "30"}, {"deepest", "2"}}));
    // Depths are those of h = (2 c - x / t)^2 / 9 g, over all the land that the wave has come to.
    double off = 0, all = 0, front = 0, knee_deep = 0;
    for (int x = 0; x < side; x++) {
        const double along = (x - dam) / seconds;
        const double shallow = std::clamp(2 * wave - along, 0.0, 3 * wave);
        const double depth = output.field("water").at(x, 1);
        off += std::abs(depth - shallow * shallow / (9 * gravity));
        if (std::abs(x - dam) < 2 * wave * seconds) all += shallow * shallow / (9 * gravity);
        if (depth > 1e-6) front = x + 0.5 - dam;
        if (depth > 0.1) knee_deep = x + 0.5 - dam;
        EXPECT_EQ(output.field("water").at(x, 0), output.field("water").at(x, 2));
    }
    EXPECT_LT(off, 0.01 * all);
    // The front is at 2 c t.
    EXPECT_NEAR(front, 2 * wave * seconds, 0.1 * 2 * wave * seconds);
    const double exact = (2 * wave - std::sqrt(9 * gravity * 0.1)) * seconds;
    EXPECT_NEAR(knee_deep, exact, 0.05 * exact);
    // What has arrived came when it should: half way at half the time.
    const double way = 2 * wave * seconds / 2;
    EXPECT_FALSE(is_missing(output.field("arrival").at(int(dam + way / 2), 1)));
    EXPECT_TRUE(is_missing(output.field("arrival").at(side - 1, 1)));
    EXPECT_EQ(output.field("arrival").at(10, 1), 0);
}

TEST(Flood, IsTheSameInEveryDirection) {
    const int side = 300;
    const Parameters parameters = with(bare, {{"duration", "10"}, {"deepest", "2"}});
    Terrain east = flooded(behind_a_dam(true, side), parameters);
    Terrain south = flooded(behind_a_dam(false, side), parameters);
    auto west_input = wet_land(
        {side, 3}, 1, [](int, int) { return 250.0f; },
        [&](int x, int) { return side - 1 - x < side / 2 ? 2.0f : 0.0f; });
    Terrain west = flooded(west_input, parameters);
    for (int i = 0; i < side; i++) {
        EXPECT_EQ(east.field("water").at(i, 1), south.field("water").at(1, i)) << i;
        EXPECT_NEAR(east.field("water").at(i, 1), west.field("water").at(side - 1 - i, 1), 1e-5) << i;
    }
}

TEST(Flood, RunsDownASlopeAsManningFound) {
    // Steady rain r on a slope of one in twenty: at a distance x from its top, r x = h^(5/3) S^(1/2) / n.
    const double slope = 0.05, friction = 0.03, rain = 100 / 3.6e6, cell = 5;
    Terrain input = wet_land(
        {200, 5}, cell, [&](int x, int) { return float(300 - slope * cell * x); },
        [](int, int) { return 0.0f; });
    Terrain output = flooded(input, {{"rain", "100"},
                                     {"friction", "0.03"},
                                     {"duration", "2400"},
                                     {"deepest", "0.2"},
                                     {"border", "open"}});
    for (int x = 20; x < 195; x += 5) {
        const double flow = rain * cell * (x + 0.5);
        const double depth = std::pow(flow * friction / std::sqrt(slope), 0.6);
        EXPECT_NEAR(output.field("water").at(x, 2), depth, 0.02 * depth) << x;
        EXPECT_NEAR(output.field("speed").at(x, 2), flow / depth, 0.03 * flow / depth) << x;
    }
}

TEST(Flood, WaterDeeperAndFasterThanStepsAreMadeForIsSmooth) {
    // Down a slope to the south-east, four times as deep as stated: no cell is dry between two wet ones.
    Terrain input = wet_land(
        {80, 80}, 30, [](int x, int y) { return float(390 - 2.0 * (x + y)); }, [](int, int) { return 8.0f; });
    Terrain output = flooded(input, {{"rain", "10000"}, {"duration", "120"}, {"deepest", "2"}});
    for (int y = 40; y < 75; y++)
        for (int x = 40; x < 75; x++) {
            const Field& water = output.field("water");
            const float mean =
                (water.at(x - 1, y) + water.at(x + 1, y) + water.at(x, y - 1) + water.at(x, y + 1)) / 4;
            ASSERT_NEAR(water.at(x, y), mean, 0.05 * mean) << x << "," << y;
        }
}

TEST(Flood, TheLedgerClosesAndRainIsWhatFell) {
    const double seconds = 150;
    for (const char* border : {"open", "closed"}) {
        RunContext context = on_cpu();
        std::vector<LedgerEntry> ledger;
        context.enter = [&](const LedgerEntry& entry) { ledger.push_back(entry); };
        Terrain input = rough_terrain({120, 90}, Holes::some);
        input.set("water", made_field(input.rect(), [](int x, int y) { return 0.1f * scattered(x, y, 6); }));
        Terrain output = flooded(input,
                                 {{"rain", "30"},
                                  {"evaporation", "5"},
                                  {"springs", "200,200"},
                                  {"discharge", "3"},
                                  {"spring-radius", "0"},
                                  {"duration", std::to_string(seconds)},
                                  {"border", border}},
                                 context);
        ASSERT_EQ(ledger.size(), 1u);
        const LedgerEntry& water = ledger[0];
        EXPECT_EQ(water.quantity, "water");
        EXPECT_LT(water.error(), 1e-6);
        double before = 0, after = 0, cells = 0;
        for (int y = 0; y < 90; y++)
            for (int x = 0; x < 120; x++) {
                if (is_missing(input.height().at(x, y))) continue;
                cells++;
                before += 16 * double(input.field("water").at(x, y));
                after += 16 * double(output.field("water").at(x, y));
            }
        EXPECT_NEAR(water.before, before, 1e-6 * before);
        EXPECT_NEAR(water.after, after, 1e-6 * after);
        const double spring = is_missing(input.height().at(50, 50)) ? 0 : 3 * seconds;
        EXPECT_NEAR(water.in, cells * 16 * 0.03 * seconds / 3600 + spring, 1e-6 * water.in);
        EXPECT_GT(water.out, 0);
        // Keeping it changes nothing.
        Terrain plain = flooded(input, {{"rain", "30"},
                                        {"evaporation", "5"},
                                        {"springs", "200,200"},
                                        {"discharge", "3"},
                                        {"spring-radius", "0"},
                                        {"duration", std::to_string(seconds)},
                                        {"border", border}});
        expect_same(plain, output, border);
    }
}

TEST(Flood, NothingIsLostBehindAClosedBorder) {
    Terrain input = rough_terrain({80, 70}, Holes::some);
    input.set("water", made_field(input.rect(), [](int x, int y) { return x < 30 && y < 30 ? 9.0f : 0.0f; }));
    Terrain output = flooded(input, with(bare, {{"duration", "300"}}));
    double before = 0, after = 0;
    for (int y = 0; y < 70; y++)
        for (int x = 0; x < 80; x++) {
            if (is_missing(input.height().at(x, y))) continue;
            before += double(input.field("water").at(x, y));
            after += double(output.field("water").at(x, y));
            EXPECT_GE(output.field("water").at(x, y), 0);
        }
    EXPECT_NEAR(after, before, 1e-6 * before);
}

TEST(Flood, WaterComesToRestInAHollow) {
    // A bowl: whatever falls into it stands level at its bottom.
    Terrain input = wet_land(
        {61, 61}, 4, [](int x, int y) { return float((x - 30) * (x - 30) + (y - 30) * (y - 30)) * 0.02f; },
        [](int x, int) { return x > 45 ? 0.5f : 0.0f; });
    Terrain output =
        flooded(input, {{"rain", "0"}, {"duration", "3000"}, {"border", "closed"}, {"friction", "0.06"}});
    const double level = output.height().at(30, 30) + output.field("water").at(30, 30);
    EXPECT_GT(output.field("water").at(30, 30), 1);
    double all = 0, level_part = 0;
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 61; x++) {
            const double wet = output.field("water").at(x, y);
            all += wet;
            if (std::abs(output.height().at(x, y) + wet - level) < 0.01) level_part += wet;
        }
    EXPECT_GT(level_part, 0.98 * all);
}

// A digit that is missing, or another system of coordinates: land that stays dry would say nothing of it.
TEST(Flood, SaysThatNoWaterComesFromAnywhereOnTheLand) {
    const Terrain input = wet_land(
        {60, 40}, 10, [](int, int) { return 5.0f; }, [](int, int) { return 0.0f; });
    auto told = [&](const Parameters& parameters) {
        std::string all;
        RunContext context = on_cpu();
        context.tell = [&](const std::string& message) { all += message; };
        flooded(input, with({{"rain", "0"}, {"duration", "10"}}, parameters), context);
        return all;
    };
    const std::string land = ": nothing of it lies on the land, which goes from 0,0 to 590,390";
    EXPECT_EQ(told({{"springs", "6000,200"}}), "springs" + land);
    EXPECT_EQ(told({{"reservoir", "600,0 900,0 900,300 close"}}), "reservoir" + land);
    // One of them is enough, or its shore.
    EXPECT_EQ(told({{"springs", "6000,200; 300,200"}}), "");
    EXPECT_EQ(told({{"springs", "600,200"}, {"spring-radius", "30"}}), "");
    EXPECT_EQ(told({{"reservoir", "-500,100 200,100 200,300 -500,300 close"}}), "");
}

TEST(Flood, AReservoirBreaksOut) {
    // A valley down to the east; the reservoir is its western end.
    Terrain input = wet_land(
        {120, 41}, 10, [](int x, int y) { return float(200 - 0.5 * x + 0.1 * (y - 20) * (y - 20)); },
        [](int, int) { return 0.0f; });
    Terrain output = flooded(input, {{"rain", "0"},
                                     {"reservoir", "-5,-5 205,-5 205,405 -5,405 close"},
                                     {"level", "205"},
                                     {"duration", "240"},
                                     {"deepest", "15"}});
    // It comes to one place after the other, in the middle of the valley first.
    float before = 0;
    for (int x = 25; x < 60; x += 5) {
        const float now = output.field("arrival").at(x, 20);
        EXPECT_GT(now, before) << x;
        EXPECT_FALSE(output.field("arrival").at(x, 30) < now) << x;
        before = now;
    }
    EXPECT_EQ(output.field("arrival").at(10, 20), 0);
    EXPECT_TRUE(is_missing(output.field("arrival").at(30, 0)));
    EXPECT_TRUE(identical(output.height(), input.height()));
}

TEST(Flood, IsBoundedWhateverItsParametersSay) {
    for (const Parameters& wild :
         {Parameters{{"deepest", "0.01"}, {"rain", "10000"}},
          Parameters{{"deepest", "0.05"},
                     {"friction", "0"},
                     {"springs", "100,100; 60,60"},
                     {"discharge", "1000000"}},
          Parameters{{"friction", "1"}, {"rain", "10000"}, {"evaporation", "10000"}}}) {
        Terrain input = rough_terrain({50, 40}, Holes::some);
        Terrain output = flooded(input, with(wild, {{"duration", "400"}, {"border", "closed"}}));
        const FieldStatistics water = statistics(output.field("water"));
        EXPECT_GE(water.low, 0);
        EXPECT_LT(water.high, 1e7);
        EXPECT_LT(statistics(output.field("speed")).high, 1000);
        EXPECT_EQ(water.missing, statistics(input.height()).missing);
    }
}

}  // namespace
}  // namespace caprock::test
