// Documents for tests.
#pragma once

#include "document/commands.h"
#include "document/document.h"
#include "document/plan.h"
#include "graph/evaluator.h"
#include "support/devices.h"
#include "support/fields.h"
#include "support/folder.h"
#include "support/operations.h"
#include "support/terrains.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace caprock::test {

inline Grid grid_of(int width, int height, double cell = 4) {
    return {Rect::of({width, height}), cell, {0, 300}};
}

inline Layer layer_with(const std::string& name, const std::string& mode = "lerp", double opacity = 1) {
    Layer layer;
    layer.name = name;
    layer.blend = make_blend(mode, opacity);
    return layer;
}

using Settings = std::vector<std::pair<std::string, std::string>>;

inline std::vector<LayerOperation> operations_of(const std::string& name, const Settings& parameters = {}) {
    std::vector<LayerOperation> operations;
    operations.emplace_back(made_operation(name, parameters));
    return operations;
}

inline int add_generated(Document& document, const Settings& noise, Layer settings, LayerSpot spot = {}) {
    return add_operations(document, operations_of("noise", noise), std::move(settings), spot);
}

// A dab: rough ground inside a disc, as a brush would leave it.
inline Field dab(const Field& before, double x, double y, double radius, float height, uint32_t seed = 1) {
    Field after = before.copied();
    Rect rect = before.rect();
    Field::WritableRows rows = after.writable_rows();
    for (int cell_y = rect.top; cell_y < rect.bottom; cell_y++)
        for (int cell_x = rect.left; cell_x < rect.right; cell_x++) {
            double squared = ((cell_x - x) * (cell_x - x) + (cell_y - y) * (cell_y - y)) / (radius * radius);
            if (squared >= 1) continue;
            float& cell = rows[cell_y][cell_x - rect.left];
            float falloff = float((1 - squared) * (1 - squared));
            cell = (is_missing(cell) ? 0 : cell) +
                   height * falloff * (0.9f + 0.2f * scattered(cell_x, cell_y, seed));
        }
    return after;
}

// A stroke from one place to another, as one command.
inline int64_t stroke(Document& document, int layer, double x0, double y0, double x1, double y1,
                      double radius, float height, uint32_t seed = 1) {
    int canvas = canvas_of(document.state(), layer, "");
    return document.change("stroke", [&](Edit& edit) {
        int steps = std::max(1, int(std::hypot(x1 - x0, y1 - y0) / (radius / 2)));
        for (int i = 0; i <= steps; i++) {
            double x = x0 + (x1 - x0) * i / steps;
            double y = y0 + (y1 - y0) * i / steps;
            Rect around{int(x - radius) - 1, int(y - radius) - 1, int(x + radius) + 2, int(y + radius) + 2};
            edit.write(canvas, dab(edit.read(canvas, around), x, y, radius, height / float(steps + 1), seed));
        }
    });
}

inline RunContext cpu_context() { return on(make_cpu_device(supported_cpu_levels().back(), 2)); }

// Everything, whole.
inline Terrain evaluated(Document& document, RunContext& context) {
    Plan plan(document.snapshot());
    return Evaluator(context).evaluate(plan, plan.window());
}

inline uint64_t height_fingerprint(Document& document) {
    RunContext context = cpu_context();
    return fingerprint(evaluated(document, context).height());
}

// Of all that is painted.
inline std::map<int, uint64_t> canvas_fingerprints(Document& document, const Rect& region) {
    std::map<int, uint64_t> all;
    for (const auto& [id, canvas] : document.snapshot().canvases) all[id] = fingerprint(canvas.read(region));
    return all;
}

}  // namespace caprock::test
