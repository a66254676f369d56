// Vectors, boxes and matrices of the world a terrain is looked at in.
//
// The world is measured in metres: x to the east, y to the south as rows of cells go, z up. Where a cell's sample lies,
// terrain/grid.h says. That frame is left-handed; only camera.cpp and the winding of triangles have to know.
#pragma once

#include <array>
#include <cmath>

namespace caprock {

struct Vector3 {
    double x = 0;
    double y = 0;
    double z = 0;

    bool operator==(const Vector3&) const = default;
};

constexpr Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
constexpr Vector3 operator*(const Vector3& a, double by) { return {a.x * by, a.y * by, a.z * by}; }
constexpr double dot(const Vector3& a, const Vector3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(const Vector3& a) { return std::sqrt(dot(a, a)); }
inline Vector3 normalised(const Vector3& a) { return a * (1 / length(a)); }

struct Ray {
    Vector3 from;
    Vector3 direction;  // of length 1

    Vector3 at(double distance) const { return from + direction * distance; }
};

struct Box {
    Vector3 least;
    Vector3 most;

    Vector3 middle() const { return (least + most) * 0.5; }
    // The point of the box nearest to another.
    Vector3 nearest(const Vector3& point) const {
        auto within = [](double value, double low, double high) {
            return value < low ? low : (value > high ? high : value);
        };
        return {within(point.x, least.x, most.x), within(point.y, least.y, most.y),
                within(point.z, least.z, most.z)};
    }
};

// Four columns, one after another, as OpenGL takes them.
struct Matrix4 {
    std::array<double, 16> values{};

    double& at(int row, int column) { return values[size_t(column) * 4 + size_t(row)]; }
    double at(int row, int column) const { return values[size_t(column) * 4 + size_t(row)]; }
};

inline Matrix4 operator*(const Matrix4& a, const Matrix4& b) {
    Matrix4 product;
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            for (int i = 0; i < 4; i++) product.at(row, column) += a.at(row, i) * b.at(i, column);
    return product;
}

}  // namespace caprock
