// Rivers as a user gives them.
#include "operations/rivers/given_rivers.h"

#include "support/refusals.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Line line_through(std::vector<LinePoint> points) { return {std::move(points), false, {}}; }

const RiverLattice lattice_for_given({0, 0, 1000, 1000}, 120, 1);

std::vector<GivenRiver> taken(std::vector<Line> lines) {
    return given_rivers(LineSet(std::move(lines)), lattice_for_given);
}

TEST(GivenRivers, AreCutOffAtTheBorder) {
    const auto rivers = taken({line_through({{500, -100}, {500, 1100}})});
    ASSERT_EQ(rivers.size(), 1u);
    EXPECT_EQ(rivers[0].end, GivenRiver::End::leaves);
    EXPECT_EQ(rivers[0].points.front().place.y, 0);
    EXPECT_EQ(rivers[0].points.back().place.y, 1000);
}

TEST(GivenRivers, ThatComeBackAreSeveral) {
    const auto rivers = taken({line_through({{100, 500}, {500, -200}, {900, 500}, {900, 1200}})});
    ASSERT_EQ(rivers.size(), 2u);
    EXPECT_EQ(rivers[0].points.back().place.y, 0);
    EXPECT_EQ(rivers[1].points.front().place.y, 0);
    EXPECT_EQ(rivers[0].line, 1u);
    EXPECT_EQ(rivers[1].line, 1u);
}

TEST(GivenRivers, HaveTheirOwnPlacesAndOthersBetweenThem) {
    const auto rivers = taken({line_through({{100, 100, 90}, {700, 160}, {720, 1000, 10}})});
    const std::vector<RiverPoint>& points = rivers[0].points;
    size_t found = 0;
    for (const RiverPoint& point : points) found += point.place.x == 700 && point.place.y == 160 ? 1 : 0;
    EXPECT_EQ(found, 1u);
    for (size_t i = 1; i < points.size(); i++) {
        EXPECT_LE(distance(points[i].place, points[i - 1].place), lattice_for_given.step() / 2);
        EXPECT_LE(points[i].z, points[i - 1].z);
    }
    // Heights follow the way.
    const double first = std::hypot(600, 60), second = std::hypot(20, 840);
    for (const RiverPoint& point : points)
        if (point.place.x == 700) {
            EXPECT_NEAR(point.z, 90 - 80 * first / (first + second), 1e-9);
        }
}

TEST(GivenRivers, FlowIntoTheRiverTheyEndAt) {
    const auto rivers =
        taken({line_through({{100, 100}, {495, 400}}), line_through({{500, 0}, {500, 1000}})});
    EXPECT_EQ(rivers[0].end, GivenRiver::End::joins);
    EXPECT_EQ(rivers[0].joins, 1u);
    EXPECT_NEAR(rivers[1].points[rivers[0].at].place.y, 400, lattice_for_given.step() / 2);
    EXPECT_EQ(rivers[1].end, GivenRiver::End::leaves);
}

TEST(GivenRivers, CloseToTheBorderGoOnToIt) {
    const auto rivers =
        taken({line_through({{500, 500}, {990, 480}}), line_through({{100, 100}, {400, 300}})});
    EXPECT_EQ(rivers[0].end, GivenRiver::End::leaves);
    EXPECT_EQ(rivers[0].points.back().place.x, 1000);
    EXPECT_EQ(rivers[1].end, GivenRiver::End::inland);
}

TEST(GivenRivers, ThatFlowUphillOrCrossAreRefused) {
    auto why = [](std::vector<Line> lines) { return refusal([&] { taken(std::move(lines)); }); };
    EXPECT_EQ(why({line_through({{100, 100, 50}, {200, 200}, {300, 300, 60}})}),
              "rivers: line 1 flows uphill, from 50 m at 100,100 to 60 m at 300,300; a river is given from "
              "its source to its mouth");
    EXPECT_NE(why({line_through({{0, 500}, {1000, 500}}), line_through({{500, 0}, {510, 1000}})})
                  .find("cross at 505"),
              std::string::npos);
    // But one may come a little beyond the river that it ends at.
    EXPECT_EQ(why({line_through({{0, 500}, {1000, 500}}), line_through({{500, 0}, {500, 508}})}), "");
    EXPECT_NE(why({}).find("lies on the land"), std::string::npos);
    EXPECT_NE(why({{{{100, 100}, {200, 100}, {200, 200}}, true, {}}}).find("circle"), std::string::npos);
}

}  // namespace
}  // namespace caprock::test
