#include "views/scene_shot.h"

#include "view/gl/headless.h"
#include "view/gl/objects.h"
#include "view/gl/terrain_renderer.h"

#include <algorithm>

namespace caprock::editor {

namespace {

// Pixels each way that are drawn at once: between two pieces it can be stopped.
constexpr int piece = 1024;
constexpr int samples = 4;

}  // namespace

Picture SceneShot::draw(Size size, Progress& progress) const {
    Picture picture{size, std::vector<uint8_t>(size_t(size.cells()) * 3)};
    Scene scene = scene_of(terrain, options);
    gl::HeadlessContext context;
    gl::TerrainRenderer renderer(context.functions());
    renderer.set_scene(scene);
    std::vector<DrawnLines> wider = lines;
    for (DrawnLines& set : wider) set.width *= std::max(1.0, double(size.height) / std::max(1, shown.height));
    renderer.set_lines(std::move(wider));
    if (shadows) renderer.set_light_map(shadows->map, shadows->coarser);
    progress.expect(size.cells());
    // From the lowest rows on, where OpenGL begins: the pixels that it shades together are the same as in the whole.
    for (int bottom = size.height; bottom > 0; bottom -= piece)
        for (int left = 0; left < size.width; left += piece) {
            Rect part = Rect{left, bottom - piece, left + piece, bottom}.intersected(Rect::of(size));
            gl::Canvas canvas(context.functions(), part.size(), samples);
            renderer.draw(canvas.framebuffer(), size, camera, look, part);
            std::vector<uint8_t> colours = canvas.colours();
            renderer.check();
            size_t row = size_t(part.width()) * 3;
            for (int y = part.top; y < part.bottom; y++)
                std::copy_n(colours.data() + size_t(y - part.top) * row, row,
                            picture.rgb.data() + (size_t(y) * size_t(size.width) + size_t(left)) * 3);
            progress.advance(part.cells());
        }
    return picture;
}

}  // namespace caprock::editor
