// The operation; tests/hydrology/hollows_test.cpp is about what is filled.
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain bowl(bool hole) {
    return terrain_of("height", {21, 21}, 2, [hole](int x, int y) {
        if (hole && x == 10 && y == 10) return missing;
        // A notch in the east, from which water runs off.
        if (x > 15 && y == 10) return 46.0f - float(x);
        return float((x - 10) * (x - 10) + (y - 10) * (y - 10));
    });
}

TEST(FillHollows, ABowlIsLevelUpToItsRim) {
    const Field filled = applied("fill-hollows", {}, bowl(false)).height();
    const Field before = bowl(false).height();
    for (int y = 0; y < 21; y++)
        for (int x = 0; x < 16; x++) EXPECT_EQ(filled.at(x, y), std::max(before.at(x, y), 30.0f));
    const Field sloped = applied("fill-hollows", {{"slope", "0.01"}}, bowl(false)).height();
    // Two metres a cell, from the rim in the east.
    for (int x = 15; x > 10; x--) EXPECT_NEAR(sloped.at(x, 10), 30 + 0.02f * float(16 - x), 1e-4) << x;
}

TEST(FillHollows, WallsHoldWaterThatWouldLeaveAtAMissingCell) {
    EXPECT_TRUE(identical(applied("fill-hollows", {}, bowl(true)).height(), bowl(true).height()));
    const Field filled = applied("fill-hollows", {{"walls", "true"}}, bowl(true)).height();
    EXPECT_TRUE(is_missing(filled.at(10, 10)));
    EXPECT_EQ(filled.at(11, 10), 30);
}

}  // namespace
}  // namespace caprock::test
