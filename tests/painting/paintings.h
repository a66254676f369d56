// Documents to paint on, and strokes to paint with.
#pragma once

#include "document/documents.h"
#include "painting/brush_text.h"
#include "painting/live_stroke.h"
#include "painting/stroke.h"
#include "painting/target.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace caprock::test {

// Rough ground with a painted layer on it.
struct Easel {
    Folder folder;
    std::unique_ptr<Document> document;
    int layer = 0;
    RunContext context = cpu_context();

    explicit Easel(int width = 300, int height = 280, double cell = 4, const std::string& mode = "add") {
        document = Document::create(folder / "painting.caprock", grid_of(width, height, cell));
        add_generated(*document, {{"feature", "400"}, {"seed", "3"}}, layer_with("Ground"));
        layer = add_painted(*document, "height", layer_with("Painted", mode));
    }

    Terrain all() { return evaluated(*document, context); }
    Field height() { return all().height(); }
    Field painted() {
        return document->snapshot().canvas(canvas_of(document->state(), layer, "height")).read(extent());
    }
    Rect extent() const { return document->state().grid.extent; }
    double cell() const { return document->state().grid.cell; }

    void paint(const Brush& brush, const std::vector<PenSample>& samples, uint32_t seed = 1) {
        LiveStroke stroke(*document, {layer, "height"}, brush, seed, context);
        stroke.extend(samples);
        stroke.finish();
    }
};

// Ground that a test has made itself, with nothing on it yet.
struct Land {
    Folder folder;
    std::unique_ptr<Document> document;
    int ground = 0;
    RunContext context = cpu_context();

    explicit Land(const Field& height, double cell = 4) {
        document = Document::create(folder / "land.caprock",
                                    grid_of(height.rect().width(), height.rect().height(), cell));
        ground = fixed("height", height);
    }

    // A layer that shows a field and that nobody paints on by mistake.
    int fixed(const std::string& field, const Field& cells) {
        int layer = add_painted(*document, field, layer_with("Fixed " + field));
        caprock::paint(*document, layer, canvas_of(document->state(), layer, field), cells, "fixed");
        set_layer(*document, layer, {{"locked", "true"}});
        return layer;
    }

    Terrain all() { return evaluated(*document, context); }
    Field height() { return all().height(); }
    Rect extent() const { return document->state().grid.extent; }
    double cell() const { return document->state().grid.cell; }
    Field painted(const PaintTarget& target) const {
        const DocumentState& state = document->state();
        // The layer comes with the first stroke.
        if (!find_layer(state.layers, target.layer)) return Field(extent(), missing);
        int canvas =
            target.mask ? mask_canvas_of(state, target.layer) : canvas_of(state, target.layer, target.field);
        return document->snapshot().canvas(canvas).read(extent());
    }

    void paint(const PaintTarget& target, const Brush& brush, const std::vector<PenSample>& samples,
               uint32_t seed = 1) {
        LiveStroke stroke(*document, target, brush, seed, context);
        stroke.extend(samples);
        stroke.finish();
    }
    PaintTarget paint(const Brush& brush, const std::vector<PenSample>& samples, uint32_t seed = 1) {
        PaintTarget target = target_for(*document, brush);
        paint(target, brush, samples, seed);
        return target;
    }
};

// Hills of 400 m with all their detail, 0 to 300 m high.
inline Field rough_ground(int width, int height, double cell = 4, uint32_t seed = 3) {
    Terrain nothing(grid_of(width, height, cell));
    RunContext context = cpu_context();
    return evaluate(*made_operation("noise", {{"feature", "400"}, {"seed", std::to_string(seed)}}), nothing,
                    nothing.rect(), context)
        .height();
}

// Metres from a line through points.
inline double distance_to(const std::vector<PenSample>& points, double x, double y) {
    double nearest = std::hypot(x - points[0].x, y - points[0].y);
    for (size_t i = 1; i < points.size(); i++) {
        double ahead_x = points[i].x - points[i - 1].x;
        double ahead_y = points[i].y - points[i - 1].y;
        double square = ahead_x * ahead_x + ahead_y * ahead_y;
        double share =
            square > 0 ? ((x - points[i - 1].x) * ahead_x + (y - points[i - 1].y) * ahead_y) / square : 0;
        share = std::clamp(share, 0.0, 1.0);
        nearest = std::min(nearest, std::hypot(x - points[i - 1].x - share * ahead_x,
                                               y - points[i - 1].y - share * ahead_y));
    }
    return nearest;
}

inline std::vector<PenSample> line(double x0, double y0, double x1, double y1, int samples = 12) {
    std::vector<PenSample> all;
    for (int i = 0; i < samples; i++) {
        double t = samples > 1 ? double(i) / (samples - 1) : 0;
        PenSample sample;
        sample.x = x0 + (x1 - x0) * t;
        sample.y = y0 + (y1 - y0) * t;
        all.push_back(sample);
    }
    return all;
}

// Once around, at so many samples a second; it takes four.
inline std::vector<PenSample> circle(double x, double y, double radius, double rate) {
    std::vector<PenSample> all;
    int count = int(4 * rate);
    for (int i = 0; i <= count; i++) {
        double angle = 2 * std::numbers::pi * i / count;
        PenSample sample;
        sample.x = x + radius * std::cos(angle);
        sample.y = y + radius * std::sin(angle);
        sample.time = i / rate;
        all.push_back(sample);
    }
    return all;
}

inline Brush brush_with(const std::string& name, const Settings& settings = {},
                        const Settings& parameters = {}) {
    Brush brush = is_brush(name) ? brush_named(name) : brush_of(*make_operation(name));
    Declaration declaration;
    brush.settings.describe(declaration);
    for (const auto& [setting, value] : settings) declaration.set_text(setting, value);
    if (brush.operation) {
        std::unique_ptr<Operation> operation = brush.operation->clone();
        for (const auto& [parameter, value] : parameters) operation->set_text(parameter, value);
        brush.operation = std::move(operation);
    }
    return brush;
}

inline double largest_difference(const Field& a, const Field& b) {
    double largest = 0;
    for (int y = a.rect().top; y < a.rect().bottom; y++)
        for (int x = a.rect().left; x < a.rect().right; x++) {
            if (is_missing(a.at(x, y)) && is_missing(b.at(x, y))) continue;
            largest = std::max(largest, std::abs(double(a.at(x, y)) - double(b.at(x, y))));
        }
    return largest;
}

}  // namespace caprock::test
