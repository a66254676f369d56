#include "view/camera_moves.h"

#include "base/mathematics.h"

#include <algorithm>
#include <array>
#include <limits>

namespace caprock {

namespace {

double degrees(double radians) { return radians * (180 / pi); }

// Of several headings that are the same, the one from 0 to 360.
double whole_turn(double heading) {
    double rest = std::fmod(heading, 360);
    if (rest < 0) rest += 360;
    return rest < 360 ? rest : 0;  // what is a hair below 0 would be 360
}

double within_pitch(double pitch) { return std::clamp(pitch, lowest_pitch, highest_pitch); }

// What one direction is in another's place: along each of the axes.
Vector3 along(const CameraAxes& axes, const Vector3& vector) {
    return {dot(vector, axes.right), dot(vector, axes.up), dot(vector, axes.ahead)};
}

Vector3 from_axes(const CameraAxes& axes, const Vector3& along) {
    return axes.right * along.x + axes.up * along.y + axes.ahead * along.z;
}

// How far out the walls of the view are at a distance of 1.
struct Walls {
    double across;
    double down;
};

Walls walls_of(const Camera& camera, Size viewport) {
    double pixel = pixel_size(camera, viewport);
    return {pixel * viewport.width / 2, pixel * viewport.height / 2};
}

// Where along one of the picture's axes and at which depth a camera sees all points between its two walls.
struct Extent {
    double outermost_right = -std::numeric_limits<double>::infinity();
    double outermost_left = std::numeric_limits<double>::infinity();

    // A point is seen from (place, depth) if |out - place| <= wall * (ahead - depth). Put the depths on one side, and
    // only the two strictest points count.
    void add(double out, double ahead, double wall) {
        outermost_right = std::max(outermost_right, out - wall * ahead);
        outermost_left = std::min(outermost_left, out + wall * ahead);
    }
    double deepest(double wall) const { return (outermost_left - outermost_right) / (2 * wall); }
};

// Where along one axis of the picture an eye at a depth must be so that as much is left on one side of these places
// (along the axis, and their depths) as on the other.
double balanced(const std::array<std::pair<double, double>, 8>& places, double depth) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const auto& [at, away] : places) {
        low = std::min(low, at);
        high = std::max(high, at);
    }
    for (int step = 0; step < 80; step++) {
        double middle = (low + high) / 2;
        double least = INFINITY;
        double most = -INFINITY;
        for (const auto& [at, away] : places) {
            double seen = (at - middle) / (away - depth);
            least = std::min(least, seen);
            most = std::max(most, seen);
        }
        (least + most > 0 ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

Camera orbited(const Camera& camera, const Vector3& pivot, double heading, double pitch) {
    Camera moved = turned(camera, heading, pitch);
    Vector3 towards = along(axes_of(camera), pivot - camera.position);
    moved.position = pivot - from_axes(axes_of(moved), towards);
    return moved;
}

Camera orbited_within(const Camera& camera, const Vector3& pivot, double heading, double pitch,
                      const std::function<bool(const Camera&)>& allowed) {
    Camera whole = orbited(camera, pivot, heading, pitch);
    if (allowed(whole)) return whole;
    Camera best = orbited(camera, pivot, heading, 0);
    if (!allowed(best)) return best;
    double low = 0;
    double high = 1;
    for (int step = 0; step < 12; step++) {
        double middle = (low + high) / 2;
        Camera tried = orbited(camera, pivot, heading, pitch * middle);
        if (allowed(tried)) {
            low = middle;
            best = tried;
        } else {
            high = middle;
        }
    }
    return best;
}

Camera turned(const Camera& camera, double heading, double pitch) {
    Camera moved = camera;
    moved.heading = whole_turn(camera.heading + heading);
    moved.pitch = within_pitch(camera.pitch + pitch);
    return moved;
}

Camera grabbed(const Camera& camera, Size viewport, const Vector3& picked, ScreenPoint pointer) {
    constexpr double farthest_for_height = 20;
    Vector3 direction = ray_through(camera, viewport, pointer).direction;
    double level = std::hypot(direction.x, direction.y);
    double rise = picked.z - camera.position.z;
    double farthest = std::max(farthest_for_height * std::abs(rise),
                               std::hypot(picked.x - camera.position.x, picked.y - camera.position.y));
    Camera moved = camera;
    if (level == 0) {
        // Straight up or down: nothing but the place above the point will do, unless it is on the other side.
        if (direction.z * rise < 0) return camera;
        moved.position.x = picked.x;
        moved.position.y = picked.y;
        return moved;
    }
    // On the wrong side of the horizon there is no such distance; it is the limit of those on the right side.
    double distance = direction.z * rise > 0 ? std::min(rise / direction.z * level, farthest) : farthest;
    moved.position.x = picked.x - direction.x / level * distance;
    moved.position.y = picked.y - direction.y / level * distance;
    return moved;
}

Camera dollied(const Camera& camera, const Vector3& picked, double factor, double nearest) {
    Vector3 back = camera.position - picked;
    double before = length(back);
    double least = std::min(nearest, before);
    double after = std::max(before * factor, least);
    if (before == 0 || !std::isfinite(after)) return camera;
    Camera moved = camera;
    moved.position = picked + back * (after / before);
    return moved;
}

Camera zoomed(const Camera& camera, Size viewport, ScreenPoint pointer, double factor) {
    Camera moved = camera;
    double half = std::tan(camera.field_of_view * degree / 2) * factor;
    if (!(half > 0)) return camera;
    moved.field_of_view = std::clamp(degrees(2 * std::atan(half)), narrowest_view, widest_view);

    // The direction under the pointer is turned out of the camera's ahead by a way to the right and one up. Seen from
    // the side, `up` is an angle that adds to the pitch.
    struct Turn {
        double right;
        double up_angle;
        double length;  // of ahead + up
    };
    auto turn_of = [&](const Camera& of) {
        double pixel = pixel_size(of, viewport);
        double up = (viewport.height / 2.0 - pointer.y) * pixel;
        return Turn{(pointer.x - viewport.width / 2.0) * pixel, std::atan(up), std::hypot(1, up)};
    };
    Turn before = turn_of(camera);
    Turn after = turn_of(moved);
    double steepness = camera.pitch * degree + before.up_angle;
    double rise = before.length * std::sin(steepness) / std::hypot(before.length, before.right);
    double side = std::clamp(rise * std::hypot(after.length, after.right) / after.length, -1.0, 1.0);
    double angle = std::asin(side);
    // Beyond straight down or up, where that edge of the picture looks back.
    if (std::cos(steepness) < 0) angle = std::copysign(pi, steepness) - angle;
    moved.pitch = within_pitch(degrees(angle - after.up_angle));

    auto bearing = [](const Turn& turn, double pitch) {
        return std::atan2(turn.right, turn.length * std::cos(pitch * degree + turn.up_angle));
    };
    moved.heading =
        whole_turn(camera.heading + degrees(bearing(before, camera.pitch) - bearing(after, moved.pitch)));
    return moved;
}

Camera flown(const Camera& camera, double ahead, double right, double up) {
    CameraAxes axes = axes_of(camera);
    Camera moved = camera;
    moved.position = camera.position + axes.ahead * ahead + axes.right * right + Vector3{0, 0, up};
    return moved;
}

double fly_speed(double height_over_ground, double slowest) { return std::max(slowest, height_over_ground); }

Camera kept_above(const Camera& camera, double ground_height, double clearance) {
    Camera moved = camera;
    moved.position.z = std::max(camera.position.z, ground_height + clearance);
    return moved;
}

Camera framed_all(const Box& box, Size viewport, double heading, double pitch, double field_of_view) {
    constexpr double filled = 0.95;  // of the picture; the rest is margin
    Camera camera{{}, whole_turn(heading), within_pitch(pitch), field_of_view};
    CameraAxes axes = axes_of(camera);
    Walls walls = walls_of(camera, viewport);
    walls.across *= filled;
    walls.down *= filled;
    // From the middle of the box: far from the origin the corners would lose digits.
    Vector3 half = (box.most - box.least) * 0.5;
    Extent across, down;
    double nearest = std::numeric_limits<double>::infinity();
    std::array<std::pair<double, double>, 8> columns, rows;
    for (int corner = 0; corner < 8; corner++) {
        Vector3 out = along(axes, {corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                                   corner & 4 ? half.z : -half.z});
        across.add(out.x, out.z, walls.across);
        down.add(out.y, out.z, walls.down);
        nearest = std::min(nearest, out.z);
        columns[size_t(corner)] = {out.x, out.z};
        rows[size_t(corner)] = {out.y, out.z};
    }
    // A box without width would be seen from within itself.
    double size = length(half);
    double depth = std::min(
        {across.deepest(walls.across), down.deepest(walls.down), nearest - (size > 0 ? size * 0.001 : 1)});
    camera.position =
        box.middle() + from_axes(axes, {balanced(columns, depth), balanced(rows, depth), depth});
    return camera;
}

Camera top_view(const Box& box, Size viewport, double field_of_view) {
    return framed_all(box, viewport, 0, -90, field_of_view);
}

Camera side_view(const Box& box, Size viewport, Side from, double field_of_view) {
    double heading = from == Side::north ? 180 : from == Side::east ? 270 : from == Side::south ? 0 : 90;
    return framed_all(box, viewport, heading, 0, field_of_view);
}

Camera orbiting(const Vector3& target, double azimuth, double elevation, double distance,
                double field_of_view) {
    Camera camera{{}, whole_turn(azimuth + 180), within_pitch(-elevation), field_of_view};
    camera.position = target - axes_of(camera).ahead * distance;
    return camera;
}

Camera interpolated(const Camera& from, const Camera& to, double share) {
    if (!(share > 0)) return from;
    if (share >= 1) return to;
    double gone = share * share * (3 - 2 * share);
    auto between = [&](double a, double b) { return a + (b - a) * gone; };
    double turn = std::remainder(to.heading - from.heading, 360);
    return {from.position + (to.position - from.position) * gone, whole_turn(from.heading + turn * gone),
            between(from.pitch, to.pitch), between(from.field_of_view, to.field_of_view)};
}

}  // namespace caprock
