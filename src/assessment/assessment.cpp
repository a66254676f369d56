#include "assessment/assessment.h"

#include "base/memory.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// Units of progress a cell of what is not drainage.
constexpr int64_t form_units = 1, roughness_units = 1;
constexpr int64_t all_units =
    2 * FlowGraph::units_to_make + Streams::units_to_make + form_units + roughness_units;

bool is_finite(const Field& field) {
    const Rect& rect = field.rect();
    const Field::Rows rows = field.rows();
    for (int y = rect.top; y < rect.bottom; y++)
        if (std::any_of(rows[y], rows[y] + rect.width(), [](float value) { return std::isinf(value); }))
            return false;
    return true;
}

// The same field wherever all of it is finite.
Field without_infinities(const Field& field) {
    if (is_finite(field)) return field;
    Field made = field.copied();
    const Rect& rect = made.rect();
    const Field::WritableRows rows = made.writable_rows();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int i = 0; i < rect.width(); i++)
            if (std::isinf(rows[y][i])) rows[y][i] = missing;
    return made;
}

void assess_drainage(const Field& height, double cell, Progress& progress, Assessment& made) {
    const Field filled = FlowGraph(height, FlowRules{}, progress).filled();
    made.hollows = closed_hollows(height, filled);
    // Over full hollows water goes straight to where they spill over: what stands in them is level.
    const FlowGraph graph(filled, FlowRules{}, progress);
    const Streams streams(graph, cell, progress);
    made.hack = hack(streams);
    made.concavity = concavity(streams, height, filled, made.hollows.least_depth);
    made.horton = horton(streams);
}

}  // namespace

Measured Assessment::share_of(std::initializer_list<Geomorphon> forms) const {
    const int64_t all = landforms.all();
    if (all == 0) return Measured::none("no cell sees ground in all eight directions");
    int64_t count = 0;
    for (Geomorphon form : forms) count += landforms.of(form);
    return double(count) / double(all);
}

uint64_t bytes_to_assess(const Rect& rect) {
    // The heights and the filled ones.
    constexpr uint64_t bytes_of_fields = 2 * sizeof(float);
    return FlowGraph::bytes_of(rect) + uint64_t(rect.cells()) * (bytes_of_fields + Streams::bytes_per_cell);
}

Assessment assess(const Field& given, double cell, Progress& progress) {
    const Rect& rect = given.rect();
    require_memory(bytes_to_assess(rect),
                   fmt::format("assessing {} x {} cells", rect.width(), rect.height()));
    progress.expect(all_units * rect.cells());
    const Field height = without_infinities(given);
    const FieldStatistics statistics = caprock::statistics(height);
    Assessment made;
    made.size = rect.size();
    made.cell = cell;
    made.known = statistics.cells - statistics.missing;
    made.missing = statistics.missing;
    made.lowest = statistics.low;
    made.highest = statistics.high;
    made.hypsometry = hypsometry(height);
    made.slopes = slope_shares(height, cell);
    made.roughness = roughness(height, progress);
    made.landforms = geomorphons(height, cell, {}, progress);
    assess_drainage(height, cell, progress, made);
    progress.complete();
    return made;
}

}  // namespace caprock
