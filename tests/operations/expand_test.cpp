#include "base/error.h"
#include "support/devices.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

Terrain expanded(const Terrain& input, const Parameters& parameters) {
    return applied("expand", parameters, input);
}

TEST(Expand, SpreadsPointsAndLeavesGaps) {
    for (int power : {1, 2, 4})
        for (Size size : {Size{13, 9}, Size{1, 7}, Size{6, 1}, Size{1, 1}}) {
            Terrain input = rough_terrain(size, Holes::some);
            Terrain result = expanded(input, {{"power", std::to_string(power)}});
            int factor = 1 << power;
            ASSERT_EQ(result.rect(),
                      Rect::of({(size.width - 1) * factor + 1, (size.height - 1) * factor + 1}));
            for (const char* name : {"height", "hardness"}) {
                Field expected = made_field(result.rect(), [&](int x, int y) {
                    bool point = x % factor == 0 && y % factor == 0;
                    return point ? input.field(name).at(x / factor, y / factor) : missing;
                });
                EXPECT_TRUE(identical(result.field(name), expected)) << name << " by " << factor;
            }
        }
}

TEST(Expand, CoversMoreLandOrHasFinerCells) {
    Terrain input = rough_terrain({20, 10});
    Terrain larger = expanded(input, {{"power", "3"}});
    EXPECT_EQ(larger.grid().cell, 4);
    EXPECT_EQ(larger.grid().range.high, 300);
    Terrain finer = expanded(input, {{"power", "3"}, {"keep-area", "true"}});
    EXPECT_EQ(finer.grid().cell, 0.5);
    EXPECT_TRUE(identical(finer.height(), larger.height()));
}

TEST(Expand, FinerCellsStayWhereTheyAreOnEarth) {
    Terrain input = rough_terrain({20, 10});
    Georeference georeference{"somewhere", {500000, 30, 2, 4000000, 3, -30}, "metre"};
    input.set_georeference(georeference);
    EXPECT_EQ(*expanded(input, {}).georeference(), georeference) << "cells keep their size";
    Terrain finer = expanded(input, {{"power", "2"}, {"keep-area", "true"}});
    auto middle = [](const Georeference& g, int x, int y) {
        const auto& t = g.transform;
        return std::pair(t[0] + (x + 0.5) * t[1] + (y + 0.5) * t[2],
                         t[3] + (x + 0.5) * t[4] + (y + 0.5) * t[5]);
    };
    EXPECT_EQ(finer.georeference()->projection, "somewhere");
    for (int x : {0, 7, 19})
        for (int y : {0, 3, 9}) {
            auto before = middle(georeference, x, y);
            auto after = middle(*finer.georeference(), 4 * x, 4 * y);
            EXPECT_NEAR(after.first, before.first, 1e-8);
            EXPECT_NEAR(after.second, before.second, 1e-8);
        }
}

TEST(Expand, RefusesWhatWouldBeTooLarge) {
    Grid grid{Rect::of({2000, 100}), 4, {0, 300}};
    EXPECT_NO_THROW(made_operation("expand", {{"power", "5"}})->check(grid));
    try {
        made_operation("expand", {{"power", "6"}})->check(grid);
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "power 6: 2000x100 cells would become 127937x6337, more than 65536 a side");
    }
}

}  // namespace
}  // namespace caprock::test
