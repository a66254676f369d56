// Beds against the laws that they obey, looked up pair by pair.
#include "operations/rivers/river_beds.h"

#include "operations/rivers/drainage_growth.h"
#include "operations/rivers/river_tree.h"
#include "support/refusals.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

BedRules rules_of_beds() {
    BedRules rules;
    rules.base = 30;
    rules.steepness = 0.1;
    rules.concavity = 0.4;
    rules.floor = 20;
    rules.crest_away = 150;
    rules.hillslope = [](const Place&) { return 0.7; };
    rules.falls = [](const Place&) { return 1.0; };
    return rules;
}

// Straight, from north to south, a point every 20 m.
std::vector<RiverPoint> straight(double x, double area, double from, double to,
                                 std::vector<RiverPoint> points = {}) {
    int down = RiverPoint::leaves;
    for (double y = to; y >= from; y -= 20) {
        RiverPoint point;
        point.place = {x, y};
        point.down = down;
        point.area = area;
        point.to_mouth = to - y;
        down = int(points.size());
        points.push_back(point);
    }
    return points;
}

TEST(RiverBeds, RiseByThePowerOfTheArea) {
    Progress progress;
    for (double area : {1e5, 1e6, 9e6}) {
        const RiverBeds beds(straight(0, area, 0, 1000), rules_of_beds(), progress);
        const double slope = 0.1 * std::pow(area / 1e6, -0.4);
        for (size_t i = 0; i < beds.heights().size(); i++)
            EXPECT_NEAR(beds.heights()[i], 30 + slope * 20 * double(i), 1e-6);
    }
}

TEST(RiverBeds, AreNeverSteeperThanThePartOfTheHillslope) {
    Progress progress;
    const RiverBeds beds(straight(0, 10, 0, 1000), rules_of_beds(), progress);
    EXPECT_LE(beds.heights().back() - 30, 0.7 * 0.7 * 1000 + 1e-6);
    EXPECT_GE(beds.heights().back() - 30, 0.6 * 0.7 * 1000);
}

// Two rivers side by side, of which one falls ten times as much: the higher one is lowered to what ground may rise between them,
// and by no more.
TEST(RiverBeds, AreLoweredToTheGreatestHeightsThatAgree) {
    Progress progress;
    std::vector<RiverPoint> points = straight(0, 5e7, 0, 3000);
    const size_t low = points.size();
    points = straight(200, 2e5, 0, 3000, points);
    const RiverBeds beds(points, rules_of_beds(), progress);
    const RiverBeds alone(std::vector<RiverPoint>(points.begin(), points.begin() + long(low)),
                          rules_of_beds(), progress);
    for (size_t i = 0; i < low; i++) EXPECT_EQ(beds.heights()[i], alone.heights()[i]);
    const Rise& rise = beds.pieces().front().rise;
    const double most = rise.at(200, 150);
    const double steep = 0.1 * std::pow(0.2, -0.4);
    int bound = 0;
    for (size_t i = 0; i < low; i++) {
        const double along = 20 * double(i);
        const double up = beds.heights()[low + i], natural = 30 + steep * along;
        EXPECT_LE(up, natural + 1e-9);
        EXPECT_LE(up, beds.heights()[i] + most + 1e-9);
        if (natural > beds.heights()[i] + most + 5) {
            bound++;
            EXPECT_GT(up, beds.heights()[i] + 0.9 * most - 2);
        }
    }
    EXPECT_GT(bound, 50);
}

TEST(RiverBeds, OfAWholeDrainageAgreePairByPair) {
    const RiverLattice lattice({0, 0, 2000, 2000}, 200, 4);
    DrainageGrowth growth(lattice, {.spacing = 200, .along_river = 0.5, .winding = 0.8});
    growth.add_mouth(lattice.nearest(0, 900));
    growth.fill([](double) {});
    growth.count_areas();
    const std::vector<RiverPoint> points = smooth_rivers(growth.points());
    Progress progress;
    BedRules rules = rules_of_beds();
    rules.steepness = 0.4;
    const RiverBeds beds(points, rules, progress);
    for (size_t i = 0; i < points.size(); i++)
        if (points[i].down >= 0) {
            const double length = distance(points[i].place, points[size_t(points[i].down)].place);
            EXPECT_GE(beds.heights()[i] - beds.heights()[size_t(points[i].down)],
                      RiverBeds::least_fall * length * (1 - 1e-6));
        }
    // The least fall is taken off by way, so that a bed may stand higher by that over the difference of two ways.
    const double slack = RiverBeds::least_fall * 8000;
    for (const RiverPiece& low : beds.pieces())
        for (const RiverPiece& other : beds.pieces())
            ASSERT_LE(other.high,
                      low.high + low.rise.at(distance(low.from, other.from), rules.crest_away) + slack);
}

TEST(RiverBeds, KeepWhatIsGiven) {
    Progress progress;
    std::vector<RiverPoint> points = straight(0, 1e6, 0, 1000);
    points[20].z = 25;
    points[21].z = 60;
    const RiverBeds beds(points, rules_of_beds(), progress);
    EXPECT_EQ(beds.heights()[20], 25);
    EXPECT_EQ(beds.heights()[21], 60);
    // What lies below is lowered, although the mouth was to be at 30; what lies above goes on from there.
    for (size_t i = 0; i < 20; i++) EXPECT_LT(beds.heights()[i], 25);
    EXPECT_NEAR(beds.heights()[31], 60 + 0.1 * 200, 1e-6);
}

TEST(RiverBeds, RefuseAGivenBedThatWouldFlowUphillOnItsWay) {
    Progress progress;
    std::vector<RiverPoint> points = straight(0, 1e6, 0, 1000);
    points[10].z = 60;
    points[30].z = 59;
    const std::string why = refusal([&] { RiverBeds(points, rules_of_beds(), progress); });
    EXPECT_NE(why.find("0.0,400.0 is given 59 m"), std::string::npos) << why;
    EXPECT_NE(why.find("0.0,800.0, which is given 60 m"), std::string::npos) << why;
}

TEST(RiverBeds, GroundRisesAllTheWayToTheCrest) {
    for (double foot : {0.25, 0.95})
        for (double floor : {1.0, 40.0, 225.0}) {
            Rise rise;
            rise.slope = 0.8;
            rise.floor = floor;
            rise.saved = (1 - foot) * 0.8 * floor;
            EXPECT_EQ(rise.at(0, 150), 0);
            EXPECT_NEAR(rise.at(1e-6, 150) / 1e-6, foot * 0.8, 1e-3);
            for (double away = 0; away < 400; away += 1)
                EXPECT_GT(rise.at(away + 1, 150), rise.at(away, 150));
        }
}

TEST(RiverBeds, CanBeStopped) {
    Progress progress;
    progress.cancel();
    EXPECT_THROW(RiverBeds(straight(0, 1e6, 0, 60000), rules_of_beds(), progress), Cancelled);
}

}  // namespace
}  // namespace caprock::test
