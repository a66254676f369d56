// Growing and shrinking against looking at every cell of every disc.
#include "support/masks.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

float by_looking(const Field& mask, int x, int y, double cells, bool grow) {
    const Field::Rows rows = mask.rows();
    int reach = int(cells);
    float best = rows[y][x];
    if (is_missing(best)) return best;
    for (int v = y - reach; v <= y + reach; v++)
        for (int u = x - reach; u <= x + reach; u++) {
            if (!mask.rect().contains(u, v)) continue;
            if ((u - x) * (u - x) + (v - y) * (v - y) > cells * cells) continue;
            float there = rows[v][u];
            if (is_missing(there)) continue;
            best = grow ? std::max(best, there) : std::min(best, there);
        }
    return best;
}

TEST(MaskGrow, IsTheMostOrTheLeastOfADisc) {
    for (bool holes : {false, true}) {
        Terrain terrain = terrain_of("mask", {53, 37}, 2, [&](int x, int y) { return patchy(x, y, holes); });
        const Field& before = terrain.field("mask");
        // Every number of cells up to nine, with parts of cells, and some that see far over the borders.
        for (double cells :
             {0.0, 0.9, 1.0, 1.5, 2.0, 2.3, 3.0, 4.0, 4.9, 5.0, 6.0, 7.0, 8.0, 9.0, 16.0, 17.5, 31.0, 70.0})
            for (double sign : {1.0, -1.0}) {
                Field after = mask_by("mask-grow", {{"radius", std::to_string(2 * cells * sign)}}, terrain);
                for (int y = 0; y < 37; y++)
                    for (int x = 0; x < 53; x++) {
                        float expected = by_looking(before, x, y, cells, sign > 0);
                        float found = after.at(x, y);
                        ASSERT_TRUE(expected == found || (is_missing(expected) && is_missing(found)))
                            << "radius " << sign * cells << " at " << x << "," << y << ": " << found
                            << ", not " << expected;
                    }
            }
    }
}

TEST(MaskGrow, APointBecomesADisc) {
    Terrain terrain =
        terrain_of("mask", {401, 401}, 5, [](int x, int y) { return x == 200 && y == 200 ? 1.0f : 0.0f; });
    Field mask = mask_by("mask-grow", {{"radius", "750"}}, terrain);
    FieldStatistics all = statistics(mask);
    EXPECT_NEAR(all.mean * double(all.cells), 3.14159265 * 150 * 150, 150);
    EXPECT_EQ(mask.at(350, 200), 1);
    EXPECT_EQ(mask.at(351, 200), 0);
    EXPECT_EQ(mask.at(200 + 106, 200 + 106), 1);
    EXPECT_EQ(mask.at(200 + 107, 200 + 107), 0);
}

TEST(MaskGrow, AtAnotherResolutionItGrowsAsFar) {
    for (double cell : {10.0, 5.0, 2.0}) {
        int side = int(400 / cell);
        Terrain terrain =
            terrain_of("mask", {side, 5}, cell, [&](int x, int) { return x * cell <= 100 ? 1.0f : 0.0f; });
        Field mask = mask_by("mask-grow", {{"radius", "100"}}, terrain);
        EXPECT_EQ(mask.at(int(200 / cell), 2), 1);
        EXPECT_EQ(mask.at(int(200 / cell) + 1, 2), 0);
    }
}

TEST(MaskGrow, ATileEqualsTheWholeForEveryRadius) {
    Terrain input = terrain_of("mask", {163, 119}, 1, [](int x, int y) { return patchy(x, y, true); });
    RunContext context = on(make_cpu_device(supported_cpu_levels().back(), 1));
    for (const char* radius : {"1", "3.7", "-9", "20", "-47", "64"}) {
        auto operation = made_operation("mask-grow", {{"radius", radius}});
        Terrain whole = run(*operation, input, context);
        for (const Rect& region : {Rect{0, 0, 1, 1}, Rect{80, 50, 87, 61}, Rect{155, 110, 163, 119}}) {
            Terrain part = evaluate(*operation, input, region, context);
            EXPECT_TRUE(identical(part.field("mask"), whole.field("mask").cropped(region))) << radius;
        }
    }
}

}  // namespace
}  // namespace caprock::test
