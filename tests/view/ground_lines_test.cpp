// What is drawn over the ground, and where it is picked: each pixel's own ray says what it must show.
#include "gl_pictures.h"
#include "support/fields.h"

#include <cmath>

namespace caprock::test {
namespace {

constexpr Size picture_size = {400, 300};

class GroundLines : public GlPictures {
  protected:
    // Hills and hollows with creases.
    Field heights = made_field(Rect{40, -30, 340, 210}, [](int x, int y) {
        return float(30 * std::sin(x * 0.031) * std::cos(y * 0.043) +
                     8 * std::fabs(std::sin(x * 0.2 + y * 0.11)));
    });
    gl::TerrainRenderer renderer{functions()};
    gl::Canvas canvas{functions(), picture_size, 1};

    void SetUp() override { renderer.set_scene(scene_of_heights(heights, cell)); }

    static std::vector<Camera> cameras() {
        std::vector<Camera> all(3);
        all[0].position = {379, 179, 330};
        all[0].pitch = -88;
        all[1].position = {249, 419, 120};
        all[1].heading = 25;
        all[1].pitch = -35;
        all[2].position = {599, 59, 90};
        all[2].heading = 240;
        all[2].pitch = -25;
        return all;
    }

    std::vector<uint8_t> drawn(const Camera& camera, const SceneLook& look) {
        renderer.draw(canvas.framebuffer(), picture_size, camera, look);
        return canvas.colours();
    }
};

// The share of a pixel that a line covers, as lines.glsl has it: full within half a pixel less than half its width, none
// half a pixel further out.
double line_share(double from, double pixel, double width) {
    double t = std::clamp(from / pixel - (0.5 * width - 0.5), 0.0, 1.0);
    return 1 - t * t * (3 - 2 * t);
}

double nearest_multiple(double value, double interval) {
    return std::fabs(value - interval * std::round(value / interval));
}

TEST_F(GroundLines, TheBrushRingLiesAroundThePickedPoint) {
    for (const Camera& camera : cameras()) {
        PictureByRays rays(heights, cell, camera, picture_size);
        std::optional<Seen> middle = rays.at(picture_size.width / 2, picture_size.height / 2);
        ASSERT_TRUE(middle);
        SceneLook look = exact();
        std::vector<uint8_t> without = drawn(camera, look);
        BrushRing ring{middle->hit.position.x, middle->hit.position.y, 40, 25};
        look.ring = ring;
        std::vector<uint8_t> with = drawn(camera, look);
        auto from_middle = [&](const Vector3& place) {
            return std::hypot(place.x - ring.x, place.y - ring.y);
        };
        int on_it = 0;
        int off_it = 0;
        int wrong = 0;
        for (int y = 0; y < picture_size.height; y++)
            for (int x = 0; x < picture_size.width; x++) {
                std::optional<Seen> seen = rays.at(x, y);
                Bytes before = pixel_of(without, picture_size, x, y);
                Bytes after = pixel_of(with, picture_size, x, y);
                if (!seen) {
                    wrong += before != after;
                    continue;
                }
                double pixel = pixel_width(*seen, from_middle);
                double distance = from_middle(seen->hit.position);
                double outer = line_share(std::fabs(distance - ring.radius), pixel, 2.0);
                double inner = line_share(std::fabs(distance - ring.full), pixel, 1.2);
                if (outer > 0.98) {
                    // Light of 1, 0.85 and 0.25, the brightest of it dimmed a little, as sRGB.
                    on_it++;
                    wrong += difference(after, {244, 233, 137}) > 8;
                } else if (outer < 0.002 && inner < 0.002) {
                    off_it++;
                    wrong += difference(before, after) > 2;
                } else if (inner > 0.98) {
                    wrong += after.red < before.red + 8;
                }
            }
        EXPECT_GT(on_it, 200);
        EXPECT_GT(off_it, 50000);
        // Rays that pass within a hair of an edge may see the triangle beside it.
        EXPECT_LE(wrong, on_it / 100) << "heading " << camera.heading << ", of " << on_it;
    }
}

TEST_F(GroundLines, ContoursLieAtMultiplesOfTheirInterval) {
    constexpr double interval = 5;
    for (const Camera& camera : cameras()) {
        PictureByRays rays(heights, cell, camera, picture_size);
        SceneLook look = exact();
        std::vector<uint8_t> without = drawn(camera, look);
        look.contours = interval;
        std::vector<uint8_t> with = drawn(camera, look);
        int on_lines = 0;
        int on_fifths = 0;
        int between = 0;
        int wrong = 0;
        for (int y = 0; y < picture_size.height; y++)
            for (int x = 0; x < picture_size.width; x++) {
                std::optional<Seen> seen = rays.at(x, y);
                if (!seen) continue;
                auto height = [](const Vector3& place) { return place.z; };
                double pixel = pixel_width(*seen, height);
                if (pixel > 0.14 * interval) continue;  // there, lines fade away
                double z = seen->hit.position.z;
                double plain = line_share(nearest_multiple(z, interval), pixel, 1.2);
                double fifth = line_share(nearest_multiple(z, 5 * interval), pixel, 1.8);
                int darker =
                    pixel_of(without, picture_size, x, y).blue - pixel_of(with, picture_size, x, y).blue;
                if (fifth > 0.98) {
                    on_fifths++;
                    wrong += darker < 50;
                } else if (plain > 0.98 && fifth < 0.002) {
                    on_lines++;
                    wrong += darker < 15;
                } else if (plain < 0.002 && fifth < 0.002) {
                    between++;
                    wrong += std::abs(darker) > 2;
                }
            }
        EXPECT_GT(on_lines, 500);
        EXPECT_GT(on_fifths, 200);
        EXPECT_GT(between, 20000);
        EXPECT_LE(wrong, (on_lines + on_fifths) / 100) << "heading " << camera.heading;
    }
}

// All of it lies on the line, and none of it shows one: what rounding makes of it would be specks.
TEST_F(GroundLines, LevelGroundAtAContoursHeightHasNoSpecks) {
    renderer.set_scene(scene_of_heights(Field(Rect{40, -30, 340, 210}, 25.0f), cell));
    for (Camera camera : cameras()) {
        camera.position.z += 25;
        SceneLook look = exact();
        std::vector<uint8_t> without = drawn(camera, look);
        look.contours = 5;
        std::vector<uint8_t> with = drawn(camera, look);
        int specks = 0;
        for (size_t i = 0; i < with.size(); i++) specks += std::abs(int(with[i]) - int(without[i])) > 2;
        EXPECT_EQ(specks, 0) << "heading " << camera.heading;
    }
}

TEST_F(GroundLines, TheGridLiesAtMultiplesOfItsMetres) {
    constexpr double interval = 30;
    for (const Camera& camera : cameras()) {
        PictureByRays rays(heights, cell, camera, picture_size);
        SceneLook look = exact();
        std::vector<uint8_t> without = drawn(camera, look);
        look.grid = interval;
        std::vector<uint8_t> with = drawn(camera, look);
        int on_lines = 0;
        int between = 0;
        int wrong = 0;
        for (int y = 0; y < picture_size.height; y++)
            for (int x = 0; x < picture_size.width; x++) {
                std::optional<Seen> seen = rays.at(x, y);
                if (!seen) continue;
                auto share = [&](auto&& coordinate) {
                    double pixel = pixel_width(*seen, coordinate);
                    return pixel > 0.14 * interval
                               ? 0.5  // fading
                               : line_share(nearest_multiple(coordinate(seen->hit.position), interval), pixel,
                                            1);
                };
                double across = share([](const Vector3& place) { return place.x; });
                double down = share([](const Vector3& place) { return place.y; });
                int darker =
                    pixel_of(without, picture_size, x, y).blue - pixel_of(with, picture_size, x, y).blue;
                if (std::max(across, down) > 0.9) {
                    on_lines++;
                    wrong += darker < 10;
                } else if (std::max(across, down) < 0.002) {
                    between++;
                    wrong += std::abs(darker) > 2;
                }
            }
        EXPECT_GT(on_lines, 500);
        EXPECT_GT(between, 20000);
        EXPECT_LE(wrong, on_lines / 50) << "heading " << camera.heading;
    }
}

TEST_F(GroundLines, PickingFindsWhatIsDrawn) {
    for (const Camera& camera : cameras()) {
        PictureByRays rays(heights, cell, camera, picture_size);
        for (double error : {0.01, 0.25}) {
            SceneLook look = bare();
            look.detail.error = error;
            drawn(camera, look);
            std::vector<float> depths = canvas.depths();
            CameraAxes axes = axes_of(camera);
            int hits = 0;
            int apart = 0;
            int torn = 0;
            for (int y = 0; y < picture_size.height; y++)
                for (int x = 0; x < picture_size.width; x++) {
                    std::optional<Seen> seen = rays.at(x, y);
                    float depth = depths[size_t(y * picture_size.width + x)];
                    if (seen.has_value() != (depth > 0)) torn++;
                    if (!seen || depth <= 0) continue;
                    hits++;
                    double ahead = dot(seen->hit.position - camera.position, axes.ahead);
                    double drawn_ahead = gl::TerrainRenderer::nearest(cell) / double(depth);
                    // A surface that is off by pixels is met that much sooner or later, more at a glancing angle: by as
                    // much as the neighbouring pixels lie apart along the view.
                    double slant = std::fabs(dot(seen->beside - seen->hit.position, axes.ahead)) +
                                   std::fabs(dot(seen->below - seen->hit.position, axes.ahead));
                    double width = pixel_size(camera, picture_size) * ahead;
                    apart += std::fabs(ahead - drawn_ahead) > 1e-4 * ahead + 2 * error * (slant + width);
                }
            EXPECT_GT(hits, 50000);
            EXPECT_LE(apart, hits / 500) << "error " << error << ", heading " << camera.heading;
            // Only where the outline passes close to the middle of a pixel.
            EXPECT_LE(torn, hits / 1000) << "error " << error << ", heading " << camera.heading;
        }
    }
}

}  // namespace
}  // namespace caprock::test
