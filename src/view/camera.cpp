#include "view/camera.h"

#include <numbers>

namespace caprock {

namespace {

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

double half_height(const Camera& camera) { return std::tan(radians(camera.field_of_view) / 2); }

}  // namespace

CameraAxes axes_of(const Camera& camera) {
    double sine = std::sin(radians(camera.heading));
    double cosine = std::cos(radians(camera.heading));
    double rise = std::sin(radians(camera.pitch));
    double run = std::cos(radians(camera.pitch));
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

}  // namespace caprock
