// Drainages that grow.
#include "operations/rivers/drainage_growth.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const WorldArea land_to_drain = {0, 0, 3000, 2400};
const double spacing_of_growth = 200;

struct Grown {
    RiverLattice lattice{land_to_drain, spacing_of_growth, 4};
    DrainageGrowth growth;

    explicit Grown(double winding, uint32_t seed = 1)
        : growth(lattice,
                 {.spacing = spacing_of_growth, .along_river = 0.5, .winding = winding, .seed = seed}) {
        growth.add_mouth(lattice.nearest(0, 900));
        growth.add_mouth(lattice.nearest(2000, 2400));
        double last = 0;
        growth.fill([&](double share) {
            EXPECT_GE(share, last);
            EXPECT_LE(share, 1 + 1e-9);
            last = share;
        });
        growth.count_areas();
    }
};

TEST(DrainageGrowth, AreasAddUpToTheLand) {
    const Grown grown(0.5);
    double area = 0, direct = 0;
    std::vector<double> from_above(grown.growth.points().size());
    for (const RiverPoint& point : grown.growth.points()) {
        if (point.down < 0)
            area += point.area;
        else
            from_above[size_t(point.down)] += point.area;
    }
    EXPECT_NEAR(area, 3000.0 * 2400, 1e-3);
    for (size_t i = 0; i < from_above.size(); i++) direct += grown.growth.points()[i].area - from_above[i];
    EXPECT_NEAR(direct, 3000.0 * 2400, 1e-3);
}

TEST(DrainageGrowth, NoPointOfTheLatticeIsFartherThanHalfTheSpacing) {
    for (double winding : {0.0, 1.0}) {
        const Grown grown(winding);
        for (size_t node = 0; node < grown.lattice.size(); node++) {
            double least = 1e9;
            for (const RiverPoint& point : grown.growth.points())
                least = std::min(least, distance(point.place, grown.lattice.place(node)));
            EXPECT_LE(least, spacing_of_growth / 2 + 1e-9);
        }
    }
}

TEST(DrainageGrowth, PointsStandBehindThoseTheyFlowToAndKnowTheirWay) {
    const Grown grown(0.7);
    const std::vector<RiverPoint>& points = grown.growth.points();
    for (size_t i = 0; i < points.size(); i++) {
        ASSERT_LT(points[i].down, int(i));
        if (points[i].down < 0) continue;
        const RiverPoint& down = points[size_t(points[i].down)];
        EXPECT_DOUBLE_EQ(points[i].to_mouth, down.to_mouth + distance(points[i].place, down.place));
    }
}

TEST(DrainageGrowth, RiversDoNotCross) {
    const Grown grown(1);
    const std::vector<RiverPoint>& points = grown.growth.points();
    auto side = [](const Place& a, const Place& b, const Place& c) {
        return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    };
    for (size_t i = 0; i < points.size(); i++) {
        if (points[i].down < 0) continue;
        const Place& a = points[i].place;
        const Place& b = points[size_t(points[i].down)].place;
        for (size_t j = 0; j < i; j++) {
            if (points[j].down < 0 || points[j].down == points[i].down) continue;
            const Place& c = points[j].place;
            const Place& d = points[size_t(points[j].down)].place;
            EXPECT_FALSE(side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0)
                << i << " " << j;
        }
    }
}

// Without chance in the land, the cosine of the angle in which a long tributary comes to a straight river is what a metre along
// the river costs.
TEST(DrainageGrowth, TributariesJoinInAnAngleThatPointsDownstream) {
    const RiverLattice lattice({0, 0, 4000, 4000}, 300, 4);
    for (double along : {0.2, 0.7}) {
        DrainageGrowth growth(lattice, {.spacing = 300, .along_river = along, .winding = 0});
        std::vector<RiverPoint> trunk(201);
        for (size_t i = 0; i < trunk.size(); i++) trunk[i].place = {2000, 20.0 * double(i)};
        growth.add_line(trunk, RiverPoint::leaves);
        growth.add_tributary(lattice.nearest(500, 1000));
        const RiverPoint& source = growth.points().back();
        double joins = 0;
        for (int at = int(growth.points().size()) - 1; at >= 0; at = growth.points()[size_t(at)].down)
            if (growth.points()[size_t(at)].given) {
                joins = growth.points()[size_t(at)].place.y;
                break;
            }
        const double angle = std::atan2(2000 - source.place.x, joins - source.place.y);
        EXPECT_NEAR(std::cos(angle), along, 0.2);
    }
}

TEST(DrainageGrowth, EarlyTributariesAreLongAndLaterOnesShort) {
    const Grown grown(0.5);
    const std::vector<RiverPoint>& points = grown.growth.points();
    // A tributary begins in the list where a point flows to one that is not the one before it.
    std::vector<double> lengths;
    double length = 0;
    for (size_t i = 2; i < points.size(); i++) {
        if (points[i].down != int(i) - 1) {
            if (length > 0) lengths.push_back(length);
            length = 0;
        }
        length += distance(points[i].place, points[size_t(points[i].down)].place);
    }
    ASSERT_GT(lengths.size(), 40u);
    auto mean = [&](size_t from, size_t to) {
        double sum = 0;
        for (size_t i = from; i < to; i++) sum += lengths[i];
        return sum / double(to - from);
    };
    EXPECT_GT(mean(0, 6), 5 * mean(lengths.size() / 2, lengths.size()));
}

TEST(DrainageGrowth, ClimbingIsAvoided) {
    const RiverLattice lattice({0, 0, 3000, 3000}, 300, 4);
    // A wall with a gap at the upper border, between the source and the only mouth.
    DrainageGrowth::Rules rules{.spacing = 300, .along_river = 0.5, .winding = 0};
    for (size_t node = 0; node < lattice.size(); node++) {
        const Place& place = lattice.place(node);
        rules.uphill.push_back(std::fabs(place.x - 1500) < 120 && place.y > 600 ? 1.0f : 0.0f);
    }
    rules.price_of_climbing = 1e5;
    DrainageGrowth growth(lattice, rules);
    growth.add_mouth(lattice.nearest(3000, 2500));
    growth.add_tributary(lattice.nearest(300, 2500));
    double highest = 3000;
    for (const RiverPoint& point : growth.points()) highest = std::min(highest, point.place.y);
    EXPECT_LT(highest, 700);
}

}  // namespace
}  // namespace caprock::test
