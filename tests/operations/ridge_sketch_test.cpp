// Ridges that are sketched, and the water that rolls down from them.
#include "operations/rivers/ridge_sketch.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(RidgeSketch, ParticlesOfAPairMoveApart) {
    const RiverLattice lattice({0, 0, 6000, 5000}, 250, 2);
    const RidgeSketch sketch(lattice, 5, 250, 7);
    ASSERT_EQ(sketch.ridges.size(), 5u);
    for (const std::vector<Place>& ridge : sketch.ridges) {
        ASSERT_GT(ridge.size(), 4u);
        // From end to end a ridge has gone far, and has not turned back.
        double length = 0;
        for (size_t i = 1; i < ridge.size(); i++) length += distance(ridge[i], ridge[i - 1]);
        EXPECT_GT(distance(ridge.front(), ridge.back()), 0.4 * length);
        for (const Place& place : ridge) {
            EXPECT_GE(place.x, 0);
            EXPECT_LE(place.y, 5000);
        }
    }
}

TEST(RidgeSketch, LandIsHighOnThem) {
    const RiverLattice lattice({0, 0, 6000, 5000}, 250, 2);
    const RidgeSketch sketch(lattice, 5, 250, 7);
    double on_ridges = 0, count = 0, all = 0;
    for (const std::vector<Place>& ridge : sketch.ridges)
        for (const Place& place : ridge) {
            on_ridges += sketch.at(lattice, place);
            count++;
        }
    for (float height : sketch.heights) all += double(height);
    EXPECT_GT(on_ridges / count, 1.4 * all / double(sketch.heights.size()));
}

TEST(RidgeSketch, WaterLeavesTheLandWithoutGoingInACircle) {
    const RiverLattice lattice({0, 0, 6000, 5000}, 250, 2);
    const RidgeSketch sketch(lattice, 5, 250, 7);
    DrainageGrowth growth(lattice, {.spacing = 250});
    Progress progress;
    roll_down(sketch, lattice, 3, growth, progress);
    ASSERT_GT(growth.points().size(), 100u);
    for (size_t i = 0; i < growth.points().size(); i++) {
        const RiverPoint& point = growth.points()[i];
        ASSERT_LT(point.down, int(i));
        if (point.down < 0) {
            EXPECT_TRUE(lattice.on_border(lattice.nearest(point.place.x, point.place.y)));
        }
    }
    Progress cancelled;
    cancelled.cancel();
    DrainageGrowth other(lattice, {.spacing = 250});
    EXPECT_THROW(roll_down(sketch, lattice, 3, other, cancelled), Cancelled);
}

}  // namespace
}  // namespace caprock::test
