#include "operations/erosion/volumes.h"

#include "support/fields.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

const Grid small_grid{Rect::of({4, 3}), 2, {0, 10}};

TEST(Volumes, AreDepthTimesArea) {
    Field depth(small_grid.extent, 1.5f);
    EXPECT_EQ(Volumes(small_grid).of(depth), 4 * 3 * 1.5 * 4);
    depth.set(1, 1, missing);
    EXPECT_EQ(Volumes(small_grid).of(depth), 11 * 1.5 * 4) << "a missing cell holds nothing";
}

TEST(Volumes, LoweredIsWhatWentFromWhereItWas) {
    Field before(small_grid.extent, 5.0f);
    Field after = before;
    after.set(0, 0, 3);
    after.set(3, 2, 7);
    after.set(2, 1, 4.5f);
    EXPECT_EQ(Volumes(small_grid).lowered(before, after), 2.5 * 4);
    EXPECT_EQ(Volumes(small_grid).lowered(before, before), 0);
}

}  // namespace
}  // namespace caprock::test
