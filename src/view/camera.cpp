#include "view/camera.h"

#include "base/mathematics.h"

namespace caprock {

namespace {

double half_height(const Camera& camera) { return std::tan(camera.field_of_view * degree / 2); }

}  // namespace

CameraAxes axes_of(const Camera& camera) {
    double sine = std::sin(camera.heading * degree);
    double cosine = std::cos(camera.heading * degree);
    double rise = std::sin(camera.pitch * degree);
    double run = std::cos(camera.pitch * degree);
    // North is against y.
    return {{cosine, sine, 0}, {-sine * rise, cosine * rise, run}, {sine * run, -cosine * run, rise}};
}

Matrix4 projection(const Camera& camera, Size viewport, double nearest) {
    CameraAxes axes = axes_of(camera);
    double down = 1 / half_height(camera);
    double across = down * viewport.height / viewport.width;
    Matrix4 matrix;
    auto set_row = [&](int row, const Vector3& axis, double scale) {
        matrix.at(row, 0) = axis.x * scale;
        matrix.at(row, 1) = axis.y * scale;
        matrix.at(row, 2) = axis.z * scale;
    };
    set_row(0, axes.right, across);
    set_row(1, axes.up, down);
    matrix.at(2, 3) = nearest;
    set_row(3, axes.ahead, 1);
    return matrix;
}

double pixel_size(const Camera& camera, Size viewport) { return 2 * half_height(camera) / viewport.height; }

Ray ray_through(const Camera& camera, Size viewport, ScreenPoint pixel) {
    CameraAxes axes = axes_of(camera);
    double scale = pixel_size(camera, viewport);
    double right = (pixel.x - viewport.width / 2.0) * scale;
    double up = (viewport.height / 2.0 - pixel.y) * scale;
    return {camera.position, normalised(axes.ahead + axes.right * right + axes.up * up)};
}

std::optional<ScreenPoint> on_screen(const Camera& camera, Size viewport, const Vector3& point) {
    CameraAxes axes = axes_of(camera);
    Vector3 towards = point - camera.position;
    double depth = dot(towards, axes.ahead);
    if (!(depth > 0)) return std::nullopt;
    double scale = 1 / (depth * pixel_size(camera, viewport));
    return ScreenPoint{viewport.width / 2.0 + dot(towards, axes.right) * scale,
                       viewport.height / 2.0 - dot(towards, axes.up) * scale};
}

}  // namespace caprock
