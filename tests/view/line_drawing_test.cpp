// Line sets on maps and in scenes.
#include "view/line_drawing.h"

#include "gl_pictures.h"
#include "support/fields.h"
#include "terrain/line_text.h"
#include "view/map.h"

#include <cmath>

namespace caprock::test {
namespace {

constexpr Bytes red = bytes_of(0xff0000u);

Terrain level_land() {
    Terrain terrain(Grid{Rect::of({60, 40}), 10, {0, 100}});
    terrain.set("height", Field(terrain.rect(), 50));
    return terrain;
}

Bytes pixel(const Picture& picture, const PixelPoint& at) {
    return pixel_of(picture.rgb, picture.size, int(std::floor(at.x)), int(std::floor(at.y)));
}

TEST(LineDrawing, ColoursAreSixDigits) {
    EXPECT_EQ(parse_colour("c0392b"), bytes_of(0xc0392bu));
    EXPECT_EQ(parse_colour("#FF0000"), red);
    for (const char* wrong : {"", "red", "c0392", "c0392bb", "-12345", "0x1234"})
        EXPECT_FALSE(parse_colour(wrong)) << wrong;
}

TEST(LineDrawing, OnAMapTheyLieWhereTheirMetresAre) {
    const Terrain terrain = level_land();
    const Size size{600, 400};
    const MapView view = fitted(terrain.rect(), terrain.grid(), size);
    MapOptions options;
    const Picture without = draw_map(terrain, view, size, options);
    options.lines = {{parse_lines("100,100 400,100 400,300; 500,50"), red, 3}};
    const Picture with = draw_map(terrain, view, size, options);
    for (const WorldPoint& on :
         {WorldPoint{100, 100}, WorldPoint{250, 100}, WorldPoint{400, 220}, WorldPoint{500, 50}})
        EXPECT_EQ(pixel(with, pixel_at(view, size, on)), red) << on.x << "," << on.y;
    for (const WorldPoint& beside :
         {WorldPoint{100, 120}, WorldPoint{250, 200}, WorldPoint{420, 220}, WorldPoint{480, 50}})
        EXPECT_EQ(pixel(with, pixel_at(view, size, beside)), pixel(without, pixel_at(view, size, beside)));
    // Back to its beginning, where it is closed.
    options.lines = {{parse_lines("100,100 400,100 400,300 close"), red, 3}};
    EXPECT_EQ(pixel(draw_map(terrain, view, size, options), pixel_at(view, size, {250, 200})), red);
    // Far away, and beyond all numbers of pixels, there is nothing to draw.
    options.lines = {{parse_lines("1e12,1e12 1e12,2e12"), red, 3}};
    EXPECT_EQ(draw_map(terrain, view, size, options).rgb, without.rgb);
}

class SceneLines : public GlPictures {
  protected:
    static constexpr Size picture_size = {300, 200};
    // A ridge from north to south across level ground.
    Field heights = made_field(Rect{-20, 10, 140, 130},
                               [](int x, int) { return float(60 * std::exp(-(x - 60) * (x - 60) / 100.0)); });
    gl::TerrainRenderer renderer{functions()};
    gl::Canvas canvas{functions(), picture_size, 1};

    void SetUp() override { renderer.set_scene(scene_of_heights(heights, cell)); }

    int red_pixels(const Camera& camera) {
        renderer.draw(canvas.framebuffer(), picture_size, camera, exact());
        const std::vector<uint8_t> colours = canvas.colours();
        int count = 0;
        for (int y = 0; y < picture_size.height; y++)
            for (int x = 0; x < picture_size.width; x++)
                count += pixel_of(colours, picture_size, x, y) == red;
        return count;
    }
    static Camera from(double x, double heading) {
        Camera camera;
        camera.position = {x, 140, 25};
        camera.heading = heading;
        camera.pitch = -5;
        return camera;
    }
};

TEST_F(SceneLines, AreHiddenBehindTheGround) {
    // East of the ridge, which is at 120 m.
    renderer.set_lines({{parse_lines("200,60 200,220"), red, 3}});
    EXPECT_GT(red_pixels(from(250, 270)), 100) << "from the east it is before the ridge";
    EXPECT_EQ(red_pixels(from(0, 90)), 0) << "from the west it is behind it";
    renderer.set_lines({});
    EXPECT_EQ(red_pixels(from(250, 270)), 0);
}

TEST_F(SceneLines, LieOnTheGroundWhereverItIsPicked) {
    renderer.set_lines({{parse_lines("60,100 180,180"), red, 3}});
    Camera camera;
    camera.position = {120, 260, 160};
    camera.pitch = -50;
    renderer.draw(canvas.framebuffer(), picture_size, camera, exact());
    const std::vector<uint8_t> colours = canvas.colours();
    const PictureByRays rays(heights, cell, camera, picture_size);
    int count = 0;
    for (int y = 0; y < picture_size.height; y++)
        for (int x = 0; x < picture_size.width; x++) {
            if (!(pixel_of(colours, picture_size, x, y) == red)) continue;
            const std::optional<Seen> seen = rays.at(x, y);
            ASSERT_TRUE(seen);
            // From the straight line over the map, in metres; a pixel is some 0.7 m there.
            const Vector3& at = seen->hit.position;
            const double beside = std::fabs((at.x - 60) * 80 - (at.y - 100) * 120) / std::hypot(80, 120);
            EXPECT_LT(beside, 4) << x << "," << y;
            count++;
        }
    EXPECT_GT(count, 150);
    // The ground moves, and the line with it.
    Scene higher = scene_of_heights(made_field(heights.rect(), [](int, int) { return 40.0f; }), cell);
    renderer.update(higher, heights.rect());
    EXPECT_GT(red_pixels(camera), 150);
}

// After a part of the ground has changed, and lost cells or got them back, lines are where they would be drawn anew.
TEST_F(SceneLines, FollowWhatIsEdited) {
    const std::vector<DrawnLines> lines = {{parse_lines("20,100 260,180"), red, 3}};
    Camera camera;
    camera.position = {120, 260, 160};
    camera.pitch = -50;
    auto red_of = [&](gl::TerrainRenderer& drawing) {
        drawing.draw(canvas.framebuffer(), picture_size, camera, exact());
        return canvas.colours();
    };
    renderer.set_lines(lines);
    red_of(renderer);
    const Rect changed{50, 40, 90, 100};
    Field edited = heights.copied();
    const auto change = [&](float value) {
        for (int y = changed.top; y < changed.bottom; y++)
            for (int x = changed.left; x < changed.right; x++) edited.set(x, y, value);
        const Scene scene = scene_of_heights(edited.copied(), cell);
        renderer.update(scene, changed);
        gl::TerrainRenderer fresh{functions()};
        fresh.set_scene(scene);
        fresh.set_lines(lines);
        EXPECT_TRUE(red_of(renderer) == red_of(fresh)) << value;
    };
    change(35);
    change(missing);
    change(10);
}

TEST_F(SceneLines, BesideTheLandAndOverHolesThereAreNone) {
    renderer.set_lines({{parse_lines("-900,100 -800,200; 5000,5000"), red, 5}});
    EXPECT_EQ(red_pixels(from(250, 270)), 0);
    Field holes = heights;
    for (int y = 10; y < 130; y++) holes.writable_rows()[y][120] = missing;
    renderer.set_scene(scene_of_heights(holes, cell));
    renderer.set_lines({{parse_lines("200,60 200,220"), red, 3}});
    EXPECT_EQ(red_pixels(from(250, 270)), 0);
}

}  // namespace
}  // namespace caprock::test
