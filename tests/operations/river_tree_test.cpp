// Rivers without corners, and as lines.
#include "operations/rivers/river_tree.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

RiverPoint drawn(double x, double y, int down, double area) {
    RiverPoint point;
    point.place = {x, y};
    point.down = down;
    point.area = area;
    return point;
}

// A mouth, a trunk with a corner, and a tributary to it.
std::vector<RiverPoint> small_tree() {
    return {drawn(0, 0, RiverPoint::leaves, 100),
            drawn(40, 0, 0, 90),
            drawn(80, 0, 1, 80),
            drawn(80, 40, 2, 40),
            drawn(80, 80, 3, 20),
            drawn(120, 0, 2, 30),
            drawn(160, 0, 5, 10)};
}

TEST(RiverTree, SourcesMouthsAndWhatWasGivenStayWhereTheyAre) {
    std::vector<RiverPoint> points = small_tree();
    points[2].given = true;
    const std::vector<RiverPoint> made = smooth_rivers(points);
    auto has = [&](double x, double y) {
        for (const RiverPoint& point : made)
            if (point.place.x == x && point.place.y == y) return true;
        return false;
    };
    EXPECT_TRUE(has(0, 0));
    EXPECT_TRUE(has(80, 80));
    EXPECT_TRUE(has(160, 0));
    EXPECT_TRUE(has(80, 0));
    EXPECT_FALSE(smooth_rivers(small_tree()).empty());
}

TEST(RiverTree, PiecesAreShortAndTurnLittle) {
    const std::vector<RiverPoint> made = smooth_rivers(small_tree());
    EXPECT_EQ(made.size(), 1 + 3 * 6u);
    for (size_t i = 0; i < made.size(); i++) {
        ASSERT_LT(made[i].down, int(i));
        if (made[i].down < 0) continue;
        const RiverPoint& next = made[size_t(made[i].down)];
        EXPECT_LT(distance(made[i].place, next.place), 25);
        EXPECT_NEAR(made[i].to_mouth, next.to_mouth + distance(made[i].place, next.place), 1e-12);
        EXPECT_LE(made[i].area, next.area);
    }
}

TEST(RiverTree, LinesAreReachesFromConfluenceToConfluence) {
    const std::vector<RiverPoint> points = small_tree();
    const std::vector<double> beds = {0, 1, 2, 3, 4, 3.5, 5};
    const LineSet lines = lines_of_rivers(points, beds);
    ASSERT_EQ(lines.size(), 3u);
    for (const Line& line : lines.lines()) {
        const LinePoint& begin = line.points.front();
        const int64_t order = std::get<int64_t>(line.attributes.at("order"));
        const int64_t into = std::get<int64_t>(line.attributes.at("into"));
        if (begin.x == 80 && begin.y == 0) {
            EXPECT_EQ(order, 2);
            EXPECT_EQ(into, 0);
            EXPECT_EQ(std::get<double>(line.attributes.at("length")), 80);
            EXPECT_EQ(std::get<double>(line.attributes.at("slope")), 2.0 / 80);
            EXPECT_EQ(std::get<double>(line.attributes.at("area")), 100);
        } else {
            EXPECT_EQ(order, 1);
            EXPECT_NE(into, 0);
            EXPECT_EQ(line.points.back(), LinePoint(80, 0, 2));
            EXPECT_EQ(std::get<double>(line.attributes.at("area")), begin.x == 160 ? 30 : 40);
        }
    }
}

}  // namespace
}  // namespace caprock::test
