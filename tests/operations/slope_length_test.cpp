#include "operations/repair/slope_length.h"

#include "base/mathematics.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Whole waves of height 1: the mean square is a half, that of their slopes half the square of their wave number.
TEST(SlopeLength, OfAWaveIsItsLengthByTwoPi) {
    for (double cells : {40.0, 80.0}) {
        Field wave =
            made_field({0, 0, 320, 300}, [&](int x, int) { return float(std::sin(2 * pi * x / cells)); });
        EXPECT_NEAR(slope_length(wave, -1), cells / (2 * pi), 0.01 * cells);
        Field down =
            made_field({0, 0, 300, 320}, [&](int, int y) { return float(std::sin(2 * pi * y / cells)); });
        EXPECT_NEAR(slope_length(down, -1), cells / (2 * pi), 0.01 * cells);
    }
}

TEST(SlopeLength, KnowsNoUnitOfHeight) {
    Field low = rough_terrain({70, 50}).height();
    Field high = made_field(low.rect(), [&](int x, int y) { return 8 * low.at(x, y) + 4096; });
    EXPECT_NEAR(slope_length(high, 4096), slope_length(low, 0), 1e-4);
}

TEST(SlopeLength, HolesCountAsTheirLength) {
    auto plane = [](int x, int y) { return 3 * float(x) + 4 * float(y); };
    Field whole = made_field({0, 0, 60, 60}, plane);
    Field holed = made_field({0, 0, 60, 60}, [&](int x, int y) {
        bool hole = (x + y) % 3 != 0 && x > 0 && y > 0;
        return hole ? missing : plane(x, y);
    });
    // Every slope of a plane is the same, so that only the spread of its heights can differ.
    double slopes = 3 * 3 + 4 * 4;
    EXPECT_NEAR(slope_length(whole, 0), std::sqrt(slopes * (60 * 60 - 1) / 12 / slopes), 1e-6);
    EXPECT_NEAR(slope_length(holed, 0), slope_length(whole, 0), 0.05 * slope_length(whole, 0));
}

TEST(SlopeLength, WithoutSlopesIsInfinite) {
    EXPECT_TRUE(std::isinf(slope_length(Field({0, 0, 9, 7}, 5.0f), 5)));
    Field two = made_field({0, 0, 9, 7}, [](int x, int y) {
        return x == 1 && y == 2 ? 3.0f : x == 6 && y == 5 ? 8.0f : missing;
    });
    EXPECT_TRUE(std::isinf(slope_length(two, 3)));
}

}  // namespace
}  // namespace caprock::test
