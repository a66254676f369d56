#include "base/rect.h"

#include <gtest/gtest.h>

namespace caprock {
namespace {

TEST(Rect, CountsCellsOfTheLargestGridIn64Bits) {
    constexpr int64_t all = 4294967296;
    EXPECT_EQ((Size{65536, 65536}.cells()), all);
    EXPECT_EQ(Rect::of({65536, 65536}).cells(), all);
    EXPECT_EQ((Rect{-32768, -32768, 32768, 32768}.cells()), all);
}

TEST(Rect, KnowsWhenItIsEmpty) {
    EXPECT_TRUE(Rect().empty());
    EXPECT_TRUE((Rect{3, 0, 3, 5}.empty()));
    EXPECT_TRUE((Rect{4, 0, 3, 5}.empty()));
    EXPECT_FALSE((Rect{-1, -1, 0, 0}.empty()));
    // Both sides negative would multiply to a positive count.
    EXPECT_EQ((Rect{4, 4, 1, 1}.cells()), 0);
}

TEST(Rect, IsHalfOpen) {
    Rect rect{-2, 3, 1, 5};
    EXPECT_EQ(rect.width(), 3);
    EXPECT_EQ(rect.height(), 2);
    EXPECT_TRUE(rect.contains(-2, 3));
    EXPECT_TRUE(rect.contains(0, 4));
    EXPECT_FALSE(rect.contains(1, 4));
    EXPECT_FALSE(rect.contains(0, 5));
    EXPECT_TRUE(rect.contains(rect));
    EXPECT_FALSE(rect.contains(rect.expanded(1)));
    EXPECT_TRUE(rect.expanded(1).contains(rect));
}

TEST(Rect, ExpandsOnEverySide) {
    EXPECT_EQ((Rect{0, 0, 4, 2}.expanded(3)), (Rect{-3, -3, 7, 5}));
    EXPECT_EQ((Rect{0, 0, 4, 2}.expanded(3).expanded(-3)), (Rect{0, 0, 4, 2}));
}

TEST(Rect, Intersects) {
    Rect rect{0, 0, 10, 10};
    EXPECT_EQ(rect.intersected({-5, 4, 5, 20}), (Rect{0, 4, 5, 10}));
    EXPECT_EQ(rect.intersected(rect), rect);
    // Apart, touching, and apart one way only: nothing, and a size of zero both ways.
    for (const Rect& other : {Rect{20, 20, 30, 30}, Rect{10, 0, 20, 10}, Rect{2, 15, 8, 30}}) {
        Rect common = rect.intersected(other);
        EXPECT_TRUE(common.empty());
        EXPECT_EQ(common.size(), Size{});
        EXPECT_EQ(other.intersected(rect).cells(), 0);
    }
}

TEST(Rect, HalvesWorkedByHand) {
    EXPECT_EQ((Rect{0, 0, 8, 6}.halved()), (Rect{0, 0, 4, 3}));
    EXPECT_EQ((Rect{1, 1, 2, 2}.halved()), (Rect{0, 0, 1, 1}));
    EXPECT_EQ((Rect{1, 2, 8, 7}.halved()), (Rect{0, 1, 4, 4}));
    EXPECT_EQ((Rect{-1, -2, 0, 0}.halved()), (Rect{-1, -1, 0, 0}));
    EXPECT_EQ((Rect{-3, -5, 1, 2}.halved()), (Rect{-2, -3, 1, 1}));
}

TEST(Rect, HalvedHoldsExactlyTheCoarseCellsOfItsCells) {
    auto down = [](int x) { return x >= 0 ? x / 2 : -((1 - x) / 2); };
    for (int left = -5; left <= 5; left++) {
        for (int right = left + 1; right <= left + 6; right++) {
            Rect half = Rect{left, left, right, right}.halved();
            EXPECT_EQ(half.left, down(left)) << left << ".." << right;
            EXPECT_EQ(half.right, down(right - 1) + 1) << left << ".." << right;
            EXPECT_EQ(half.top, half.left);
            EXPECT_EQ(half.bottom, half.right);
        }
    }
}

TEST(Rect, EveryOtherHoldsTheCellsThatLieAtCoarseOnes) {
    for (int left = -5; left <= 5; left++)
        for (int right = left; right <= left + 6; right++) {
            const Rect coarse = Rect{left, -3, right, 4}.every_other();
            for (int x = -8; x <= 8; x++)
                EXPECT_EQ(coarse.contains(x, 0), 2 * x >= left && 2 * x < right)
                    << x << " of " << left << ".." << right;
            EXPECT_EQ(coarse.top, -1);
            EXPECT_EQ(coarse.bottom, 2);
        }
}

TEST(Rect, HalfOfNothingIsNothing) {
    for (int at = -3; at <= 3; at++) EXPECT_TRUE((Rect{at, at, at, at}.halved().empty())) << at;
    EXPECT_TRUE((Rect{1, 0, 1, 9}.halved().empty()));
}

}  // namespace
}  // namespace caprock
