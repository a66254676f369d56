// What is told of the flow graph, on land where it is known.
#include "operation/evaluate.h"
#include "support/refusals.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace caprock::test {
namespace {

// A valley that falls to the east by 1 in 10, with sides of 1 in 2, of cells of 10 m.
Terrain valley() {
    return terrain_of("height", {61, 41}, 10,
                      [](int x, int y) { return 1000 - float(x) + 5.0f * float(std::abs(y - 20)); });
}

TEST(Flow, WetnessAndPowerAreOfWhatDrainsThroughAMetre) {
    const Terrain after =
        applied("flow", {{"sharing", "single"}, {"wetness", "true"}, {"power", "true"}}, valley());
    for (int x = 1; x < 60; x++) {
        const double drained = after.field("drained-area").at(x, 20);
        EXPECT_GE(drained, 100.0 * (x + 1));
        EXPECT_NEAR(after.field("wetness").at(x, 20), std::log(drained / 10 / 0.1), 1e-4);
        EXPECT_NEAR(after.field("stream-power").at(x, 20), drained / 10 * 0.1, 1e-3 * drained);
    }
}

TEST(Flow, EveryCellDrainsOnce) {
    for (const char* sharing : {"single", "multiple"}) {
        const Terrain after = applied("flow", {{"sharing", sharing}}, valley());
        // All water leaves at the lower end of the valley.
        EXPECT_NEAR(after.field("drained-area").at(60, 20), 61 * 41 * 100.0, 61 * 41 * 100.0 * 0.03);
    }
}

TEST(Flow, DistancesRunAlongTheWater) {
    const Terrain after = applied("flow", {{"distance", "true"}, {"stream-area", "1"}}, valley());
    const Field far = after.field("stream-distance"), above = after.field("above-stream");
    for (int x = 20; x < 60; x++) {
        EXPECT_EQ(far.at(x, 20), 0);
        EXPECT_EQ(above.at(x, 20), 0);
        for (int y = 0; y < 20; y++) {
            // Straight down the side, or a little downstream.
            EXPECT_GE(far.at(x, y), 10.0f * float(20 - y));
            EXPECT_LE(far.at(x, y), 10.0f * float(20 - y) * 1.4143f);
            EXPECT_GE(above.at(x, y), 5.0f * float(20 - y) - 0.01f);
        }
    }
}

// Two streams that join: trenches with the shape of a Y.
Terrain confluence() {
    return terrain_of("height", {81, 81}, 10, [](int x, int y) {
        const double arm = y < 40 ? std::abs(std::abs(x - 40) - (40 - y) * 0.5) : std::abs(x - 40);
        return float(500 - 2 * y + 3 * arm);
    });
}

TEST(Flow, StreamsAreLinesWithOrderAndArea) {
    const Terrain after =
        applied("flow", {{"streams", "rivers"}, {"stream-area", "4"}, {"watersheds", "true"}}, confluence());
    const std::vector<Line> lines = after.lines("rivers").lines();
    ASSERT_GE(lines.size(), 3u);
    std::map<int64_t, const Line*> by_number;
    for (const Line& line : lines) by_number[std::get<int64_t>(line.attributes.at("reach"))] = &line;
    int seconds = 0;
    double out = 0;
    for (const Line& line : lines) {
        const int64_t order = std::get<int64_t>(line.attributes.at("order"));
        const int64_t into = std::get<int64_t>(line.attributes.at("into"));
        const double area = std::get<double>(line.attributes.at("area"));
        EXPECT_GE(area, 40000);
        EXPECT_NEAR(std::get<double>(line.attributes.at("length")), line.length(), 1e-9);
        if (order == 2) {
            seconds++;
            EXPECT_NEAR(std::get<double>(line.attributes.at("slope")), 0.2, 0.03);
        }
        if (into == 0) {
            out = std::max(out, area);
        } else {
            const Line& next = *by_number.at(into);
            EXPECT_EQ(line.points.back(), next.points.front());
            EXPECT_GE(std::get<int64_t>(next.attributes.at("order")), order);
        }
        // Water does not run uphill.
        for (size_t i = 0; i + 1 < line.points.size(); i++) EXPECT_LE(line.points[i + 1].z, line.points[i].z);
    }
    EXPECT_GE(seconds, 1);
    EXPECT_GT(out, 0.5 * 81 * 81 * 100);
    // Each place drains to one of them.
    const Field sheds = after.field("watershed");
    for (const Line& line : lines) {
        const float number = float(std::get<int64_t>(line.attributes.at("reach")));
        for (size_t i = 0; i + 1 < line.points.size(); i++)
            EXPECT_EQ(sheds.at(int(line.points[i].x / 10), int(line.points[i].y / 10)), number);
    }
}

TEST(Flow, HollowsAreCrossedInTheWayAskedFor) {
    // A dammed valley: however water crosses the dam, all of it comes out.
    Terrain dammed = terrain_of("height", {61, 41}, 10, [](int x, int y) {
        return 1000 - float(x) + 5.0f * float(std::abs(y - 20)) + (x == 40 ? 12.0f : 0.0f);
    });
    for (const char* way : {"bottom", "fill", "breach"}) {
        const Terrain after = applied("flow", {{"hollows", way}, {"sharing", "single"}}, dammed);
        EXPECT_GT(after.field("drained-area").at(60, 20), 0.9 * 61 * 41 * 100) << way;
        EXPECT_TRUE(identical(after.height(), dammed.height()));
    }
}

TEST(Flow, RefusesNamesThatNobodyCouldSay) {
    EXPECT_NE(refusal([] {
                  applied("flow", {{"streams", "a b"}}, valley());
              }).find("a b"),
              std::string::npos);
}

}  // namespace
}  // namespace caprock::test
