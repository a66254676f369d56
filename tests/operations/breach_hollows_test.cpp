// The operation; tests/hydrology/hollows_test.cpp is about the trenches.
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// A valley behind a dam of a cell's width, 20 m high; nearer than the valley's own end.
Terrain dammed() {
    return terrain_of("height", {40, 15}, 5, [](int x, int y) {
        return 200 - float(x) + 2.0f * float(std::abs(y - 7)) + (x == 25 ? 20.0f : 0.0f);
    });
}

int lowered(const Terrain& before, const Terrain& after) {
    int cells = 0;
    for (int y = 0; y < 15; y++)
        for (int x = 0; x < 40; x++) cells += after.height().at(x, y) < before.height().at(x, y);
    return cells;
}

TEST(BreachHollows, CutsTheDam) {
    const Terrain after = applied("breach-hollows", {}, dammed());
    EXPECT_EQ(lowered(dammed(), after), 1);
    EXPECT_LE(after.height().at(25, 7), 176);
    EXPECT_TRUE(identical(applied("fill-hollows", {}, after).height(), after.height()));
}

TEST(BreachHollows, FillsWhatIsTooDeepUnlessToldOtherwise) {
    const Terrain filled = applied("breach-hollows", {{"deepest", "10"}}, dammed());
    EXPECT_TRUE(identical(filled.height(), applied("fill-hollows", {}, dammed()).height()));
    const Terrain kept = applied("breach-hollows", {{"deepest", "10"}, {"fill", "false"}}, dammed());
    EXPECT_TRUE(identical(kept.height(), dammed().height()));
}

TEST(BreachHollows, TheWayOfTheValleyLeadsOverTheLowestRim) {
    const Terrain after = applied("breach-hollows", {{"way", "valley"}}, dammed());
    EXPECT_TRUE(identical(applied("fill-hollows", {}, after).height(), after.height()));
    EXPECT_GE(lowered(dammed(), after), 1);
}

}  // namespace
}  // namespace caprock::test
