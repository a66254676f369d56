// A terrain larger than the textures there is room for.
#include "gl_pictures.h"
#include "support/fields.h"

#include <cmath>

namespace caprock::test {
namespace {

constexpr int land_side = 4096;

class TextureMemory : public GlPictures {
  protected:
    static const Field& land() {
        static const Field made = made_field(Rect::of({land_side, land_side}), [](int x, int y) {
            float height = 0;
            float strength = 150;
            float frequency = 0.004f;
            for (int octave = 0; octave < 5; octave++) {
                height += strength * std::sin(float(x) * frequency + float(octave)) *
                          std::cos(float(y) * frequency * 1.1f);
                strength *= 0.4f;
                frequency *= 2.7f;
            }
            return height;
        });
        return made;
    }

    // Over the whole terrain, turning about, now high and now low, never near enough to its border to see beyond it
    // downwards.
    static Camera on_the_way(int frame, int frames) {
        double turn = 2 * 3.14159265358979 * frame / frames;
        double middle = land_side * cell / 2;
        Camera camera;
        camera.position = {middle + middle * 0.35 * std::sin(turn),
                           middle + middle * 0.35 * std::sin(2 * turn), 0};
        camera.position.z = height_at(land(), grid_of(cell), camera.position.x, camera.position.y).value() +
                            60 + 400 * (1 + std::sin(5 * turn));
        camera.heading = 360.0 * 3 * frame / frames;
        camera.pitch = -45;
        return camera;
    }

    static int magenta_of(const gl::Canvas& canvas) {
        std::vector<uint8_t> colours = canvas.colours();
        int magenta = 0;
        for (size_t i = 0; i < colours.size(); i += 3)
            magenta += colours[i] == 255 && colours[i + 1] == 0 && colours[i + 2] == 255;
        return magenta;
    }
};

TEST_F(TextureMemory, StaysWithinItsBudgetOnALongFlight) {
    constexpr int64_t budget = 20 << 20;
    // Heights, slopes and marks of four bytes a texel, and nine for what a terrain may have besides.
    constexpr int64_t most_pages = budget / (int64_t(gl::PageCache::side) * gl::PageCache::side * 21);
    gl::TerrainRenderer renderer(functions(), budget);
    renderer.set_scene(scene_of_heights(land(), cell, {-300, 300}));
    Size size = {320, 180};
    gl::Canvas canvas(functions(), size, 1);
    SceneLook look = bare();
    int64_t brought = 0;
    int most_resident = 0;
    constexpr int frames = 120;
    for (int frame = 0; frame < frames; frame++) {
        Camera camera = on_the_way(frame, frames);
        gl::FrameReport report = renderer.draw(canvas.framebuffer(), size, camera, look);
        ASSERT_LE(report.pages, most_pages) << "frame " << frame;
        ASSERT_EQ(magenta_of(canvas), 0) << "frame " << frame;
        brought += report.uploaded_texels;
        most_resident = std::max(most_resident, report.pages);
    }
    EXPECT_EQ(most_resident, most_pages) << "the room there is is used";
    EXPECT_GT(brought, 2 * most_pages * gl::PageCache::side * gl::PageCache::side)
        << "the flight goes over more than there is room for";
}

// Three pages are too few for any of these pictures: they are coarse then, but whole.
TEST_F(TextureMemory, TooLittleRoomMakesNoHoles) {
    gl::TerrainRenderer renderer(functions(), 5 << 20);
    renderer.set_scene(scene_of_heights(land(), cell, {-300, 300}));
    Size size = {640, 360};
    gl::Canvas canvas(functions(), size, 1);
    for (int frame = 0; frame < 30; frame++) {
        renderer.draw(canvas.framebuffer(), size, on_the_way(frame, 30), bare());
        ASSERT_EQ(magenta_of(canvas), 0) << "frame " << frame;
    }
}

TEST_F(TextureMemory, WhatIsDrawnDoesNotDependOnWhatWasThereBefore) {
    constexpr int64_t budget = 20 << 20;
    Size size = {320, 180};
    gl::Canvas canvas(functions(), size, 1);
    gl::TerrainRenderer travelled(functions(), budget);
    travelled.set_scene(scene_of_heights(land(), cell, {-300, 300}));
    SceneLook look = bare();
    look.detail.hysteresis = 0;  // which is there to remember
    for (int frame = 0; frame < 40; frame++)
        travelled.draw(canvas.framebuffer(), size, on_the_way(frame, 40), look);
    for (int frame : {3, 17, 29}) {
        travelled.draw(canvas.framebuffer(), size, on_the_way(frame, 40), look);
        std::vector<uint8_t> seen = canvas.colours();
        gl::TerrainRenderer fresh(functions(), budget);
        fresh.set_scene(scene_of_heights(land(), cell, {-300, 300}));
        fresh.draw(canvas.framebuffer(), size, on_the_way(frame, 40), look);
        EXPECT_EQ(canvas.colours(), seen) << "frame " << frame;
    }
}

}  // namespace
}  // namespace caprock::test
