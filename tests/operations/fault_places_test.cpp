#include "operations/faulting/fault_places.h"

#include "support/terrains.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

TEST(FaultPlaces, PointsOfALineLieOnTheLandscapeAndDiffer) {
    for (Size size : {Size{2, 1}, Size{3, 3}, Size{500, 40}}) {
        double mean_x = 0;
        for (const LinearFault& f : draw_linear_faults(grid_of(size, 2), 2000, 5)) {
            EXPECT_TRUE(f.x1 != f.x2 || f.y1 != f.y2);
            for (int x : {f.x1, f.x2}) EXPECT_TRUE(x >= 0 && x < size.width);
            for (int y : {f.y1, f.y2}) EXPECT_TRUE(y >= 0 && y < size.height);
            mean_x += f.x1 / 2000.0;
        }
        EXPECT_NEAR(mean_x, (size.width - 1) / 2.0, 0.03 * size.width);
    }
}

TEST(FaultPlaces, MiddlesOfCirclesKeepToTheirPlace) {
    Grid grid = grid_of({401, 201}, 2);
    double centre_x = 200, centre_y = 100;
    double leftmost = 1e9, rightmost = -1e9;
    for (const CircularFault& f : draw_circular_faults(grid, 3000, 7, {1, 9}, {Axis::x, 40, 0})) {
        EXPECT_LE(std::abs(f.y - centre_y), 10.5) << "20 m to each side of the axis";
        leftmost = std::min(leftmost, double(f.x));
        rightmost = std::max(rightmost, double(f.x));
    }
    EXPECT_LT(leftmost, 5);
    EXPECT_GT(rightmost, 395);
    for (const CircularFault& f : draw_circular_faults(grid, 3000, 7, {1, 9}, {Axis::y, 0, 0}))
        EXPECT_EQ(f.x, centre_x) << "a band without width is the axis";
    int near = 0;
    for (const CircularFault& f : draw_circular_faults(grid, 3000, 7, {1, 9}, {Axis::none, 0, 100})) {
        double away = std::hypot(f.x - centre_x, f.y - centre_y);
        EXPECT_LE(away, 50.8);
        near += away < 25;
    }
    EXPECT_NEAR(near, 750, 80) << "evenly over the disc: a quarter within half the distance";
    for (const CircularFault& f : draw_circular_faults(grid, 1000, 7, {4, 10}, {})) {
        EXPECT_GE(f.radius, 4);
        EXPECT_LE(f.radius, 10);
        EXPECT_TRUE(f.x >= 0 && f.x < 401 && f.y >= 0 && f.y < 201);
    }
}

TEST(FaultPlaces, MoreFaultsBeginWithTheSameOnes) {
    Grid grid = grid_of({70, 50}, 2);
    std::vector<LinearFault> few = draw_linear_faults(grid, 10, 3);
    std::vector<LinearFault> many = draw_linear_faults(grid, 100, 3);
    for (size_t i = 0; i < few.size(); i++) {
        EXPECT_EQ(few[i].x1, many[i].x1);
        EXPECT_EQ(few[i].y2, many[i].y2);
    }
    EXPECT_NE(draw_linear_faults(grid, 1, 4)[0].x1 * 100 + draw_linear_faults(grid, 1, 4)[0].y1,
              few[0].x1 * 100 + few[0].y1)
        << "another seed, other faults";
}

}  // namespace
}  // namespace caprock::test
