// The 3D renderer on whatever OpenGL is here (Mesa's llvmpipe where there is no card): what it promises about the
// surface it draws, measured on the picture's depths.
#include "gl_pictures.h"
#include "view/camera_moves.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace caprock::test {
namespace {

// Hills with ridges and fine roughness: all levels of detail have something to say.
Field rough_land(Size size, uint32_t seed) {
    Field field(Rect::of(size));
    Field::WritableRows rows = field.writable_rows();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> phase(0, 6);
    double a = phase(random);
    double b = phase(random);
    for (int y = 0; y < size.height; y++)
        for (int x = 0; x < size.width; x++) {
            double height = 0;
            double strength = 60;
            double frequency = 0.012;
            for (int octave = 0; octave < 6; octave++) {
                height +=
                    strength * (1 - 2 * std::fabs(std::sin(x * frequency + a * octave + y * frequency * 0.3) *
                                                  std::cos(y * frequency * 1.1 + b * octave)));
                strength *= 0.45;
                frequency *= 2.1;
            }
            rows[y][x] = float(height);
        }
    return field;
}

// Height of the full grid at a place in metres.
double ground_at(const Field& field, double x, double y) {
    double column = x / cell;
    double row = y / cell;
    int i = std::clamp(int(std::floor(column)), 0, field.rect().width() - 2);
    int j = std::clamp(int(std::floor(row)), 0, field.rect().height() - 2);
    double u = column - i;
    double v = row - j;
    double p = field.at(i, j);
    double q = field.at(i + 1, j);
    double r = field.at(i, j + 1);
    double s = field.at(i + 1, j + 1);
    return u >= v ? p + u * (q - p) + v * (s - q) : p + v * (r - p) + u * (s - r);
}

class TerrainPictures : public GlPictures {
  protected:
    static Camera random_camera(std::mt19937& random, const Field& field) {
        auto between = [&](double low, double high) {
            return std::uniform_real_distribution(low, high)(random);
        };
        double width = field.rect().width() * cell;
        double height = field.rect().height() * cell;
        Camera camera;
        camera.position = {between(0, width), between(0, height), 0};
        camera.position.z =
            ground_at(field, camera.position.x, camera.position.y) + std::exp(between(0.5, 6.5));
        camera.heading = between(0, 360);
        camera.pitch = between(-85, 5);
        return camera;
    }
};

struct Drawn {
    Vector3 place;
    double distance;
};

// Where the surface seen in a pixel lies, from its depth.
std::optional<Drawn> drawn_at(const Camera& camera, Size size, double nearest, float depth, int x, int y) {
    if (depth <= 0) return std::nullopt;
    CameraAxes axes = axes_of(camera);
    double pixel = pixel_size(camera, size);
    double right = (x + 0.5 - size.width / 2.0) * pixel;
    double up = (size.height / 2.0 - y - 0.5) * pixel;
    Vector3 ray = axes.ahead + axes.right * right + axes.up * up;
    Vector3 relative = ray * (nearest / double(depth));
    return Drawn{camera.position + relative, length(relative)};
}

TEST_F(TerrainPictures, TheDrawnSurfaceIsNeverFurtherOffThanThePixelsItMay) {
    Field field = rough_land({600, 450}, 1);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(field, cell));
    Size size = {320, 180};
    gl::Canvas canvas(functions(), size, 1);
    std::mt19937 random(7);
    int64_t looked_at = 0;
    for (double error : {1.0, 2.0, 4.0}) {
        double worst = 0;
        for (int i = 0; i < 20; i++) {
            Camera camera = random_camera(random, field);
            SceneLook look = bare();
            look.detail.error = error;
            renderer.draw(canvas.framebuffer(), size, camera, look);
            std::vector<float> depths = canvas.depths();
            double pixel = pixel_size(camera, size);
            for (int y = 0; y < size.height; y++)
                for (int x = 0; x < size.width; x++) {
                    auto drawn = drawn_at(camera, size, gl::TerrainRenderer::nearest(cell),
                                          depths[size_t(y * size.width + x)], x, y);
                    if (!drawn) continue;
                    double off = std::fabs(drawn->place.z - ground_at(field, drawn->place.x, drawn->place.y));
                    worst = std::max(worst, off / (drawn->distance * pixel));
                    looked_at++;
                }
        }
        EXPECT_LE(worst, error);
        EXPECT_GT(worst, error / 4) << "so much caution costs triangles";
        RecordProperty("worst error at " + std::to_string(int(error)), std::to_string(worst));
        std::printf("e = %g pixels: worst %.3f\n", error, worst);
    }
    EXPECT_GT(looked_at, 1000000);
}

TEST_F(TerrainPictures, NoCracks) {
    Field field = rough_land({600, 450}, 2);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(field, cell));
    Size size = {320, 180};
    gl::Canvas plain(functions(), size, 1);
    gl::Canvas smooth(functions(), size, 4);
    std::mt19937 random(3);
    int looked_at = 0;
    while (looked_at < 500) {
        Camera camera = random_camera(random, field);
        camera.pitch = -25 - 60 * std::generate_canonical<double, 20>(random);
        // Whole pictures of ground: every corner must see it.
        auto sees_ground = [&](double x, double y) {
            CameraAxes axes = axes_of(camera);
            double pixel = pixel_size(camera, size);
            Vector3 ray = axes.ahead + axes.right * ((x - 0.5) * size.width * pixel) +
                          axes.up * ((0.5 - y) * size.height * pixel);
            if (ray.z >= -0.05) return false;
            Vector3 at = camera.position + ray * ((camera.position.z + 130) / -ray.z);
            return at.x > 2 * cell && at.y > 2 * cell && at.x < (field.rect().width() - 2) * cell &&
                   at.y < (field.rect().height() - 2) * cell;
        };
        if (!sees_ground(0, 0) || !sees_ground(1, 0) || !sees_ground(0, 1) || !sees_ground(1, 1)) continue;
        looked_at++;
        SceneLook look = bare();
        look.detail.error = 0.5 + 1.5 * (looked_at % 5);
        const gl::Canvas& canvas = looked_at % 4 == 0 ? smooth : plain;
        renderer.draw(canvas.framebuffer(), size, camera, look);
        std::vector<uint8_t> colours = canvas.colours();
        // Ground has no more blue and red than green, as far as a quarter of a pixel of magenta goes.
        int magenta = 0;
        for (size_t i = 0; i < colours.size(); i += 3)
            magenta += std::min(colours[i], colours[i + 2]) > colours[i + 1] + 25;
        ASSERT_EQ(magenta, 0) << "camera " << looked_at;
    }
}

TEST_F(TerrainPictures, NothingPopsWhileTheCameraMoves) {
    Field field = rough_land({600, 450}, 5);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(field, cell));
    Size size = {320, 180};
    gl::Canvas canvas(functions(), size, 1);
    SceneLook look = bare();
    look.detail.error = 2;
    look.detail.behind_horizons = true;
    look.detail.exaggeration = 0.25;  // so flat that no slope hides another
    // Straight down, sinking by a thousandth of its height in a step: how far the drawn surface is off the full grid at a
    // pixel can only change by a small part of what is allowed, while what is drawn there changes its level many times.
    Camera camera;
    camera.position = {600, 450, 500};
    camera.pitch = -90;
    std::vector<double> last;
    double worst = 0;
    for (int step = 0; step < 300; step++) {
        camera.position.z *= 0.999;
        renderer.draw(canvas.framebuffer(), size, camera, look);
        std::vector<float> depths = canvas.depths();
        double allowed = look.detail.error * pixel_size(camera, size);
        std::vector<double> off(depths.size());
        for (int y = 0; y < size.height; y++)
            for (int x = 0; x < size.width; x++) {
                size_t at = size_t(y * size.width + x);
                auto drawn = drawn_at(camera, size, gl::TerrainRenderer::nearest(cell), depths[at], x, y);
                ASSERT_TRUE(drawn);
                off[at] = (drawn->place.z - 0.25 * ground_at(field, drawn->place.x, drawn->place.y)) /
                          (allowed * drawn->distance);
                if (!last.empty()) worst = std::max(worst, std::fabs(off[at] - last[at]));
            }
        last = off;
    }
    EXPECT_LT(worst, 0.3);
    std::printf("largest change in one step: %.3f of what is allowed\n", worst);
}

TEST_F(TerrainPictures, AChangedTileIsDrawnWithTheNextFrameAndOnlyItIsSent) {
    Field field = rough_land({1200, 1200}, 4);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(field, cell));
    Size size = {320, 180};
    gl::Canvas canvas(functions(), size, 1);
    Camera camera;
    camera.position = {1200, 1300, 500};
    camera.pitch = -80;
    SceneLook look = bare();
    renderer.draw(canvas.framebuffer(), size, camera, look);
    Field changed = field.copied();
    Rect tile = {512, 512, 768, 768};
    for (int y = tile.top; y < tile.bottom; y++)
        for (int x = tile.left; x < tile.right; x++) changed.set(x, y, changed.at(x, y) + 40);
    renderer.update(scene_of_heights(changed, cell), tile);
    gl::FrameReport report = renderer.draw(canvas.framebuffer(), size, camera, look);
    std::vector<uint8_t> updated = canvas.colours();
    EXPECT_EQ(report.uploaded_texels, 0) << "no page was brought as a whole";
    gl::TerrainRenderer fresh(functions());
    fresh.set_scene(scene_of_heights(changed, cell));
    fresh.draw(canvas.framebuffer(), size, camera, look);
    EXPECT_EQ(canvas.colours(), updated);
}

TEST_F(TerrainPictures, AChangeOfOtherFieldsIsDrawnToo) {
    Field field = rough_land({300, 300}, 10);
    auto with_lake = [&](const Rect& lake) {
        Field depth(field.rect(), 0.0f);
        for (int y = lake.top; y < lake.bottom; y++)
            for (int x = lake.left; x < lake.right; x++) depth.set(x, y, 4);
        Scene scene = scene_of_heights(field, cell);
        scene.fields.depth = source_of(depth);
        return scene;
    };
    Size size = {160, 120};
    gl::Canvas canvas(functions(), size, 1);
    Camera camera;
    camera.position = {300, 300, 700};
    camera.pitch = -90;
    auto drawn = [&](gl::TerrainRenderer& renderer) {
        renderer.draw(canvas.framebuffer(), size, camera, bare());
        return canvas.colours();
    };
    Rect lake = {120, 110, 190, 180};
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(with_lake({0, 0, 0, 0}));
    std::vector<uint8_t> dry = drawn(renderer);
    renderer.update(with_lake(lake), lake);
    gl::TerrainRenderer fresh(functions());
    fresh.set_scene(with_lake(lake));
    EXPECT_NE(drawn(renderer), dry);
    EXPECT_EQ(drawn(renderer), drawn(fresh));
    // Without the field there is no water anywhere.
    renderer.update(scene_of_heights(field, cell), lake);
    EXPECT_EQ(drawn(renderer), dry);
}

TEST_F(TerrainPictures, ShadowsFollowAChange) {
    Field field = rough_land({300, 300}, 9);
    Sun sun{250, 15};
    LightMap light(field, cell, 1, sun);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(field, cell));
    renderer.set_light_map(light);
    Size size = {160, 120};
    gl::Canvas canvas(functions(), size, 1);
    Camera camera;
    camera.position = {300, 300, 700};
    camera.pitch = -90;
    SceneLook look = bare();
    look.sun = sun;
    renderer.draw(canvas.framebuffer(), size, camera, look);
    std::vector<uint8_t> before = canvas.colours();
    Field changed = field.copied();
    Rect tower = {140, 140, 156, 156};
    for (int y = tower.top; y < tower.bottom; y++)
        for (int x = tower.left; x < tower.right; x++) changed.set(x, y, 200);
    renderer.update(scene_of_heights(changed, cell), tower);
    renderer.update_light_map(light, light.update(changed, tower));
    renderer.draw(canvas.framebuffer(), size, camera, look);
    std::vector<uint8_t> after = canvas.colours();
    EXPECT_NE(after, before);
    gl::TerrainRenderer fresh(functions());
    fresh.set_scene(scene_of_heights(changed, cell));
    fresh.set_light_map(LightMap(changed, cell, 1, sun));
    fresh.draw(canvas.framebuffer(), size, camera, look);
    EXPECT_EQ(canvas.colours(), after);
}

TEST_F(TerrainPictures, MissingCellsAreHoles) {
    Field field = rough_land({300, 300}, 6);
    for (int y = 100; y < 200; y++)
        for (int x = 100; x < 200; x++) field.set(x, y, missing);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(field, cell));
    Size size = {300, 300};
    gl::Canvas canvas(functions(), size, 1);
    Camera camera;
    camera.position = {300, 300, 900};
    camera.pitch = -90;
    camera.field_of_view = 30;
    renderer.draw(canvas.framebuffer(), size, camera, bare());
    std::vector<float> depths = canvas.depths();
    EXPECT_EQ(depths[150 * 300 + 150], 0) << "the hole's middle";
    EXPECT_GT(depths[20 * 300 + 150], 0);
    EXPECT_GT(depths[150 * 300 + 20], 0);
    int open = 0;
    for (float depth : depths) open += depth == 0;
    // 101 x 101 quads have a missing corner; a pixel at the ground is about 1.6 m wide.
    double across = 101 * cell / (900 * pixel_size(camera, size));
    EXPECT_NEAR(open, across * across, across * across * 0.15);
}

TEST_F(TerrainPictures, TerrainsOfEverySizeAreDrawn) {
    for (Size cells : {Size{1, 1}, Size{1, 40}, Size{2, 2}, Size{33, 33}, Size{257, 3}}) {
        Field field = rough_land(cells, 8);
        gl::TerrainRenderer renderer(functions());
        renderer.set_scene(scene_of_heights(field, cell));
        Size size = {64, 64};
        gl::Canvas canvas(functions(), size, 1);
        Camera camera;
        camera.position = {cells.width * cell / 2, cells.height * cell / 2, 300};
        camera.pitch = -90;
        renderer.draw(canvas.framebuffer(), size, camera, bare());
    }
}

TEST_F(TerrainPictures, APictureInPiecesIsTheWhole) {
    Field heights = rough_land({300, 260}, 8);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(heights, cell));
    SceneLook look;
    look.contours = 10;
    look.walls = true;
    constexpr int piece = 128;
    for (Size size : {Size{401, 297}, Size{256, 130}, Size{100, 90}}) {
        Camera camera = framed_all(renderer.bounds(look), size, 35, -28);
        gl::Canvas whole(functions(), size, 4);
        renderer.draw(whole.framebuffer(), size, camera, look);
        std::vector<uint8_t> expected = whole.colours();
        int64_t different = 0;
        int farthest = 0;
        for (int bottom = size.height; bottom > 0; bottom -= piece)
            for (int left = 0; left < size.width; left += piece) {
                Rect part = Rect{left, bottom - piece, left + piece, bottom}.intersected(Rect::of(size));
                gl::Canvas canvas(functions(), part.size(), 4);
                renderer.draw(canvas.framebuffer(), size, camera, look, part);
                std::vector<uint8_t> colours = canvas.colours();
                for (int y = part.top; y < part.bottom; y++)
                    for (int x = part.left; x < part.right; x++) {
                        Bytes got = pixel_of(colours, part.size(), x - part.left, y - part.top);
                        Bytes want = pixel_of(expected, size, x, y);
                        int off = std::max({std::abs(got.red - want.red), std::abs(got.green - want.green),
                                            std::abs(got.blue - want.blue)});
                        different += off > 2;
                        farthest = std::max(farthest, off);
                    }
            }
        // Corners of triangles are rounded to parts of a pixel, from another origin in each piece: an edge may cover another
        // sample of a few pixels.
        EXPECT_LT(different, size.cells() / 500) << size.width << " x " << size.height << ", " << farthest;
    }
}

// Walls reach to the samples, the ground is drawn with fewer of them: between the two one must not see the background.
TEST_F(TerrainPictures, NothingIsSeenBetweenGroundAndWalls) {
    Field heights = rough_land({700, 500}, 5);
    gl::TerrainRenderer renderer(functions());
    renderer.set_scene(scene_of_heights(heights, cell));
    constexpr Size picture{500, 320};
    gl::Canvas canvas(functions(), picture, 1);
    SceneLook look = bare();
    look.walls = true;
    look.background = {1, 0, 1};
    for (double heading : {0.0, 35.0, 130.0, 250.0}) {
        Camera camera = framed_all(renderer.bounds(look), picture, heading, -28);
        renderer.draw(canvas.framebuffer(), picture, camera, look);
        std::vector<uint8_t> colours = canvas.colours();
        auto is_background = [&](int x, int y) {
            return pixel_of(colours, picture, x, y) == Bytes{255, 0, 255};
        };
        int seen_through = 0;
        for (int x = 4; x + 4 < picture.width; x++)
            for (int y = 2; y + 2 < picture.height; y++) {
                // Not where ridges stand against the sky.
                bool between = !is_background(x, y - 2) && !is_background(x, y + 2) &&
                               !is_background(x - 4, y) && !is_background(x + 4, y);
                seen_through += is_background(x, y) && between;
            }
        EXPECT_EQ(seen_through, 0) << "heading " << heading;
    }
}

}  // namespace
}  // namespace caprock::test
