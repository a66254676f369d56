// Panning, zooming, fitting: what stays where.
#include "view/map_view.h"

#include "support/grids.h"

#include <gtest/gtest.h>

namespace caprock::test {
namespace {

constexpr Size picture{800, 600};

void expect_near(const WorldPoint& a, const WorldPoint& b) {
    EXPECT_NEAR(a.x, b.x, 1e-6);
    EXPECT_NEAR(a.y, b.y, 1e-6);
}

TEST(MapView, PixelsAndMetres) {
    MapView view{{1000, 500}, 4};
    expect_near(point_at(view, picture, {400, 300}), {1000, 500});
    expect_near(point_at(view, picture, {0, 0}), {-600, -700});
    expect_near(point_at(view, picture, {800, 600}), {2600, 1700});
    for (const PixelPoint& pixel : {PixelPoint{0, 0}, PixelPoint{13.5, 599}, PixelPoint{-40, 1000}}) {
        PixelPoint back = pixel_at(view, picture, point_at(view, picture, pixel));
        EXPECT_NEAR(back.x, pixel.x, 1e-9);
        EXPECT_NEAR(back.y, pixel.y, 1e-9);
    }
}

TEST(MapView, TheLandMovesWithThePointer) {
    MapView view{{1000, 500}, 4};
    WorldPoint held = point_at(view, picture, {100, 200});
    MapView moved = panned(view, 37, -12);
    expect_near(point_at(moved, picture, {137, 188}), held);
    EXPECT_EQ(moved.metres_per_pixel, 4);
}

TEST(MapView, WhatIsUnderTheCursorStaysThere) {
    Grid grid;
    MapView view{{1000, 500}, 4};
    for (double times : {0.3, 0.9, 1.1, 2.0, 17.0}) {
        PixelPoint cursor{123, 456};
        MapView now = zoomed(view, picture, cursor, times, grid);
        EXPECT_DOUBLE_EQ(now.metres_per_pixel, 4 / times);
        expect_near(point_at(now, picture, cursor), point_at(view, picture, cursor));
        MapView back = zoomed(now, picture, cursor, 1 / times, grid);
        expect_near(back.centre, view.centre);
    }
}

TEST(MapView, ZoomingEnds) {
    Grid grid;
    grid.cell = 8;
    MapView view{{0, 0}, 4};
    EXPECT_EQ(zoomed(view, picture, {1, 2}, 1e12, grid).metres_per_pixel, 0.008);
    EXPECT_EQ(zoomed(view, picture, {1, 2}, 1e-12, grid).metres_per_pixel, 8 * 65536.0);
    EXPECT_EQ(zoomed(view, picture, {1, 2}, 0, grid), view);
    EXPECT_EQ(zoomed(view, picture, {1, 2}, -3, grid), view);
    // At its end the cursor's land stays too.
    expect_near(point_at(zoomed(view, picture, {700, 20}, 1e12, grid), picture, {700, 20}),
                point_at(view, picture, {700, 20}));
}

TEST(MapView, AllOfTheTerrainFits) {
    for (const Rect& cells : {Rect{0, 0, 100, 100}, Rect{-50, 20, 950, 40}, Rect{7, 7, 8, 900}}) {
        MapView view = fitted(cells, grid_of(5), picture, 10);
        // With the half cell around the outermost samples.
        PixelPoint first = pixel_at(view, picture, {cells.left * 5 - 2.5, cells.top * 5 - 2.5});
        PixelPoint last = pixel_at(view, picture, {cells.right * 5 - 2.5, cells.bottom * 5 - 2.5});
        EXPECT_GE(first.x, 10 - 1e-9);
        EXPECT_GE(first.y, 10 - 1e-9);
        EXPECT_LE(last.x, 790 + 1e-9);
        EXPECT_LE(last.y, 590 + 1e-9);
        // It touches the margin one way, and is in the middle both ways.
        EXPECT_NEAR(std::min(first.x, first.y), 10, 1e-9);
        EXPECT_NEAR(first.x + last.x, 800, 1e-9);
        EXPECT_NEAR(first.y + last.y, 600, 1e-9);
    }
}

}  // namespace
}  // namespace caprock::test
