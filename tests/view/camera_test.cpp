// Where in the picture a point is seen, and what is seen at a place of the picture.
#include "view/camera.h"

#include "support/numbers.h"

#include <array>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

constexpr RandomNumbers camera_number{5};

Camera any_camera(uint32_t i) {
    return {{camera_number(i, 1, -1e5, 1e5), camera_number(i, 2, -1e5, 1e5), camera_number(i, 3, -1e4, 1e4)},
            camera_number(i, 4, -360, 720),
            camera_number(i, 5, -90, 90),
            camera_number(i, 6, 5, 120)};
}

Size any_viewport(uint32_t i) {
    return {int(camera_number(i, 7, 1, 4000)), int(camera_number(i, 8, 1, 4000))};
}

void expect_near(const Vector3& a, const Vector3& b, double most) {
    EXPECT_NEAR(a.x, b.x, most);
    EXPECT_NEAR(a.y, b.y, most);
    EXPECT_NEAR(a.z, b.z, most);
}

TEST(Camera, RaysByHand) {
    // At 90 degrees the upper border is as far out as ahead; twice as wide, the right one twice as far.
    Camera camera{{10, 20, 30}, 0, 0, 90};
    Size viewport{200, 100};
    auto direction = [&](double x, double y) {
        Ray ray = ray_through(camera, viewport, {x, y});
        EXPECT_EQ(ray.from, camera.position);
        return ray.direction;
    };
    double half = std::sqrt(0.5), fifth = std::sqrt(0.2);
    expect_near(direction(100, 50), {0, -1, 0}, 1e-15);  // north is against y
    expect_near(direction(100, 0), {0, -half, half}, 1e-15);
    expect_near(direction(100, 100), {0, -half, -half}, 1e-15);
    expect_near(direction(200, 50), {2 * fifth, -fifth, 0}, 1e-15);
    expect_near(direction(0, 50), {-2 * fifth, -fifth, 0}, 1e-15);
    camera.heading = 90;
    expect_near(direction(100, 50), {1, 0, 0}, 1e-15);
    expect_near(direction(200, 50), {fifth, 2 * fifth, 0}, 1e-15);  // south is to the right
    camera.pitch = -90;
    expect_near(direction(100, 50), {0, 0, -1}, 1e-15);
    expect_near(direction(100, 0), {half, 0, -half}, 1e-15);
}

TEST(Camera, PixelsHaveTheirMiddlesAtHalves) {
    Camera camera{{0, 0, 0}, 0, 0, 90};
    Vector3 first = ray_through(camera, {3, 3}, {1.5, 1.5}).direction;
    expect_near(first, {0, -1, 0}, 1e-15);
    std::optional<ScreenPoint> seen = on_screen(camera, {2, 2}, {-0.5, -1, 0.5});
    ASSERT_TRUE(seen);
    EXPECT_NEAR(seen->x, 0.5, 1e-12);
    EXPECT_NEAR(seen->y, 0.5, 1e-12);
}

TEST(Camera, WhatIsSeenOnARayIsSeenAtItsPixel) {
    for (uint32_t i = 0; i < 2000; i++) {
        Camera camera = any_camera(i);
        Size viewport = any_viewport(i);
        ScreenPoint pixel{camera_number(i, 10, -100, viewport.width + 100),
                          camera_number(i, 11, -100, viewport.height + 100)};
        Ray ray = ray_through(camera, viewport, pixel);
        EXPECT_NEAR(length(ray.direction), 1, 1e-14);
        std::optional<ScreenPoint> seen = on_screen(camera, viewport, ray.at(camera_number(i, 12, 10, 1e5)));
        ASSERT_TRUE(seen);
        // Positions of 100 km have 11 digits behind the point.
        EXPECT_NEAR(seen->x, pixel.x, 1e-5);
        EXPECT_NEAR(seen->y, pixel.y, 1e-5);
        EXPECT_FALSE(on_screen(camera, viewport, ray.at(-10)));
    }
}

TEST(Camera, TheProjectionPutsPointsAtTheSamePlace) {
    for (uint32_t i = 0; i < 2000; i++) {
        Camera camera = any_camera(i);
        Size viewport = any_viewport(i);
        Vector3 point =
            camera.position + Vector3{camera_number(i, 13, -1e4, 1e4), camera_number(i, 14, -1e4, 1e4),
                                      camera_number(i, 15, -1e4, 1e4)};
        Vector3 from_camera = point - camera.position;
        std::array<double, 4> in = {from_camera.x, from_camera.y, from_camera.z, 1}, clip{};
        Matrix4 matrix = projection(camera, viewport, 0.5);
        for (int row = 0; row < 4; row++)
            for (int column = 0; column < 4; column++)
                clip[size_t(row)] += matrix.at(row, column) * in[size_t(column)];
        std::optional<ScreenPoint> seen = on_screen(camera, viewport, point);
        EXPECT_EQ(seen.has_value(), clip[3] > 0);
        if (!seen || clip[3] < 1) continue;
        // Clip space goes from -1 to 1, upwards.
        EXPECT_NEAR(seen->x, (clip[0] / clip[3] + 1) / 2 * viewport.width, 1e-6);
        EXPECT_NEAR(seen->y, (1 - clip[1] / clip[3]) / 2 * viewport.height, 1e-6);
    }
}

TEST(Camera, BesideAndBehindNothingIsSeen) {
    Camera camera{{0, 0, 0}, 0, 0, 45};
    EXPECT_FALSE(on_screen(camera, {100, 100}, {0, 5, 0}));
    EXPECT_FALSE(on_screen(camera, {100, 100}, {5, 0, 0}));
    EXPECT_FALSE(on_screen(camera, {100, 100}, camera.position));
    EXPECT_TRUE(on_screen(camera, {100, 100}, {500, -0.1, 0}));
}

}  // namespace
}  // namespace caprock::test
