// The levels of a terrain: means that can be checked by hand, and updates that equal making everything anew.
#include "view/map_pyramid.h"

#include "base/error.h"
#include "view/pictures.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

float stepped_hills(int x, int y) {
    return 300 + 120 * std::sin(float(x) * 0.21f) * std::cos(float(y) * 0.13f) + float((x * 7 + y * 13) % 11);
}

TEST(MapPyramid, CellsAreMeansOfWhatIsKnown) {
    // Two by two blocks: all known, one missing, two missing, three missing, an infinite one.
    const float infinite = std::numeric_limits<float>::infinity();
    Terrain terrain = made_terrain({10, 2}, [&](int x, int y) -> float {
        int known = std::array{4, 3, 2, 1, 3}[size_t(x / 2)];
        int number = x % 2 + 2 * y;
        if (number < known) return float(10 * (number + 1));
        return x / 2 == 4 ? infinite : missing;
    });
    MapPyramid pyramid(terrain);
    const Field& half = pyramid.level("height", 1);
    EXPECT_EQ(half.rect(), (Rect{0, 0, 5, 1}));
    EXPECT_FLOAT_EQ(half.at(0, 0), 25);
    EXPECT_FLOAT_EQ(half.at(1, 0), 20);
    EXPECT_FLOAT_EQ(half.at(2, 0), 15);
    EXPECT_TRUE(is_missing(half.at(3, 0)));
    EXPECT_FLOAT_EQ(half.at(4, 0), 20);
}

TEST(MapPyramid, OddSizesEndWithPartsOfCells) {
    MapPyramid pyramid(made_terrain({5, 3}, [](int x, int y) { return float(x + 10 * y); }));
    const Field& half = pyramid.level("height", 1);
    EXPECT_EQ(half.rect(), (Rect{0, 0, 3, 2}));
    EXPECT_FLOAT_EQ(half.at(2, 0), 9);   // of (4, 0) and (4, 1)
    EXPECT_FLOAT_EQ(half.at(2, 1), 24);  // of (4, 2) alone
    EXPECT_EQ(pyramid.levels(), 4);
    EXPECT_EQ(pyramid.level("height", 3).rect(), (Rect{0, 0, 1, 1}));
}

TEST(MapPyramid, AnUpdateEqualsMakingItAnew) {
    Terrain before = made_terrain({203, 150}, stepped_hills);
    MapPyramid pyramid(before);
    for (int i = 0; i < pyramid.levels(); i++) pyramid.level("height", i);
    Rect changed{37, 41, 90, 77};
    Terrain after = before;
    Field field = before.height().copied();
    for (int y = changed.top; y < changed.bottom; y++)
        for (int x = changed.left; x < changed.right; x++)
            field.set(x, y, x % 9 == 0 ? missing : float(x * y));
    after.set("height", field);
    pyramid.update(after, changed);
    MapPyramid anew(after);
    for (int i = 0; i < anew.levels(); i++)
        EXPECT_TRUE(identical(pyramid.level("height", i), anew.level("height", i))) << i;
    EXPECT_EQ(pyramid.terrain().height().at(40, 50), 2000);
}

TEST(MapPyramid, WhatWasMeasuredStaysUntilAllHasChanged) {
    Terrain before = made_terrain({64, 64}, stepped_hills);
    MapPyramid pyramid(before);
    Interval values = pyramid.extent("height").values;
    Terrain after = made_terrain({64, 64}, [](int x, int y) { return stepped_hills(x, y) * 3; });
    pyramid.update(after, {0, 0, 64, 63});
    EXPECT_EQ(pyramid.extent("height").values, values);
    pyramid.update(after, {0, 0, 64, 64});
    EXPECT_FLOAT_EQ(float(pyramid.extent("height").values.high), 3 * float(values.high));
}

TEST(MapPyramid, AFieldThatWentIsGone) {
    Terrain terrain = made_terrain({32, 32}, stepped_hills);
    terrain.set("hardness", Field(terrain.rect(), 0.5f));
    MapPyramid pyramid(terrain);
    pyramid.level("hardness", 2);
    terrain.remove("hardness");
    pyramid.update(terrain, {0, 0, 4, 4});
    EXPECT_THROW(pyramid.level("hardness", 2), Error);
}

TEST(MapPyramid, OnePixelForACellIsTheCellItself) {
    Terrain terrain = made_terrain({40, 30}, stepped_hills);
    MapPyramid pyramid(terrain);
    Surface surface = pyramid.sampled("height", fitted(terrain.rect(), terrain.grid(), {40, 30}), {40, 30});
    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 40; x++) ASSERT_EQ(surface.row(y)[x], stepped_hills(x, y)) << x << ' ' << y;
    EXPECT_TRUE(is_missing(surface.row(-1)[3]));
    EXPECT_TRUE(is_missing(surface.row(3)[40]));
}

TEST(MapPyramid, ASlopeIsASlopeAtEveryScale) {
    Terrain terrain = made_terrain({256, 256}, [](int x, int y) { return float(2 * x) - float(y); });
    MapPyramid pyramid(terrain);
    Size picture{60, 60};
    for (double cells_per_pixel : {0.13, 0.5, 0.9, 1.0, 1.37, 2.0, 3.1, 4.0}) {
        MapView view{{1024, 1024}, 8 * cells_per_pixel};
        for (double coarser : {1.0, 6.0}) {
            Surface surface = pyramid.sampled("height", view, picture, MapSampling::smooth, coarser);
            // Far from the border, where a mean has cells on both sides.
            for (int y = 15; y < 45; y += 7) {
                for (int x = 15; x < 45; x += 7) {
                    WorldPoint point = point_at(view, picture, {x + 0.5, y + 0.5});
                    double expected = 2 * point.x / 8 - point.y / 8;
                    ASSERT_NEAR(surface.row(y)[x], expected, 2e-3) << cells_per_pixel << ' ' << coarser;
                }
            }
        }
    }
}

TEST(MapPyramid, MissingCellsStayMissingAtEveryScale) {
    Terrain terrain =
        made_terrain({128, 128}, [](int x, int y) { return x >= 64 && y >= 64 ? missing : 5.0f; });
    MapPyramid pyramid(terrain);
    Size picture{64, 64};
    for (double cells_per_pixel : {0.3, 1.0, 1.5, 2.0}) {
        MapView view{{508, 508}, 8 * cells_per_pixel};
        Surface surface = pyramid.sampled("height", view, picture);
        for (int y = 2; y < 62; y++)
            for (int x = 2; x < 62; x++) {
                if (std::abs(x - 32) < 2 || std::abs(y - 32) < 2) continue;
                WorldPoint point = point_at(view, picture, {x + 0.5, y + 0.5});
                // Cells go half a cell around their samples.
                bool outside = std::max(point.x, point.y) > 1020 || std::min(point.x, point.y) < -4;
                bool hole = point.x > 508 && point.y > 508;
                ASSERT_EQ(is_missing(surface.row(y)[x]), hole || outside)
                    << cells_per_pixel << ' ' << x << ' ' << y;
            }
    }
}

TEST(MapPyramid, PickedCellsAreNotMixed) {
    Terrain terrain = made_terrain({64, 64}, [](int x, int y) { return float((x * 31 + y * 17) % 5); });
    MapPyramid pyramid(terrain);
    Surface surface = pyramid.sampled("height", {{256, 256}, 29.3}, {20, 20}, MapSampling::picked);
    int known = 0;
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 20; x++) {
            float value = surface.row(y)[x];
            if (is_missing(value)) continue;
            known++;
            EXPECT_EQ(value, std::floor(value));
        }
    EXPECT_GT(known, 200);
}

TEST(MapPyramid, ATypicalSlopeIsTheSlope) {
    MapPyramid pyramid(made_terrain({200, 200}, [](int x, int y) { return float(3 * x + 4 * y); }));
    // Five metres for a cell of eight.
    for (double metres_per_pixel : {3.0, 8.0, 16.0, 23.0})
        EXPECT_NEAR(pyramid.measures({{800, 800}, metres_per_pixel}, 4).slope, 5.0 / 8, 1e-3);
    EXPECT_EQ(
        MapPyramid(made_terrain({20, 20}, [](int, int) { return 7.0f; })).measures({{0, 0}, 8}, 4).slope, 0);
}

// ---- cells that are not in memory ------------------------------------------------------------------------

// In pieces of so many rows.
CellRows in_pieces(const Field& field, int rows) {
    CellRows cells = rows_of(field);
    cells.rows_together = rows;
    return cells;
}

TEST(MapPyramid, OfWhatIsReadInPiecesHasTheSameLevels) {
    for (const Rect& rect : {Rect{0, 0, 203, 150}, Rect{-31, -17, 172, 133}}) {
        Grid grid;
        grid.extent = rect;
        Field heights = made_field(
            rect, [](int x, int y) { return (x * 5 + y * 3) % 17 == 0 ? missing : stepped_hills(x, y); });
        Terrain whole(grid);
        whole.set("height", heights);
        MapPyramid in_memory(whole);
        for (int rows : {1, 16, 50, 64, 400})
            for (int first = 0; first < in_memory.levels(); first++) {
                MapPyramid read(Terrain(grid), {{"height", in_pieces(heights, rows)}});
                for (int level = first; level < in_memory.levels(); level++)
                    EXPECT_TRUE(identical(read.level("height", level), in_memory.level("height", level)))
                        << rows << " rows, level " << level;
                EXPECT_EQ(read.extent("height").values, in_memory.extent("height").values);
                EXPECT_EQ(read.extent("height").usual, in_memory.extent("height").usual);
                EXPECT_EQ(read.extent("height").within, in_memory.extent("height").within);
            }
    }
}

TEST(MapPyramid, OfWhatIsReadInPiecesPicksTheSameCells) {
    Terrain terrain = made_terrain({203, 150}, stepped_hills);
    MapPyramid in_memory(terrain);
    MapPyramid read(Terrain(terrain.grid()), {{"height", in_pieces(terrain.height(), 37)}});
    const Size size{61, 47};
    const MapView view = fitted(terrain.rect(), terrain.grid(), size);
    const Surface expected = in_memory.sampled("height", view, size, MapSampling::picked);
    const Surface made = read.sampled("height", view, size, MapSampling::picked);
    for (int y = -1; y <= size.height; y++)
        for (int x = -1; x <= size.width; x++) {
            const float a = made.row(y)[x], b = expected.row(y)[x];
            EXPECT_TRUE(a == b || (is_missing(a) && is_missing(b))) << x << ' ' << y;
        }
    EXPECT_THROW(read.level("water", 0), Error);
}

}  // namespace
}  // namespace caprock::test
