// A flight over ever larger windows of one landscape, all around its middle, so that what is near is the same in all of
// them: frames, detail, and how soon a change is seen.
#include "rendering.h"

#include "base/memory.h"
#include "base/telling.h"
#include "compute/cpu_device.h"
#include "operation/evaluate.h"
#include "view/gl/headless.h"
#include "view/gl/terrain_renderer.h"
#include "view/picking.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace caprock {

namespace {

constexpr Size picture = {1280, 720};
constexpr double cell = 4;         // metres
constexpr int flight_frames = 24;  // the median of them counts
constexpr double step = 6;         // metres from one frame to the next: 360 km/h at 16 frames a second
constexpr double above_ground = 250;
constexpr double flight_pitch = -12;
constexpr int changed_side = 256;  // cells

double milliseconds(const std::function<void()>& action) {
    auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::ranges::nth_element(values, values.begin() + ptrdiff_t(values.size() / 2));
    return values[values.size() / 2];
}

// One tile lies higher than it did, as after a stroke of a brush; the field itself stays whole and uncopied.
class RaisedTile : public CellSource {
  public:
    RaisedTile(std::shared_ptr<const CellSource> ground, const Rect& tile, float by)
        : ground_(std::move(ground)), tile_(tile), by_(by) {}

    Rect rect() const override { return ground_->rect(); }
    void read(const Rect& region, int stride, float* to) const override {
        ground_->read(region, stride, to);
        bool apart = region.intersected(tile_).empty();
        for (int y = region.top; y < region.bottom && !apart; y += stride)
            for (int x = region.left; x < region.right; x += stride, to++)
                if (tile_.contains(x, y)) *to += by_;
    }

  private:
    std::shared_ptr<const CellSource> ground_;
    Rect tile_;
    float by_;
};

Rect around_middle(const Rect& all, int side) {
    int left = (all.left + all.right - side) / 2;
    int top = (all.top + all.bottom - side) / 2;
    return {left, top, left + side, top + side};
}

Scene scene_of_heights(const Field& heights) {
    Scene scene;
    scene.rect = heights.rect();
    scene.grid = {heights.rect(), cell, {0, 1500}};
    scene.heights = source_of(heights);
    return scene;
}

// Ahead over the middle, looking a little down, with the horizon in the picture: all the ground there is.
Camera on_the_flight(const Field& heights, int frame) {
    Grid grid{heights.rect(), cell, {0, 1500}};
    WorldPoint middle = grid.middle_of(heights.rect());
    Camera camera;
    camera.heading = 20 + frame * 0.5;
    camera.pitch = flight_pitch;
    camera.position = {middle.x, middle.y,
                       height_at(heights, grid, middle.x, middle.y).value() + above_ground};
    Vector3 ahead = axes_of(camera).ahead;
    camera.position.x += ahead.x * step * frame;
    camera.position.y += ahead.y * step * frame;
    return camera;
}

SceneLook plain_look(double error) {
    SceneLook look;
    look.detail.error = error;
    return look;
}

struct Painter {
    const gl::Functions& functions;
    gl::TerrainRenderer renderer;
    gl::Canvas canvas;

    explicit Painter(const gl::Functions& gl) : functions(gl), renderer(gl), canvas(gl, picture, 1) {}

    gl::FrameReport draw(const Camera& camera, double error) {
        gl::FrameReport report = renderer.draw(canvas.framebuffer(), picture, camera, plain_look(error));
        functions.Finish();
        return report;
    }
};

void print_frames(Painter& painter, const Field& heights) {
    for (double error : {1.0, 2.0, 4.0}) {
        // What a program does once, compiling shaders and bringing the first pages, is not a frame.
        painter.draw(on_the_flight(heights, 0), error);
        std::vector<double> times;
        gl::FrameReport report;
        for (int frame = 1; frame <= flight_frames; frame++)
            times.push_back(
                milliseconds([&] { report = painter.draw(on_the_flight(heights, frame), error); }));
        say("  {:>8} {:>4} {:>8.1f} {:>8.1f} {:>9.1f} {:>9.1f} {:>6} {:>10} {:>6}\n", heights.rect().width(),
            error, median(times), *std::ranges::min_element(times), *std::ranges::max_element(times),
            1000 / median(times), report.tiles, report.triangles, report.pages);
        flush_said_or_stop();
    }
}

struct Change {
    double update = 0;
    double frame = 0;
};

Change changed_tile(Painter& painter, const Field& heights, double error, int repeats) {
    // In the middle of the picture, not far from the camera.
    Camera camera = on_the_flight(heights, flight_frames);
    Vector3 ahead = axes_of(camera).ahead;
    int x = int((camera.position.x + ahead.x * 800) / cell) - changed_side / 2;
    int y = int((camera.position.y + ahead.y * 800) / cell) - changed_side / 2;
    Rect tile = {x, y, x + changed_side, y + changed_side};
    std::shared_ptr<const CellSource> ground = source_of(heights);
    painter.draw(camera, error);
    Scene scene = scene_of_heights(heights);
    std::vector<double> updates;
    std::vector<double> frames;
    for (int repeat = 0; repeat < 2 * repeats; repeat++) {
        float by = repeat % 2 ? 0.0f : 5.0f;
        updates.push_back(milliseconds([&] {
            scene.heights = std::make_shared<RaisedTile>(ground, tile, by);
            painter.renderer.update(scene, tile);
            painter.functions.Finish();
        }));
        frames.push_back(milliseconds([&] { painter.draw(camera, error); }));
    }
    scene.heights = ground;
    painter.renderer.update(scene, tile);
    return {median(updates), median(frames)};
}

// The same views of ever larger terrains. What is beyond the picture should cost nothing; with the horizon in the picture,
// each doubling of a landscape that is rough at every scale adds a ring that looks like the last one, from twice as far.
void print_growth(Painter& painter, const Field& all, int smallest) {
    say("\n  triangles of the same view, by the terrain's side in cells\n  {:>20}", "");
    std::vector<int> sides;
    for (int side = smallest; side <= all.rect().width(); side *= 2) sides.push_back(side);
    for (int side : sides) say(" {:>9}", side);
    say("\n");
    struct Line {
        const char* name;
        double pitch;
        double error;
        std::vector<int64_t> triangles;
    };
    std::vector<Line> lines;
    for (double error : {1.0, 2.0, 4.0}) lines.push_back({"to the horizon", flight_pitch, error, {}});
    for (double error : {1.0, 2.0, 4.0}) lines.push_back({"downwards", -60, error, {}});
    for (int side : sides) {
        Field heights = all.cropped(around_middle(all.rect(), side));
        painter.renderer.set_scene(scene_of_heights(heights));
        for (Line& line : lines) {
            Camera camera = on_the_flight(heights, 0);
            camera.pitch = line.pitch;
            line.triangles.push_back(painter.draw(camera, line.error).triangles);
        }
    }
    for (const Line& line : lines) {
        say("  {:>20}", fmt::format("{}, e = {}", line.name, line.error));
        for (int64_t count : line.triangles) say(" {:>9}", count);
        say("\n");
    }
}

Field landscape(int side) {
    Grid grid{Rect::of({side, side}), cell, {0, 1500}};
    RunContext context{make_cpu_device(chosen_cpu_level()), nullptr, {}};
    // Mountains of 25 degrees on average, rough down to single cells.
    return run(*operation_with("noise", {{"octaves", 10}}), Terrain(grid), context).height();
}

}  // namespace

void run_rendering_benchmarks(int repeats) {
    std::optional<gl::HeadlessContext> context;
    try {
        context.emplace();
    } catch (const gl::GlError& error) {
        say("\nrendering: {}\n", error.what());
        return;
    }
    say("\nrendering: {}\n  {} x {} pixels, plain ground, cells of {} m, {} frames of a flight\n",
        context->renderer(), picture.width, picture.height, cell, flight_frames);

    constexpr int sides[] = {1024, 4096, 16384};
    std::optional<Field> all;
    std::vector<int> there;
    for (int side : sides) {
        try {
            // The heights, as much again while they are made, the pyramid, and the textures.
            require_memory(
                uint64_t(side) * uint64_t(side) * 10 + uint64_t(gl::TerrainRenderer::usual_texture_bytes),
                fmt::format("drawing {} x {} cells", side, side));
            there.push_back(side);
        } catch (const OutOfMemory& error) {
            say("  {} x {} is left out: {}\n", side, side, error.what());
        }
    }
    if (there.empty()) return;
    all = landscape(there.back());

    Painter painter(context->functions());
    say("  {:>8} {:>4} {:>8} {:>8} {:>9} {:>9} {:>6} {:>10} {:>6}\n", "side", "e", "ms", "best ms",
        "worst ms", "frames/s", "tiles", "triangles", "pages");
    struct Row {
        int side;
        double pyramid;
        Change change;
    };
    std::vector<Row> rows;
    for (int side : there) {
        Field heights = all->cropped(around_middle(all->rect(), side));
        double pyramid = milliseconds([&] { DetailPyramid built(source_of(heights)); });
        painter.renderer.set_scene(scene_of_heights(heights));
        print_frames(painter, heights);
        rows.push_back({side, pyramid, changed_tile(painter, heights, 4, repeats)});
    }
    say("\n  {:>8} {:>18} {:>24} {:>14} {:>14}\n", "side", "detail pyramid ms", "changed tile: update ms",
        "frame ms", "together");
    for (const Row& row : rows)
        say("  {:>8} {:>18.0f} {:>24.1f} {:>14.1f} {:>14.1f}\n", row.side, row.pyramid, row.change.update,
            row.change.frame, row.change.update + row.change.frame);
    print_growth(painter, *all, there.front());
    for (const std::string& complaint : context->complaints()) say("  OpenGL: {}\n", complaint);
}

}  // namespace caprock
