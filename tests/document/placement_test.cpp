#include "document/placement.h"

#include "support/fields.h"
#include "support/terrains.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Smooth ground, by a formula: any place of it is known.
double ground(double x, double y) { return 50 * std::sin(x * 0.013) * std::cos(y * 0.011) + 0.05 * x; }

Field sampled_ground(const Rect& rect, double cell) {
    return made_field(rect, [&](int x, int y) { return float(ground(x * cell, y * cell)); });
}

TEST(Placement, MovesByWholeCellsChangeNoBit) {
    Field source = made_field({0, 0, 100, 80}, [](int x, int y) { return scattered(x, y, 3); });
    CellMap map = map_of({.move_x = 40, .move_y = -24}, 4, 4, 0, 0);
    EXPECT_TRUE(map.whole_move());
    Field result = placed(source, map, {0, 0, 100, 80});
    for (int y = 0; y < 74; y++)
        for (int x = 10; x < 100; x++) ASSERT_EQ(result.at(x, y), source.at(x - 10, y + 6));
    EXPECT_TRUE(is_missing(result.at(3, 3)));
    EXPECT_TRUE(is_missing(result.at(50, 79)));
}

TEST(Placement, QuarterTurnsChangeNoBit) {
    Field source = made_field({0, 0, 101, 101}, [](int x, int y) { return scattered(x, y, 3); });
    // Clockwise: what was north comes to lie in the east.
    CellMap map = map_of({.rotate = 90, .pivot_x = 50, .pivot_y = 50}, 1, 1, 0, 0);
    Field result = placed(source, map, {0, 0, 101, 101});
    EXPECT_EQ(result.at(100, 50), source.at(50, 0));
    for (int y = 0; y < 101; y++)
        for (int x = 0; x < 101; x++) ASSERT_EQ(result.at(100 - y, x), source.at(x, y));
}

TEST(Placement, TurnsMovesAndScalesAsAFormulaDoes) {
    Field source = sampled_ground({-200, -200, 700, 700}, 2);
    Placement placement{
        .move_x = 31.3, .move_y = -17.9, .rotate = 27, .scale = 1.7, .pivot_x = 400, .pivot_y = 300};
    Rect region{100, 100, 260, 220};
    Field result = placed(source, map_of(placement, 2.5, 2, 0, 0), region);
    double turn = 27 * 3.14159265358979 / 180;
    for (int y = region.top; y < region.bottom; y += 7)
        for (int x = region.left; x < region.right; x += 7) {
            double dx = (x * 2.5 - 400 - 31.3) / 1.7;
            double dy = (y * 2.5 - 300 + 17.9) / 1.7;
            double from_x = std::cos(turn) * dx + std::sin(turn) * dy + 400;
            double from_y = -std::sin(turn) * dx + std::cos(turn) * dy + 300;
            ASSERT_NEAR(result.at(x, y), ground(from_x, from_y), 2e-4) << x << "," << y;
        }
}

TEST(Placement, ASourceIsSampledOnceHoweverItIsPlaced) {
    // Another resolution and a turn at once lose no more than one sampling does; one after the other would lose twice.
    auto wave = [](double x, double) { return std::sin(x * 1.2); };
    Field source = made_field({0, 0, 400, 400}, [&](int x, int y) { return float(wave(x, y)); });
    Field once = placed(source, map_of({.move_x = 0.5}, 1, 1, 0, 0), {50, 50, 300, 300});
    Field twice = placed(placed(source, map_of({.move_x = 0.25}, 1, 1, 0, 0), {0, 0, 400, 400}),
                         map_of({.move_x = 0.25}, 1, 1, 0, 0), {50, 50, 300, 300});
    double worst_once = 0;
    double worst_twice = 0;
    for (int x = 60; x < 290; x++) {
        worst_once = std::max(worst_once, std::abs(once.at(x, 100) - wave(x - 0.5, 0)));
        worst_twice = std::max(worst_twice, std::abs(twice.at(x, 100) - wave(x - 0.5, 0)));
    }
    EXPECT_LT(worst_once, worst_twice * 0.95);
}

TEST(Placement, MissingCellsStayHolesOfTheirSize) {
    Field source = sampled_ground({0, 0, 100, 100}, 1);
    source.set(50, 50, missing);
    Field result = placed(source, map_of({.move_x = 0.3, .move_y = 0.3}, 1, 1, 0, 0), {0, 0, 100, 100});
    int holes = 0;
    for (int y = 40; y < 60; y++)
        for (int x = 40; x < 60; x++) {
            if (is_missing(result.at(x, y))) {
                holes++;
            } else {
                ASSERT_NEAR(result.at(x, y), ground(x - 0.3, y - 0.3), 0.5);
            }
        }
    EXPECT_EQ(holes, 1);
}

TEST(Placement, IndicesAreNeverMixed) {
    Field source = made_field({0, 0, 60, 60}, [](int x, int y) { return float((x / 7 + y / 5) % 4); });
    Field result =
        placed(source, map_of({.rotate = 33, .scale = 1.3, .pivot_x = 30, .pivot_y = 30}, 1, 1, 0, 0),
               {10, 10, 50, 50}, quantity_of("material"));
    for (int y = 10; y < 50; y++)
        for (int x = 10; x < 50; x++) ASSERT_EQ(result.at(x, y), std::floor(result.at(x, y)));
}

// A curve through 1, 1, 0, 0 goes beyond both: rock would be harder than what never erodes.
TEST(Placement, NothingGoesBeyondTheLimits) {
    Field shares = made_field({0, 0, 60, 60}, [](int x, int y) { return float((x / 7 + y / 5) % 2); });
    CellMap map = map_of({.rotate = 33, .scale = 1.3, .pivot_x = 30, .pivot_y = 30}, 1, 1, 0, 0);
    Rect region{10, 10, 50, 50};
    auto values = [&](const Field& source, const Quantity& quantity) {
        return statistics(placed(source, map, region, quantity));
    };
    EXPECT_LT(values(shares, ground_quantity()).low, 0);
    EXPECT_GT(values(shares, ground_quantity()).high, 1);
    for (const char* field : {"hardness", "mask"}) {
        EXPECT_EQ(values(shares, quantity_of(field)).low, 0) << field;
        EXPECT_EQ(values(shares, quantity_of(field)).high, 1) << field;
    }
    EXPECT_EQ(values(shares, quantity_of("water")).low, 0);
    EXPECT_GT(values(shares, quantity_of("water")).high, 1);
    // Amounts to be added may be what no value is: they are not cut off.
    Field amounts =
        made_field({0, 0, 60, 60}, [](int x, int y) { return 3 * float((x / 7 + y / 5) % 2) - 1; });
    EXPECT_LE(values(amounts, quantity_of("hardness")).low, -1);
    EXPECT_GE(values(amounts, quantity_of("hardness")).high, 2);
}

TEST(Placement, ATileEqualsTheWhole) {
    Field source = made_field({-30, -30, 300, 300}, [](int x, int y) {
        return scattered(x, y, 8) < 0.02f ? missing : 100 * scattered(x, y, 4);
    });
    CellMap map =
        map_of({.move_x = 11, .rotate = 140, .scale = 0.7, .pivot_x = 100, .pivot_y = 90}, 1.3, 1, 0, 0);
    Rect all{0, 0, 200, 150};
    Field whole = placed(source, map, all);
    for (const Rect& part : {Rect{0, 0, 1, 1}, Rect{37, 20, 101, 90}, Rect{199, 149, 200, 150}}) {
        Rect needed = map.source_region(part).intersected(source.rect());
        EXPECT_TRUE(identical(placed(source.cropped(needed), map, part), whole.cropped(part)));
    }
}

TEST(Placement, HalvingKeepsHoldsMeansAndThinningKeepsCells) {
    Field source = sampled_ground({0, 0, 200, 200}, 1);
    Field thin = thinned(source, {0, 0, 100, 100});
    Field half = halved(source, {0, 0, 100, 100});
    for (int i = 1; i < 99; i++) {
        EXPECT_EQ(thin.at(i, i), source.at(2 * i, 2 * i));
        EXPECT_NEAR(half.at(i, i), ground(2 * i, 2 * i), 0.02);
    }
}

}  // namespace
}  // namespace caprock::test
