// Commands that turn what is computed into painted cells.
#include "base/text.h"
#include "document/commands.h"
#include "document/plan.h"
#include "graph/evaluator.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace caprock {

namespace {

// Regions of a few tiles, row by row: what is made of them goes to the file as it comes.
constexpr int region_tiles = 8;

template <typename Action>
void each_region(const Rect& extent, Progress* progress, const Action& action) {
    constexpr int side = region_tiles * tile_side;
    Rect blocks{extent.left >> 11, extent.top >> 11, ((extent.right - 1) >> 11) + 1,
                ((extent.bottom - 1) >> 11) + 1};
    static_assert(side == 1 << 11);
    if (progress) progress->check();
    for (int y = blocks.top; y < blocks.bottom; y++)
        for (int x = blocks.left; x < blocks.right; x++) {
            if (progress) progress->check();
            action(Rect{x * side, y * side, (x + 1) * side, (y + 1) * side}.intersected(extent));
        }
}

int canvas_for(Edit& edit) {
    CanvasInfo info;
    info.cell = edit.state().grid.cell;
    info.blank = missing;
    info.computed = true;
    return edit.new_canvas(info);
}

void require_in_plan(const Plan& plan, int layer) {
    // One that is there has content, also where it is of no effect.
    if (plan.content(layer)) return;
    for (const std::string& problem : plan.problems())
        if (problem.starts_with(fmt::format("layer {} ", layer))) throw Error(problem);
}

// Where a painted layer has no cell, what lies below is seen: it cannot take any away.
void require_no_cells_taken(const Field& below, const Field& after, const Layer& layer) {
    const Rect& rect = after.rect();
    Field::Rows had = below.rows();
    Field::Rows has = after.rows();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = 0; x < rect.width(); x++)
            if (is_missing(has[y][x]) && !is_missing(had[y][x]))
                throw Error(fmt::format(
                    "layer {} ({}) takes cells away, at {},{} for one, and painted ones cannot; collapse it "
                    "together with all that lie below it",
                    layer.id, one_line(layer.name), rect.left + x, y));
}

}  // namespace

void rasterise_layer(Document& document, int id, RunContext& context) {
    const Layer before = layer_of(document.state(), id);
    if (before.locked) throw Error(fmt::format("layer {} ({}) is locked", id, one_line(before.name)));
    if (before.kind == LayerKind::painted && !before.placement.moves())
        throw Error(fmt::format("layer {} ({}) is painted already", id, one_line(before.name)));
    // Whether it is to be seen makes no difference to what it is.
    Snapshot snapshot = document.snapshot();
    auto shown = std::make_shared<DocumentState>(*snapshot.state);
    Layer& there = layer_of(*shown, id);
    there.visible = true;
    there.blend = with_parameter(*there.blend, "opacity", 1.0);
    snapshot.state = shown;
    Plan plan(snapshot);
    require_in_plan(plan, id);
    const Scope* content = plan.content(id);
    if (!content) throw Error(fmt::format("layer {} ({}) has no content", id, one_line(before.name)));
    // Of an adjustment: the fields it changes.
    std::vector<std::string> fields;
    bool on_below = before.kind == LayerKind::adjustment || before.kind == LayerKind::group;
    for (const std::string& field : content->names()) {
        const NodeField& made = content->at(field);
        const NodeField* below = plan.below(id).find(field);
        if (on_below && below && made == *below) continue;
        // What a group by itself stands on is no part of it.
        if (plan.node(made.node).kind == Node::Kind::constant) continue;
        fields.push_back(field);
    }
    bool changes_below = on_below && before.puts_in_place();
    Evaluator evaluator(context);
    document.change("rasterise '" + one_line(before.name) + "'", [&](Edit& edit) {
        std::vector<LayerCanvas> canvases;
        for (const std::string& field : fields) canvases.push_back({field, canvas_for(edit)});
        each_region(plan.grid().extent, context.progress, [&](const Rect& region) {
            const Terrain cells = evaluator.evaluate(plan, *content, fields, region);
            for (const LayerCanvas& use : canvases) {
                const NodeField* below = plan.below(id).find(use.field);
                if (changes_below && below)
                    require_no_cells_taken(evaluator.field(plan, *below, region), cells.field(use.field),
                                           before);
                edit.write(use.canvas, cells.field(use.field));
            }
        });
        Layer& layer = layer_of(edit.state(), id);
        layer.kind = LayerKind::painted;
        layer.canvases = canvases;
        layer.operations.clear();
        if (layer.mask.kind != LayerMask::Kind::generated) layer.takes.clear();
        layer.layers.clear();
        layer.range.reset();
        layer.placement = Placement();
        layer.file.clear();
    });
}

int collapse_layers(Document& document, const std::vector<int>& layers, RunContext& context) {
    if (layers.empty()) throw Error("which layers?");
    DocumentState state = document.state();
    LayerPlace first = place_of(state, layers.front());
    std::vector<size_t> indices;
    for (int id : layers) {
        LayerPlace place = place_of(state, id);
        if (place.list != first.list) throw Error("layers of different groups cannot be collapsed into one");
        const Layer& layer = (*place.list)[place.index];
        if (layer.locked) throw Error(fmt::format("layer {} ({}) is locked", id, one_line(layer.name)));
        indices.push_back(place.index);
    }
    std::ranges::sort(indices);
    for (size_t i = 1; i < indices.size(); i++)
        if (indices[i] != indices[i - 1] + 1)
            throw Error(
                "only layers next to each other can be collapsed: the one between would come to lie "
                "elsewhere");
    const Layer lowest = (*first.list)[indices.front()];
    const Layer highest = (*first.list)[indices.back()];

    Plan plan(document.snapshot());
    for (int id : layers) require_in_plan(plan, id);
    const Scope& below = plan.below(lowest.id);
    const Scope& after = plan.after(highest.id);
    std::vector<std::string> fields;
    for (const std::string& field : after.names())
        if (!below.has(field) || after.at(field) != below.at(field)) fields.push_back(field);
    Evaluator evaluator(context);
    int made = 0;
    document.change(fmt::format("collapse {} layers", layers.size()), [&](Edit& edit) {
        Layer layer;
        layer.kind = LayerKind::painted;
        layer.name = layers.size() == 1 ? lowest.name : highest.name + " on " + lowest.name;
        layer.blend = make_blend();
        // A layer that changes nothing is still a layer.
        if (fields.empty()) layer.canvases.push_back({"height", canvas_for(edit)});
        for (const std::string& field : fields) {
            int canvas = canvas_for(edit);
            layer.canvases.push_back({field, canvas});
            each_region(plan.grid().extent, context.progress, [&](const Rect& region) {
                // Tiles in which nothing happens stay blank.
                std::vector<TileIndex> touched;
                for (const TileIndex& tile : tiles_over(region))
                    if (!below.has(field) || plan.key(below, field, tile) != plan.key(after, field, tile))
                        touched.push_back(tile);
                if (touched.empty()) return;
                const Field cells = evaluator.field(plan, after.at(field), region);
                if (const NodeField* there = below.find(field))
                    require_no_cells_taken(evaluator.field(plan, *there, region), cells, highest);
                for (const TileIndex& tile : touched)
                    edit.write(canvas, cells.cropped(tile.rect().intersected(region)));
            });
        }
        DocumentState& own = edit.state();
        layer.id = own.next_layer++;
        made = layer.id;
        LayerPlace place = place_of(own, lowest.id);
        auto at = place.list->begin() + ptrdiff_t(place.index);
        at = place.list->erase(at, at + ptrdiff_t(layers.size()));
        place.list->insert(at, std::move(layer));
    });
    return made;
}

int merge_down(Document& document, int id, RunContext& context) {
    DocumentState state = document.state();
    LayerPlace place = place_of(state, id);
    if (place.index == 0)
        throw Error(fmt::format("layer {} ({}) has none below it to be merged with", id,
                                one_line((*place.list)[place.index].name)));
    return collapse_layers(document, {(*place.list)[place.index - 1].id, id}, context);
}

}  // namespace caprock
