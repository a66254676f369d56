// Where a terrain is looked at from.
#pragma once

#include "base/rect.h"
#include "view/geometry.h"

#include <optional>

namespace caprock {

struct Camera {
    Vector3 position;
    double heading = 0;         // degrees clockwise from north
    double pitch = -30;         // degrees, up is positive, -90 looks straight down
    double field_of_view = 45;  // degrees from the top of the picture to its bottom

    bool operator==(const Camera&) const = default;
};

// The camera's own axes, of length 1: right, up in the picture, and ahead.
struct CameraAxes {
    Vector3 right;
    Vector3 up;
    Vector3 ahead;
};
CameraAxes axes_of(const Camera& camera);

// From positions relative to the camera's own to clip space: depth is 1 at the near plane and falls to 0 at infinity, as
// suits floating-point depth buffers.
Matrix4 projection(const Camera& camera, Size viewport, double nearest);

// How wide one pixel in the middle of the picture is at a distance of 1.
double pixel_size(const Camera& camera, Size viewport);

// A place in the picture, in pixels from its top left corner: the middle of the first pixel is (0.5, 0.5).
struct ScreenPoint {
    double x = 0;
    double y = 0;
};

// What is seen at a place of the picture, or beyond its border, lies on this ray.
Ray ray_through(const Camera& camera, Size viewport, ScreenPoint pixel);

// Where a point is seen, be it beyond the border of the picture. Nowhere if it is not ahead of the camera.
std::optional<ScreenPoint> on_screen(const Camera& camera, Size viewport, const Vector3& point);

}  // namespace caprock
