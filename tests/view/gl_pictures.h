// Pictures drawn by OpenGL, and what a ray of the camera says that they must show.
#pragma once

#include "support/grids.h"
#include "view/gl/headless.h"
#include "view/gl/terrain_renderer.h"
#include "view/picking.h"

#include <gtest/gtest.h>

namespace caprock::test {

// Metres, of the grounds that are drawn.
constexpr double cell = 2;

// One context for all tests: making one takes a while, and only one can be current.
inline gl::HeadlessContext& gl_context() {
    static gl::HeadlessContext made;
    return made;
}

class GlPictures : public testing::Test {
  protected:
    static gl::HeadlessContext& context() { return gl_context(); }
    static const gl::Functions& functions() { return context().functions(); }

    void TearDown() override {
        EXPECT_EQ(functions().GetError(), GLenum(GL_NO_ERROR));
        for (const std::string& complaint : context().complaints()) ADD_FAILURE() << complaint;
    }

    // Bare ground on magenta, no sky.
    static SceneLook bare() {
        SceneLook look;
        look.sky = false;
        look.background = {1, 0, 1};
        return look;
    }

    // So exact that every sample is a vertex: what is drawn is what is picked.
    static SceneLook exact() {
        SceneLook look = bare();
        look.detail.error = 0.01;
        return look;
    }
};

inline Scene scene_of_heights(const Field& field, double cell, Interval range = {-100, 100}) {
    Scene scene;
    scene.rect = field.rect();
    scene.grid = {field.rect(), cell, range};
    scene.heights = source_of(field);
    return scene;
}

// A pixel of the picture, by its ray.
struct Seen {
    Hit hit;
    // The same triangle, seen through the pixels beside it with which OpenGL takes differences.
    Vector3 beside;
    Vector3 below;
};

class PictureByRays {
  public:
    PictureByRays(const Field& heights, double cell, const Camera& camera, Size size)
        : heights_(heights), cell_(cell), ranges_(heights), camera_(camera), size_(size) {}

    std::optional<Seen> at(int x, int y) const {
        std::optional<Hit> hit = pick(heights_, grid_of(cell_), ranges_, ray(x, y));
        if (!hit) return std::nullopt;
        // Pixels are shaded in blocks of two by two; pictures of even height keep them whole from either end.
        return Seen{*hit, on_plane(*hit, ray(x ^ 1, y)), on_plane(*hit, ray(x, y ^ 1))};
    }

  private:
    Ray ray(int x, int y) const { return ray_through(camera_, size_, {x + 0.5, y + 0.5}); }

    Vector3 on_plane(const Hit& hit, const Ray& ray) const {
        double column = hit.position.x / cell_;
        double row = hit.position.y / cell_;
        const Rect& rect = heights_.rect();
        int i = std::clamp(int(std::floor(column)), rect.left, rect.right - 2);
        int j = std::clamp(int(std::floor(row)), rect.top, rect.bottom - 2);
        double a = heights_.at(i, j);
        double b = heights_.at(i + 1, j);
        double c = heights_.at(i, j + 1);
        double d = heights_.at(i + 1, j + 1);
        bool right = column - i >= row - j;
        double east = (right ? b - a : d - c) / cell_;
        double south = (right ? d - b : c - a) / cell_;
        Vector3 normal = {-east, -south, 1};
        return ray.at(dot(normal, hit.position - ray.from) / dot(normal, ray.direction));
    }

    const Field& heights_;
    double cell_;
    RangePyramid ranges_;
    Camera camera_;
    Size size_;
};

// What the shader's fwidth finds for a quantity of places.
template <typename Quantity>
double pixel_width(const Seen& seen, const Quantity& quantity) {
    double here = quantity(seen.hit.position);
    return std::fabs(quantity(seen.beside) - here) + std::fabs(quantity(seen.below) - here);
}

inline Bytes pixel_of(const std::vector<uint8_t>& colours, Size size, int x, int y) {
    const uint8_t* at = colours.data() + (size_t(y) * size_t(size.width) + size_t(x)) * 3;
    return {at[0], at[1], at[2]};
}

inline int difference(const Bytes& a, const Bytes& b) {
    return std::max({std::abs(a.red - b.red), std::abs(a.green - b.green), std::abs(a.blue - b.blue)});
}

}  // namespace caprock::test
