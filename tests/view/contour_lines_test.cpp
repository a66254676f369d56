// Contour lines against surfaces whose lines are known.
#include "view/contour_lines.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace caprock::test {
namespace {

// Heights by the place of pixels' middles.
Surface surface_of(Size size, const std::function<double(double, double)>& height) {
    Surface surface(size);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) surface.row(y)[x] = float(height(x + 0.5, y + 0.5));
    return surface;
}

double length_of(const ContourLine& line) {
    double length = 0;
    size_t count = line.points.size();
    for (size_t i = 1; i < count + (line.closed ? 1 : 0); i++)
        length += std::hypot(line.points[i % count].x - line.points[i - 1].x,
                             line.points[i % count].y - line.points[i - 1].y);
    return length;
}

TEST(ContourLines, ACone) {
    auto cone = [](double x, double y) { return 100 - 2 * std::hypot(x - 50, y - 50); };
    std::vector<ContourLine> lines = contour_lines(surface_of({100, 100}, cone), 10);
    std::map<double, int> rings;
    for (const ContourLine& line : lines) {
        double radius = (100 - line.level) / 2;
        for (const PixelPoint& point : line.points)
            EXPECT_NEAR(std::hypot(point.x - 50, point.y - 50), radius, 0.02 + 0.3 / radius) << line.level;
        if (radius < 49) {
            EXPECT_TRUE(line.closed) << line.level;
            EXPECT_NEAR(length_of(line), 2 * std::acos(-1.0) * radius, 0.02 * radius + 0.4) << line.level;
            rings[line.level]++;
        }
        EXPECT_EQ(line.strong, std::fmod(line.level, 50) == 0) << line.level;
    }
    // One for each level from 10 to 90; the cone's tip of 100 lies between four pixels.
    EXPECT_EQ(rings.size(), 9u);
    for (const auto& [level, count] : rings) EXPECT_EQ(count, 1) << level;
    EXPECT_TRUE(std::ranges::is_sorted(lines, {}, &ContourLine::level));
}

TEST(ContourLines, APlaneHasStraightOnes) {
    auto plane = [](double x, double y) { return 3 * x + 4 * y - 300; };
    std::vector<ContourLine> lines = contour_lines(surface_of({80, 60}, plane), 25);
    std::set<double> levels;
    for (const ContourLine& line : lines) {
        EXPECT_FALSE(line.closed);
        EXPECT_TRUE(levels.insert(line.level).second) << "two lines of " << line.level;
        for (const PixelPoint& point : line.points)
            EXPECT_NEAR((plane(point.x, point.y) - line.level) / 5, 0, 1e-4) << line.level;
        // From border to border: straight lines are as long as the way between their ends.
        double straight = std::hypot(line.points.front().x - line.points.back().x,
                                     line.points.front().y - line.points.back().y);
        EXPECT_NEAR(length_of(line), straight, 1e-3);
        for (const PixelPoint& end : {line.points.front(), line.points.back()})
            EXPECT_TRUE(std::min({end.x - 0.5, end.y - 0.5, 79.5 - end.x, 59.5 - end.y}) < 1e-9)
                << line.level;
    }
    // Every level that the plane has within the middles of the border's pixels: -296.5 to 176.5.
    EXPECT_EQ(levels.size(), 19u);
    EXPECT_EQ(*levels.begin(), -275);
    EXPECT_EQ(*levels.rbegin(), 175);
}

TEST(ContourLines, ALevelAtTheSamplesThemselves) {
    // Steps of 10 for a pixel: every sample lies at a level, and each line runs through its column of them.
    std::vector<ContourLine> lines =
        contour_lines(surface_of({6, 5}, [](double x, double) { return (x - 0.5) * 10; }), 10);
    ASSERT_EQ(lines.size(), 5u);
    for (const ContourLine& line : lines) {
        EXPECT_FALSE(line.closed);
        for (const PixelPoint& point : line.points) EXPECT_DOUBLE_EQ(point.x, line.level / 10 + 0.5);
        EXPECT_NEAR(length_of(line), 4, 1e-9);
    }
}

TEST(ContourLines, LevelGroundHasNone) {
    for (double height : {0.0, 10.0, 13.7, -20.0})
        EXPECT_TRUE(contour_lines(surface_of({9, 9}, [=](double, double) { return height; }), 10).empty())
            << height;
    // A plateau at a level has its edge.
    auto plateau = [](double x, double y) {
        return std::max(std::fabs(x - 10.5), std::fabs(y - 10.5)) <= 4 ? 10 : 5;
    };
    std::vector<ContourLine> lines = contour_lines(surface_of({21, 21}, plateau), 10);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(lines[0].closed);
    EXPECT_NEAR(length_of(lines[0]), 32, 1e-9);
}

TEST(ContourLines, ASummitAtALevelIsNoLine) {
    auto spike = [](double x, double y) { return x == 4.5 && y == 4.5 ? 10.0 : 3.0; };
    EXPECT_TRUE(contour_lines(surface_of({9, 9}, spike), 10).empty());
    auto higher = [](double x, double y) { return x == 4.5 && y == 4.5 ? 17.0 : 3.0; };
    std::vector<ContourLine> lines = contour_lines(surface_of({9, 9}, higher), 10);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_TRUE(lines[0].closed);
    EXPECT_EQ(lines[0].points.size(), 4u);
}

TEST(ContourLines, SaddlesAreDecidedByTheSurface) {
    // Two high corners on the main diagonal. The bilinear surface's saddle lies at (a d - b c) / (a + d - b - c).
    for (double low : {-8.0, -12.0}) {
        auto corners = [&](double x, double y) { return (x < 1) == (y < 1) ? 10.0 : low; };
        std::vector<ContourLine> lines = contour_lines(surface_of({2, 2}, corners), 1000);
        ASSERT_EQ(lines.size(), 2u) << low;
        bool joined = (100 - low * low) / (20 - 2 * low) >= 0;
        // Joined high corners: each line cuts off one of the low ones, at the upper right or the lower left.
        for (const ContourLine& line : lines) {
            ASSERT_EQ(line.points.size(), 2u);
            double x = (line.points[0].x + line.points[1].x) / 2 - 1,
                   y = (line.points[0].y + line.points[1].y) / 2 - 1;
            EXPECT_EQ(x * y < 0, joined) << low;
        }
    }
}

TEST(ContourLines, LinesNeverCross) {
    auto hills = [](double x, double y) {
        return 40 * std::sin(x * 0.31) * std::cos(y * 0.23) + 9 * std::sin(x * 1.7 + y);
    };
    Size size{90, 70};
    std::vector<ContourLine> lines = contour_lines(surface_of(size, hills), 5);
    // Each edge between two pixels is crossed once by a level that lies between them: points are met by one line only.
    std::map<std::tuple<double, double, double>, int> visits;
    for (const ContourLine& line : lines)
        for (const PixelPoint& point : line.points) visits[{line.level, point.x, point.y}]++;
    for (const auto& [point, count] : visits) EXPECT_EQ(count, 1);
    for (const ContourLine& line : lines) {
        if (line.closed) continue;
        for (const PixelPoint& end : {line.points.front(), line.points.back()})
            EXPECT_TRUE(std::min({end.x - 0.5, end.y - 0.5, size.width - 0.5 - end.x,
                                  size.height - 0.5 - end.y}) < 1e-9);
    }
    EXPECT_GT(lines.size(), 20u);
}

TEST(ContourLines, NoneThroughMissingCells) {
    auto slope = [](double x, double) { return 10 * x; };
    Surface surface = surface_of({20, 20}, slope);
    for (int y = 8; y < 11; y++)
        for (int x = 0; x < 20; x++) surface.row(y)[x] = missing;
    std::vector<ContourLine> lines = contour_lines(surface, 20);
    // Above and below the gap, each in one piece.
    EXPECT_EQ(lines.size(), 2 * 9u);
    for (const ContourLine& line : lines)
        for (const PixelPoint& point : line.points) {
            EXPECT_FALSE(point.y > 7.5 && point.y < 11.5) << point.y;
            EXPECT_NEAR(point.x, line.level / 10, 1e-5);
        }
}

TEST(ContourLines, TheFrameCountsWhereItIsGiven) {
    Surface surface = surface_of({4, 4}, [](double x, double) { return 10 * x; });
    auto top_of_first = [&] {
        std::vector<ContourLine> lines = contour_lines(surface, 20);
        return std::ranges::min(lines.at(0).points, {}, &PixelPoint::y).y;
    };
    EXPECT_NEAR(top_of_first(), 0.5, 1e-9);
    for (int x = 0; x < 4; x++) surface.row(-1)[x] = 10 * (float(x) + 0.5f);
    EXPECT_NEAR(top_of_first(), -0.5, 1e-9);
}

TEST(ContourLines, AWildHeightFillsNothing) {
    auto wild = [](double x, double y) { return x == 4.5 && y == 4.5 ? 1e29 : 10 * x; };
    std::vector<ContourLine> lines = contour_lines(surface_of({9, 9}, wild), 10);
    EXPECT_LT(lines.size(), 40u);
    EXPECT_GT(lines.size(), 7u);
}

TEST(ContourLines, RoundNumbers) {
    const std::pair<double, double> cases[] = {{1, 1},     {1.01, 2},   {2, 2},      {3, 5},       {5, 5},
                                               {7, 10},    {10, 10},    {11, 20},    {0.03, 0.05}, {0.2, 0.2},
                                               {499, 500}, {501, 1000}, {1e-7, 1e-7}};
    for (const auto& [least, expected] : cases)
        EXPECT_NEAR(round_number_from(least), expected, expected * 1e-9) << least;
}

}  // namespace
}  // namespace caprock::test
