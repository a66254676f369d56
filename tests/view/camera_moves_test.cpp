// Moves of the camera: what stays under the pointer, what stays in the picture, and what happens at the limits.
#include "view/camera_moves.h"

#include "support/numbers.h"

#include <gtest/gtest.h>
#include <limits>

namespace caprock::test {
namespace {

constexpr Size viewport{1280, 720};

constexpr RandomNumbers move_number{9};

// Somewhere above a landscape of 10 km, looking down.
Camera camera_above_land(uint32_t i) {
    return {{move_number(i, 1, 0, 1e4), move_number(i, 2, 0, 1e4), move_number(i, 3, 1500, 3000)},
            move_number(i, 4, 0, 360),
            move_number(i, 5, -80, -10),
            move_number(i, 6, 20, 70)};
}

ScreenPoint any_pixel(uint32_t i) {
    return {move_number(i, 7, 0, viewport.width), move_number(i, 8, 0, viewport.height)};
}

// What is under a pixel, at a distance.
Vector3 point_under(const Camera& camera, ScreenPoint pixel, double distance) {
    return ray_through(camera, viewport, pixel).at(distance);
}

void expect_at(const Camera& camera, const Vector3& point, ScreenPoint pixel, double most = 1e-6) {
    std::optional<ScreenPoint> seen = on_screen(camera, viewport, point);
    ASSERT_TRUE(seen);
    EXPECT_NEAR(seen->x, pixel.x, most);
    EXPECT_NEAR(seen->y, pixel.y, most);
}

bool finite(const Camera& camera) {
    return std::isfinite(length(camera.position)) && std::isfinite(camera.heading) &&
           std::isfinite(camera.pitch) && std::isfinite(camera.field_of_view);
}

// ---- orbit and look --------------------------------------------------------------------------------------------

TEST(CameraMoves, OrbitingKeepsThePivotInThePicture) {
    for (uint32_t i = 0; i < 1000; i++) {
        Camera camera = camera_above_land(i);
        ScreenPoint pixel = any_pixel(i);
        Vector3 pivot = point_under(camera, pixel, move_number(i, 9, 10, 8000));
        double distance = length(camera.position - pivot);
        Camera moved = orbited(camera, pivot, move_number(i, 10, -400, 400), move_number(i, 11, -200, 200));
        expect_at(moved, pivot, pixel);
        EXPECT_NEAR(length(moved.position - pivot), distance, 1e-8 * distance);
        EXPECT_GE(moved.pitch, -90);
        EXPECT_LE(moved.pitch, 89);
    }
}

TEST(CameraMoves, OrbitingByHand) {
    // South of the pivot, looking north at it; a quarter turn clockwise puts it west, looking east.
    Camera camera{{0, 100, 0}, 0, 0, 45};
    Camera moved = orbited(camera, {0, 0, 0}, 90, 0);
    EXPECT_NEAR(moved.position.x, -100, 1e-12);
    EXPECT_NEAR(moved.position.y, 0, 1e-12);
    EXPECT_DOUBLE_EQ(moved.heading, 90);
    // Looking down puts it above.
    moved = orbited(camera, {0, 0, 0}, 0, -90);
    EXPECT_NEAR(moved.position.y, 0, 1e-12);
    EXPECT_NEAR(moved.position.z, 100, 1e-12);
}

TEST(CameraMoves, OrbitingStopsAtTheGround) {
    int stopped = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        Camera camera = camera_above_land(i);
        ScreenPoint pixel = any_pixel(i);
        Vector3 pivot = point_under(camera, pixel, move_number(i, 9, 10, 8000));
        double heading = move_number(i, 10, -400, 400);
        double pitch = move_number(i, 11, -200, 200);
        double ground = camera.position.z - move_number(i, 12, 0, 500);
        auto allowed = [&](const Camera& there) { return there.position.z >= ground; };
        Camera free = orbited(camera, pivot, heading, pitch);
        Camera moved = orbited_within(camera, pivot, heading, pitch, allowed);
        expect_at(moved, pivot, pixel);
        EXPECT_EQ(moved.heading, free.heading);
        if (allowed(free)) {
            EXPECT_EQ(moved, free);
            continue;
        }
        Camera level = orbited(camera, pivot, heading, 0);
        if (!allowed(level)) {
            EXPECT_EQ(moved, level);
            continue;
        }
        stopped++;
        EXPECT_GE(moved.position.z, ground);
        // A little further would be too far.
        EXPECT_FALSE(allowed(orbited(moved, pivot, 0, pitch / 2048)));
    }
    EXPECT_GT(stopped, 100);
}

TEST(CameraMoves, ThePitchStopsAndTheHeadingGoesRound) {
    Camera camera{{0, 0, 0}, 350, -30, 45};
    EXPECT_DOUBLE_EQ(turned(camera, 20, 0).heading, 10);
    EXPECT_DOUBLE_EQ(turned(camera, -360, 0).heading, 350);
    EXPECT_DOUBLE_EQ(turned(camera, 10, 0).heading, 0);
    EXPECT_EQ(turned(camera, 0, -61).pitch, -90);
    EXPECT_EQ(turned(camera, 0, 500).pitch, 89);
    EXPECT_EQ(turned(camera, 5, 5).position, camera.position);
    camera.heading = 0;
    EXPECT_LT(turned(camera, -1e-20, 0).heading, 360);
    // Up in the picture is never downwards: it does not stand on its head.
    for (double pitch = -300; pitch < 300; pitch += 7)
        EXPECT_GE(axes_of(orbited(camera, {5, 5, 5}, 3, pitch)).up.z, 0);
}

// ---- grabbing the ground ---------------------------------------------------------------------------------------

TEST(CameraMoves, AGrabbedPointStaysUnderThePointer) {
    int moves = 0;
    for (uint32_t i = 0; i < 2000; i++) {
        Camera camera = camera_above_land(i);
        Vector3 picked = point_under(camera, any_pixel(i), 2000);
        if (picked.z > camera.position.z - 50) continue;
        // The pointer goes on several times, and each time the last camera or the first is moved.
        Camera last = camera;
        for (uint32_t step = 0; step < 4; step++) {
            ScreenPoint pointer = any_pixel(i + 10000 * (step + 1));
            if (ray_through(camera, viewport, pointer).direction.z > -0.06) continue;
            last = grabbed(last, viewport, picked, pointer);
            expect_at(last, picked, pointer, 1e-5);
            EXPECT_EQ(last.position.z, camera.position.z);
            EXPECT_EQ(last.heading, camera.heading);
            EXPECT_EQ(last.pitch, camera.pitch);
            Camera at_once = grabbed(camera, viewport, picked, pointer);
            EXPECT_LT(length(at_once.position - last.position), 1e-6);
            moves++;
        }
    }
    EXPECT_GT(moves, 3000);
}

TEST(CameraMoves, GrabbingDoesNotLeap) {
    for (uint32_t i = 0; i < 500; i++) {
        Camera camera = camera_above_land(i);
        camera.pitch = move_number(i, 20, -20, 5);
        ScreenPoint pixel = any_pixel(i);
        // Near the horizon and above it too: no leap when the button goes down.
        Vector3 picked = point_under(camera, pixel, move_number(i, 21, 10, 50000));
        Camera moved = grabbed(camera, viewport, picked, pixel);
        EXPECT_LT(length(moved.position - camera.position), 1e-5) << i;
    }
}

TEST(CameraMoves, GrabbingAtTheHorizonStaysSane) {
    Camera camera{{0, 0, 100}, 0, 0, 60};
    Vector3 picked = point_under(camera, {640, 500}, 400);
    double height = camera.position.z - picked.z;
    double before = 0;
    for (double y = 719; y >= 0; y -= 0.25) {  // across the horizon at 360
        Camera moved = grabbed(camera, viewport, picked, {700, y});
        ASSERT_TRUE(finite(moved));
        EXPECT_EQ(moved.position.z, 100);
        double distance = std::hypot(moved.position.x - picked.x, moved.position.y - picked.y);
        EXPECT_LE(distance, 20 * height * (1 + 1e-12));
        EXPECT_GE(distance, before * (1 - 1e-12)) << y;  // farther and farther, and no leap back
        if (y < 370) {
            EXPECT_NEAR(distance, 20 * height, 1e-6) << y;
        }
        before = distance;
    }
    // A point as high as the camera.
    EXPECT_TRUE(finite(grabbed(camera, viewport, {50, -500, 100}, {100, 360})));
    EXPECT_TRUE(finite(grabbed(camera, viewport, {50, -500, 100}, {100, 700})));
    EXPECT_TRUE(finite(grabbed(camera, viewport, camera.position, {100, 700})));
    // A summit above it.
    Camera below = grabbed(camera, viewport, {50, -500, 400}, {600, 100});
    expect_at(below, {50, -500, 400}, {600, 100});
    // Straight down, where the middle of the picture has no heading.
    Camera above{{0, 0, 100}, 0, -90, 60};
    Camera moved = grabbed(above, viewport, {30, 40, 0}, {640, 360});
    EXPECT_NEAR(moved.position.x, 30, 1e-10);
    EXPECT_NEAR(moved.position.y, 40, 1e-10);
}

// ---- nearer and farther ----------------------------------------------------------------------------------------

TEST(CameraMoves, DollyingKeepsThePointAndNeverPassesIt) {
    for (uint32_t i = 0; i < 500; i++) {
        Camera camera = camera_above_land(i);
        ScreenPoint pixel = any_pixel(i);
        double distance = move_number(i, 9, 50, 5000);
        Vector3 picked = point_under(camera, pixel, distance);
        for (double factor : {0.02, 0.5, 0.9, 1.0, 1.1, 20.0}) {
            Camera moved = dollied(camera, picked, factor);
            EXPECT_NEAR(length(moved.position - picked), std::max(distance * factor, 1.0), 1e-6);
            expect_at(moved, picked, pixel, 1e-4);
        }
        Camera near = camera;
        for (int step = 0; step < 200; step++) near = dollied(near, picked, 0.8, 3);
        EXPECT_NEAR(length(near.position - picked), 3, 1e-6);
        expect_at(near, picked, pixel, 1e-4);
        for (double strange : {0.0, -5.0, -double(infinity)}) {
            Camera moved = dollied(camera, picked, strange, 3);
            EXPECT_NEAR(length(moved.position - picked), 3, 1e-6);
            expect_at(moved, picked, pixel, 1e-4);
        }
        for (double strange : {double(infinity), std::nan("")})
            EXPECT_TRUE(finite(dollied(camera, picked, strange))) << strange;
    }
}

TEST(CameraMoves, WhoIsNearerThanTheNearestStays) {
    Camera camera{{0, 0, 0.25}, 0, -90, 45};
    EXPECT_EQ(dollied(camera, {0, 0, 0}, 0.5, 1), camera);
    EXPECT_NEAR(dollied(camera, {0, 0, 0}, 2, 1).position.z, 0.5, 1e-12);
    EXPECT_EQ(dollied(camera, camera.position, 0.5), camera);
}

TEST(CameraMoves, ZoomingKeepsWhatIsUnderThePointer) {
    for (uint32_t i = 0; i < 2000; i++) {
        Camera camera = camera_above_land(i);
        camera.pitch = move_number(i, 5, -40, 40);
        ScreenPoint pixel = any_pixel(i);
        Vector3 point = point_under(camera, pixel, 1000);
        double factor = move_number(i, 12, 0.3, 1.2);
        Camera moved = zoomed(camera, viewport, pixel, factor);
        EXPECT_EQ(moved.position, camera.position);
        EXPECT_NEAR(pixel_size(moved, viewport), pixel_size(camera, viewport) * factor, 1e-12);
        expect_at(moved, point, pixel);
    }
}

TEST(CameraMoves, ZoomingHasLimits) {
    Camera camera{{0, 0, 500}, 40, -30, 45};
    Vector3 point = point_under(camera, {900, 600}, 1000);
    Camera narrow = camera, wide = camera;
    for (int step = 0; step < 200; step++) {
        narrow = zoomed(narrow, viewport, {900, 600}, 0.9);
        wide = zoomed(wide, viewport, {900, 600}, 1.1);
        ASSERT_TRUE(finite(narrow) && finite(wide));
    }
    EXPECT_DOUBLE_EQ(narrow.field_of_view, narrowest_view);
    EXPECT_DOUBLE_EQ(wide.field_of_view, widest_view);
    expect_at(narrow, point, {900, 600}, 1e-4);
    expect_at(wide, point, {900, 600}, 1e-4);
    EXPECT_EQ(zoomed(camera, viewport, {900, 600}, 0), camera);
    EXPECT_EQ(zoomed(camera, viewport, {900, 600}, std::nan("")), camera);
    // From above, the lower edge of the picture looks back.
    Camera above{{0, 0, 500}, 40, -85, 60};
    Vector3 behind = point_under(above, {500, 650}, 700);
    Camera moved = zoomed(above, viewport, {500, 650}, 1.3);
    expect_at(moved, behind, {500, 650});
    EXPECT_NEAR(moved.pitch, -80, 10);  // and does not turn round for it
    EXPECT_NEAR(moved.heading, 40, 10);
    for (double factor : {0.1, 0.5, 2.0}) {
        moved = zoomed(above, viewport, {500, 650}, factor);
        EXPECT_TRUE(finite(moved));
        EXPECT_GE(moved.pitch, -90);
    }
}

// ---- flying ----------------------------------------------------------------------------------------------------

TEST(CameraMoves, FlyingByHand) {
    Camera camera{{1, 2, 3}, 90, -30, 45};
    Camera moved = flown(camera, 10, 0, 0);
    EXPECT_NEAR(moved.position.x, 1 + 10 * std::sqrt(0.75), 1e-12);
    EXPECT_NEAR(moved.position.y, 2, 1e-12);
    EXPECT_NEAR(moved.position.z, 3 - 5, 1e-12);
    moved = flown(camera, 0, 10, 0);
    EXPECT_NEAR(moved.position.y, 12, 1e-12);
    EXPECT_NEAR(moved.position.z, 3, 1e-12);
    moved = flown(camera, 0, 0, 10);
    EXPECT_NEAR(moved.position.x, 1, 1e-12);
    EXPECT_NEAR(moved.position.z, 13, 1e-12);
    EXPECT_EQ(moved.heading, camera.heading);
}

TEST(CameraMoves, HigherFliesFaster) {
    EXPECT_EQ(fly_speed(0), 2);
    EXPECT_EQ(fly_speed(-50), 2);
    EXPECT_EQ(fly_speed(0, 0.1), 0.1);
    EXPECT_DOUBLE_EQ(fly_speed(2000) / fly_speed(200), 10);
}

TEST(CameraMoves, KeptAboveTheGround) {
    Camera camera{{1, 2, 3}, 90, -30, 45};
    EXPECT_EQ(kept_above(camera, 0, 2), camera);
    Camera lifted = kept_above(camera, 10, 2);
    EXPECT_EQ(lifted.position, (Vector3{1, 2, 12}));
    EXPECT_EQ(lifted.pitch, camera.pitch);
}

// ---- everything in the picture ---------------------------------------------------------------------------------

// How much of the half picture the farthest corner takes, across and down; everything is seen below 1.
struct Filled {
    double left = 0, right = 0, up = 0, down = 0;
};

Filled filled(const Camera& camera, const Box& box, Size size) {
    Filled most{-infinity, -infinity, -infinity, -infinity};
    for (double x : {box.least.x, box.most.x})
        for (double y : {box.least.y, box.most.y})
            for (double z : {box.least.z, box.most.z}) {
                std::optional<ScreenPoint> seen = on_screen(camera, size, {x, y, z});
                EXPECT_TRUE(seen);
                if (!seen) continue;
                double across = seen->x / size.width * 2 - 1, down = seen->y / size.height * 2 - 1;
                most.left = std::max(most.left, -across);
                most.right = std::max(most.right, across);
                most.up = std::max(most.up, -down);
                most.down = std::max(most.down, down);
            }
    return most;
}

TEST(CameraMoves, FramedAllIsAllAndTight) {
    for (uint32_t i = 0; i < 1000; i++) {
        Vector3 corner{move_number(i, 1, -1e6, 1e6), move_number(i, 2, -1e6, 1e6),
                       move_number(i, 3, -1e3, 1e3)};
        Box box{corner, corner + Vector3{move_number(i, 4, 300, 1e4), move_number(i, 5, 300, 1e4),
                                         move_number(i, 6, 0, 2000)}};
        Size size{int(move_number(i, 7, 100, 2000)), int(move_number(i, 8, 100, 2000))};
        Camera camera = framed_all(box, size, move_number(i, 9, -720, 720), move_number(i, 10, -90, 30),
                                   move_number(i, 11, 10, 90));
        Filled most = filled(camera, box, size);
        // In one direction it touches the margin on both sides, in the other it lies between.
        double across = std::max(most.left, most.right), down = std::max(most.up, most.down);
        EXPECT_NEAR(std::max(across, down), 0.95, 1e-6);
        EXPECT_LE(std::max(across, down), 0.95 + 1e-6);
        if (across > down) {
            EXPECT_NEAR(most.left, most.right, 1e-6);
        } else {
            EXPECT_NEAR(most.up, most.down, 1e-6);
        }
    }
}

TEST(CameraMoves, FramingWhatHasNoSize) {
    Vector3 point{100, 200, 300};
    for (double pitch : {-90.0, -30.0, 0.0}) {
        Camera camera = framed_all({point, point}, viewport, 30, pitch);
        ASSERT_TRUE(finite(camera));
        expect_at(camera, point, {640, 360});
        // A line along the view.
        camera = framed_all({point, point + Vector3{0, 500, 0}}, viewport, 0, 0);
        ASSERT_TRUE(finite(camera));
        filled(camera, {point, point + Vector3{0, 500, 0}}, viewport);
    }
}

TEST(CameraMoves, ViewsFromAboveAndFromTheSides) {
    Box box{{1000, 5000, 100}, {3000, 6000, 400}};
    Camera top = top_view(box, viewport);
    EXPECT_NEAR(top.position.x, 2000, 1e-6);
    EXPECT_NEAR(top.position.y, 5500, 1e-6);
    EXPECT_GT(top.position.z, 400);
    // North is up, east is right.
    std::optional<ScreenPoint> north_east = on_screen(top, viewport, {3000, 5000, 400});
    ASSERT_TRUE(north_east);
    EXPECT_GT(north_east->x, 640);
    EXPECT_LT(north_east->y, 360);
    struct {
        Side side;
        double x, y;  // the way from the middle to the camera
    } cases[] = {{Side::north, 0, -1}, {Side::east, 1, 0}, {Side::south, 0, 1}, {Side::west, -1, 0}};
    for (const auto& [side, x, y] : cases) {
        Camera camera = side_view(box, viewport, side);
        Vector3 away = camera.position - box.middle();
        EXPECT_NEAR(away.z, 0, 1e-6);
        EXPECT_NEAR(away.x * y, 0, 1e-6);
        EXPECT_NEAR(away.y * x, 0, 1e-6);
        EXPECT_GT(away.x * x + away.y * y, 500);
        Filled most = filled(camera, box, viewport);
        EXPECT_NEAR(std::max(most.left, most.up), 0.95, 1e-6);
    }
}

TEST(CameraMoves, OrbitingATarget) {
    Vector3 target{500, 600, 70};
    Camera camera = orbiting(target, 90, 0, 100);  // in the east
    EXPECT_NEAR(camera.position.x, 600, 1e-10);
    EXPECT_NEAR(camera.position.y, 600, 1e-10);
    EXPECT_NEAR(camera.position.z, 70, 1e-10);
    camera = orbiting(target, 0, 30, 100);  // in the north, above
    EXPECT_NEAR(camera.position.y, 600 - 100 * std::sqrt(0.75), 1e-10);
    EXPECT_NEAR(camera.position.z, 120, 1e-10);
    for (uint32_t i = 0; i < 200; i++) {
        double distance = move_number(i, 1, 1, 1e5);
        camera = orbiting(target, move_number(i, 2, -400, 400), move_number(i, 3, -100, 100), distance, 30);
        EXPECT_NEAR(length(camera.position - target), distance, 1e-8 * distance);
        expect_at(camera, target, {640, 360});
        EXPECT_EQ(camera.field_of_view, 30);
    }
}

// ---- flights ---------------------------------------------------------------------------------------------------

TEST(CameraMoves, FlightsBeginAndEndWhereTheyShould) {
    Camera a{{0, 0, 100}, 350, -80, 30}, b{{1000, 0, 500}, 20, -20, 60};
    EXPECT_EQ(interpolated(a, b, 0), a);
    EXPECT_EQ(interpolated(a, b, 1), b);
    EXPECT_EQ(interpolated(a, b, -3), a);
    EXPECT_EQ(interpolated(a, b, 7), b);
    EXPECT_EQ(interpolated(a, b, std::nan("")), a);
    Camera middle = interpolated(a, b, 0.5);
    EXPECT_DOUBLE_EQ(middle.heading, 5);  // through north, the shorter way
    EXPECT_DOUBLE_EQ(interpolated(b, a, 0.5).heading, 5);
    EXPECT_DOUBLE_EQ(middle.position.x, 500);
    EXPECT_DOUBLE_EQ(middle.pitch, -50);
    // Softly: the first and the last hundredth are short, nothing goes back, nothing leaps.
    double before = 0;
    for (double share = 0.01; share < 1.005; share += 0.01) {
        double x = interpolated(a, b, share).position.x;
        EXPECT_GT(x, before);
        EXPECT_LT(x - before, share < 0.015 || share > 0.995 ? 0.5 : 16);
        before = x;
    }
}

}  // namespace
}  // namespace caprock::test
