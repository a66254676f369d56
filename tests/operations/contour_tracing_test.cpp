// Contours, against what can be said of them without tracing a line: where a height is crossed, and what lies on which side.
#include "operations/lines/contour_tracing.h"

#include "base/error.h"
#include "operation/evaluate.h"
#include "support/devices.h"
#include "support/fields.h"
#include "support/operations.h"
#include "support/refusals.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace caprock::test {
namespace {

Terrain terrain_of(Size size, double cell, const std::function<float(int, int)>& height) {
    Terrain terrain(Grid{Rect::of(size), cell, {0, 1000}});
    terrain.set("height", made_field(terrain.rect(), height));
    return terrain;
}

LineSet contours(const Terrain& terrain, double interval, double base = 0) {
    RunContext context = on(make_cpu_device(CpuLevel::portable, 1));
    return run(*operation_with("contours", {{"interval", interval}, {"base", base}}), terrain, context)
        .lines("contours");
}

double height_of(const Line& line) { return std::get<double>(line.attributes.at("height")); }

// Twice the area that a closed line goes around; positive where it goes clockwise, seen with the south below.
double twice_area(const Line& line) {
    double sum = 0;
    for (size_t i = 0; i < line.points.size(); i++) {
        const LinePoint& a = line.points[i];
        const LinePoint& b = line.points[(i + 1) % line.points.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return sum;
}

TEST(ContourTracing, OfASlopeAreStraight) {
    const Terrain slope = terrain_of({21, 11}, 4, [](int x, int) { return float(x) * 10; });
    const LineSet lines = contours(slope, 50, 5);
    // 5, 55, 105 and 155: each halfway between two columns.
    ASSERT_EQ(lines.size(), 4u);
    for (size_t i = 0; i < 4; i++) {
        const Line& line = lines.lines()[i];
        EXPECT_EQ(height_of(line), 5 + 50 * double(i));
        EXPECT_FALSE(line.closed);
        ASSERT_EQ(line.points.size(), 11u);
        for (const LinePoint& point : line.points) {
            EXPECT_EQ(point.x, 4 * (0.5 + 5 * double(i)));
            EXPECT_EQ(point.z, height_of(line));
        }
        // The higher ground is on the right: to the south, going on, the east is on the left.
        EXPECT_EQ(line.points.front().y, 40);
        EXPECT_EQ(line.points.back().y, 0);
    }
}

TEST(ContourTracing, OfAConeAreCircles) {
    const Terrain cone = terrain_of({101, 101}, 2, [](int x, int y) {
        return 100 - float(std::sqrt(double((x - 50) * (x - 50) + (y - 50) * (y - 50))));
    });
    const LineSet lines = contours(cone, 10, 5);
    int closed = 0;
    for (const Line& line : lines.lines()) {
        const double radius = 2 * (100 - height_of(line));
        if (radius > 100) continue;
        closed++;
        EXPECT_TRUE(line.closed);
        EXPECT_NEAR(line.length(), 2 * M_PI * radius, 0.02 * radius);
        EXPECT_GT(twice_area(line), 0) << "around higher ground it goes clockwise";
        for (const LinePoint& point : line.points)
            EXPECT_NEAR(std::hypot(point.x - 100, point.y - 100), radius, 0.2);
    }
    EXPECT_EQ(closed, 5);
}

// Every place where a height is crossed between two neighbours, as often as squares on either side are known.
std::map<std::pair<double, double>, int> crossings(const Terrain& terrain, double height) {
    std::map<std::pair<double, double>, int> found;
    const Field& field = terrain.height();
    const Rect& rect = terrain.rect();
    auto known = [&](int x, int y) {
        if (x < rect.left || y < rect.top || x + 1 >= rect.right || y + 1 >= rect.bottom) return false;
        for (int dy : {0, 1})
            for (int dx : {0, 1})
                if (is_missing(field.at(x + dx, y + dy))) return false;
        return true;
    };
    auto look = [&](int x, int y, int dx, int dy) {
        if (x + dx >= rect.right || y + dy >= rect.bottom) return;
        const double a = double(field.at(x, y)), b = double(field.at(x + dx, y + dy));
        if (!((a >= height) != (b >= height))) return;
        const int squares = int(known(x, y)) + int(known(x - dy, y - dx));
        if (squares == 0) return;
        const double share = (height - a) / (b - a);
        found[{(x + dx * share) * terrain.grid().cell, (y + dy * share) * terrain.grid().cell}] += squares;
    };
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) {
            look(x, y, 1, 0);
            look(x, y, 0, 1);
        }
    return found;
}

TEST(ContourTracing, PassEveryCrossingAndJoinExactly) {
    for (Holes holes : {Holes::none, Holes::some}) {
        const Terrain terrain = rough_terrain({67, 41}, holes);
        const double interval = terrain.grid().range.span() / 7.3;
        const LineSet lines = contours(terrain, interval);
        ASSERT_GT(lines.size(), 10u);
        std::map<double, std::map<std::pair<double, double>, int>> passed;
        for (const Line& line : lines.lines())
            for (size_t i = 0; i < line.points.size(); i++) {
                // A place in the middle of a line has a piece on both sides, and an end one.
                const bool end = !line.closed && (i == 0 || i + 1 == line.points.size());
                passed[height_of(line)][{line.points[i].x, line.points[i].y}] += end ? 1 : 2;
            }
        for (const auto& [height, places] : passed) {
            const auto expected = crossings(terrain, height);
            ASSERT_EQ(places.size(), expected.size()) << height;
            EXPECT_EQ(places, expected) << height;
        }
    }
}

TEST(ContourTracing, EndWhereCellsAreMissing) {
    Terrain slope =
        terrain_of({21, 11}, 1, [](int x, int y) { return x == 9 && y == 5 ? missing : float(x) * 10; });
    const LineSet lines = contours(slope, 1000, 95);
    ASSERT_EQ(lines.size(), 2u);
    for (const Line& line : lines.lines()) EXPECT_EQ(line.points.size(), 5u);
    EXPECT_TRUE(contours(terrain_of({9, 9}, 1, [](int, int) { return missing; }), 10).empty());
    EXPECT_TRUE(contours(terrain_of({9, 9}, 1, [](int, int) { return 50.0f; }), 10).empty()) << "flat";
    EXPECT_TRUE(contours(terrain_of({1, 9}, 1, [](int, int y) { return float(y); }), 2).empty());
}

TEST(ContourTracing, ASaddleIsDecidedByItsMean) {
    for (float middle : {9.0f, 11.0f}) {
        // High in two opposite corners; the mean of all is `middle`.
        const float low = 2 * middle - 20;
        const Terrain saddle = terrain_of({2, 2}, 1, [&](int x, int y) { return x == y ? 20.0f : low; });
        const LineSet lines = contours(saddle, 1000, 10);
        ASSERT_EQ(lines.size(), 2u);
        for (const Line& line : lines.lines()) {
            // A line around a low corner has it nearer than the high ones.
            const LinePoint a = line.points[0], b = line.points[1];
            const double x = (a.x + b.x) / 2, y = (a.y + b.y) / 2;
            const double to_low = std::min(std::hypot(x - 1, y), std::hypot(x, y - 1));
            const double to_high = std::min(std::hypot(x, y), std::hypot(x - 1, y - 1));
            EXPECT_EQ(to_low < to_high, middle >= 10) << middle;
        }
    }
}

TEST(ContourTracing, ThroughSamplesHaveNoPlaceTwice) {
    // Whole heights at whole intervals: lines go through samples all the time.
    const Terrain steps = terrain_of({40, 40}, 2, [](int x, int y) { return float((x * 7 + y * 3) % 11); });
    const LineSet lines = contours(steps, 1);
    for (const Line& line : lines.lines()) {
        ASSERT_GT(line.points.size(), 1u);
        for (size_t i = 1; i < line.points.size(); i++) EXPECT_FALSE(line.points[i] == line.points[i - 1]);
    }
}

}  // namespace
}  // namespace caprock::test
