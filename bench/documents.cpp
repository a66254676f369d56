#include "documents.h"

#include "base/telling.h"
#include "bench_folder.h"
#include "compute/devices.h"
#include "document/commands.h"
#include "document/document.h"
#include "document/plan.h"
#include "document/project_tile_store.h"
#include "graph/evaluator.h"
#include "operation/operation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <vector>

namespace caprock {

namespace {

namespace fs = std::filesystem;

double seconds(const std::function<void()>& action) {
    auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void report(const char* what, std::vector<double> times) {
    std::ranges::sort(times);
    say("  {:<58} {:>9.1f} ms, at best {:.1f}\n", what, times[times.size() / 2] * 1e3, times.front() * 1e3);
    flush_said_or_stop();
}

Layer named(const std::string& name, const char* mode = "lerp", double opacity = 1) {
    Layer layer;
    layer.name = name;
    layer.blend = make_blend(mode, opacity);
    return layer;
}

template <typename... Operations>
std::vector<LayerOperation> steps(Operations&&... operations) {
    std::vector<LayerOperation> all;
    (all.emplace_back(std::forward<Operations>(operations)), ...);
    return all;
}

std::unique_ptr<Operation> noise(double feature, int seed, const char* field = "height") {
    return operation_with("noise",
                          {{"feature", feature}, {"seed", uint32_t(seed)}, {"field", std::string(field)}});
}

// Ground, hardness, ridges, smoothing, masks, two painted layers, detail: ten layers. Returns the topmost and a painted one.
std::pair<int, int> add_ten_layers(Document& document) {
    add_operations(document, steps(noise(3000, 1)), named("Ground"));
    add_operations(document, steps(noise(900, 2, "hardness")), named("Hardness"));
    add_operations(document, steps(noise(1500, 3)), named("Ridges", "max", 0.6));
    add_operations(document, steps(operation_with("smooth", {{"radius", 30.0}})),
                   named("Smooth", "lerp", 0.5));
    int masked = add_operations(document, steps(noise(700, 4)), named("Masked", "multi-resolution", 0.7));
    set_mask(document, masked, steps(operation_with("mask-height", {{"between", Interval{300, 700}}})));
    int painted = add_painted(document, "height", named("Painted", "add"));
    add_operations(document, steps(noise(400, 5)), named("Detail", "add", 0.1));
    add_operations(document, steps(operation_with("levelling", {{"radius", 10.0}})),
                   named("Levelled", "lerp", 0.3));
    add_painted(document, "hardness", named("Hard"));
    int top = add_operations(document, steps(noise(250, 6)), named("Top", "overlay", 0.2));
    return {top, painted};
}

void dab(Edit& edit, int canvas, double x, double y, double radius) {
    Rect around{int(x - radius), int(y - radius), int(x + radius) + 1, int(y + radius) + 1};
    Field cells = edit.read(canvas, around);
    Field::WritableRows rows = cells.writable_rows();
    for (int cell_y = around.top; cell_y < around.bottom; cell_y++)
        for (int cell_x = around.left; cell_x < around.right; cell_x++) {
            double away = std::hypot(cell_x - x, cell_y - y) / radius;
            float& cell = rows[cell_y][cell_x - around.left];
            if (away < 1) cell = (is_missing(cell) ? 0 : cell) + float(5 * (1 - away));
        }
    edit.write(canvas, cells);
}

}  // namespace

void run_document_benchmarks(int size, int repeats, Progress* progress) {
    repeats = std::max(repeats, 5);
    BenchFolder folder;
    std::string path = folder / "bench.caprock";
    say("\ndocuments: {0} x {0} cells, ten layers, a region of 1024 x 1024\n", size);
    RunContext context;
    context.device = choose_device("cpu", 0, 0);
    context.progress = progress;
    {
        auto document = Document::create(path, Grid{Rect::of({size, size}), 2, {0, 1000}});
        auto [top, painted] = add_ten_layers(*document);
        int canvas = canvas_of(document->state(), painted, "height");
        int side = std::min(size, 1024);
        int left = (size - side) / 2 / tile_side * tile_side;
        Rect region{left, left, left + side, left + side};
        Evaluator evaluator(context);
        auto show = [&] {
            Plan plan(document->snapshot());
            evaluator.evaluate(plan, plan.top(), {"height"}, region);
        };
        say("  {:<58} {:>9.1f} ms\n", "the region for the first time", seconds(show) * 1e3);
        std::vector<double> slider, middle, stroke, undo;
        for (int i = 0; i < repeats * 4; i++) {
            double opacity = 0.2 + 0.01 * (i % 60);
            slider.push_back(seconds([&] {
                set_layer(*document, top, {{"opacity", fmt::format("{}", opacity)}}, "top");
                show();
            }));
        }
        report("opacity of the top layer, to the finished region", slider);
        int lowest = document->state().layers[2].id;
        for (int i = 0; i < repeats; i++)
            middle.push_back(seconds([&] {
                set_layer(*document, lowest, {{"opacity", fmt::format("{}", 0.3 + 0.01 * (i % 60))}},
                          "middle");
                show();
            }));
        report("opacity of the third layer: seven above it", middle);
        for (int i = 0; i < repeats * 2; i++)
            stroke.push_back(seconds([&] {
                document->change("stroke", [&](Edit& edit) {
                    for (int s = 0; s < 8; s++)
                        dab(edit, canvas, left + 200 + 40 * s, left + 100 + 30 * i, 50);
                });
                show();
            }));
        report("a stroke of eight dabs below four layers", stroke);
        for (int i = 0; i < repeats * 2; i++)
            undo.push_back(seconds([&] {
                document->undo();
                show();
            }));
        report("its undo", undo);
        say("  {:<58} {:>9.1f} ms\n", "until all of it is on disk",
            seconds([&] { document->flush(); }) * 1e3);
        // A file as large as real ones: every tile painted.
        double filling = seconds([&] {
            rasterise_layer(*document, document->state().layers[0].id, context);
            document->save();
        });
        say("  {:<58} {:>9.1f} ms, {} MB\n", "the lowest layer into painted tiles, and saved", filling * 1e3,
            fs::file_size(path) >> 20);
    }
    std::vector<double> opening;
    for (int i = 0; i < repeats; i++)
        opening.push_back(seconds([&] {
            auto document = Document::open(path);
            Plan plan(document->snapshot());
            const Scope& below = plan.after(document->state().layers[0].id);
            Evaluator(context).evaluate(plan, below, {"height"}, {0, 0, tile_side, tile_side});
        }));
    report("opening it, to the first tile", opening);
}

}  // namespace caprock
