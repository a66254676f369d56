// Documents to paint on, and strokes to paint with.
#pragma once

#include "document/documents.h"
#include "painting/brush_text.h"
#include "painting/live_stroke.h"
#include "painting/stroke.h"

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
    for (const auto& [setting, value] : settings) declaration.find(setting)->set_text(value);
    if (brush.operation) {
        std::unique_ptr<Operation> operation = brush.operation->clone();
        Declaration of_operation = operation->declare();
        for (const auto& [parameter, value] : parameters) of_operation.find(parameter)->set_text(value);
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
