#include "document/commands.h"

#include "base/text.h"
#include "document/document_text.h"
#include "document/layer_files.h"
#include "document/layer_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

namespace caprock {

namespace {

std::string in_quotes(const std::string& name) { return "'" + one_line(name) + "'"; }

void require_unlocked(const Layer& layer) {
    if (layer.locked)
        throw Error(fmt::format("layer {} ({}) is locked; unlock it first (set --no-locked)", layer.id,
                                one_line(layer.name)));
}

Layer& unlocked(DocumentState& state, int id) {
    Layer& layer = layer_of(state, id);
    require_unlocked(layer);
    return layer;
}

// For the title of what is done to them.
std::string names_of(const DocumentState& state, const std::vector<int>& layers) {
    if (layers.size() == 1) return in_quotes(layer_of(state, layers.front()).name);
    return fmt::format("{} layers", layers.size());
}

// Where a layer, or the lowest of several, is put.
LayerPlace place_at(DocumentState& state, const LayerSpot& spot) {
    if (spot.inside) {
        Layer& group = unlocked(state, spot.inside);
        if (group.kind != LayerKind::group)
            throw Error(fmt::format("layer {} ({}) is no group", group.id, one_line(group.name)));
        return {&group.layers, spot.bottom ? 0 : group.layers.size()};
    }
    if (spot.above) {
        LayerPlace place = place_of(state, spot.above);
        return {place.list, place.index + 1};
    }
    return {&state.layers, spot.bottom ? 0 : state.layers.size()};
}

// Puts it in and numbers it.
int put_layer(DocumentState& state, Layer layer, const LayerSpot& spot) {
    layer.id = state.next_layer++;
    int id = layer.id;
    if (layer.name.empty()) layer.name = fmt::format("Layer {}", id);
    if (!layer.blend) layer.blend = make_blend();
    LayerPlace place = place_at(state, spot);
    place.list->insert(place.list->begin() + ptrdiff_t(place.index), std::move(layer));
    return id;
}

CanvasInfo canvas_of_grid(const DocumentState& state, float blank) {
    CanvasInfo info;
    info.cell = state.grid.cell;
    info.blank = blank;
    return info;
}

std::string operation_names_of(const std::vector<LayerOperation>& operations) {
    std::vector<std::string> names;
    for (const LayerOperation& step : operations)
        if (step.operation) names.emplace_back(step.operation->name());
    return fmt::format("{}", fmt::join(names, ", "));
}

// Numbers and canvases of its own for a copy and all in it.
void make_own(Edit& edit, Layer& layer) {
    layer.id = edit.state().next_layer++;
    for (LayerCanvas& use : layer.canvases) use.canvas = edit.new_canvas_like(use.canvas);
    if (layer.mask.kind == LayerMask::Kind::painted)
        layer.mask.canvas = edit.new_canvas_like(layer.mask.canvas);
    for (Layer& inside : layer.layers) make_own(edit, inside);
}

// Metres from the document's first cell to the file's.
std::pair<double, double> offset_between(const DocumentState& state, const Terrain& shape) {
    const Georeference* there = shape.georeference();
    if (!there || !state.georeference || there->projection != state.georeference->projection) return {0, 0};
    Coordinates file = there->at_cell(0, 0);
    Coordinates own = state.georeference->at_cell(0, 0);
    // Coordinates grow to the north.
    return {file.x - own.x, own.y - file.y};
}

int64_t missing_cells(const Field& field) {
    int64_t count = 0;
    const Rect& rect = field.rect();
    Field::Rows rows = field.rows();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = 0; x < rect.width(); x++) count += is_missing(rows[y][x]);
    return count;
}

}  // namespace

// ---- layers ----------------------------------------------------------------------------------------------

LayerKind kind_of_operations(const std::vector<LayerOperation>& operations, const DocumentState& state,
                             int layer) {
    const FieldUse use = operations.front().operation->fields();
    if (!use.generator()) return LayerKind::adjustment;
    bool goes_on = use.every_field || !use.optional_inputs.empty();
    // The level ground that documents begin with is nothing to go on with.
    bool land = std::ranges::any_of(state.layers, [&](const Layer& other) {
        bool level = other.kind == LayerKind::generated && other.operations.size() == 1 &&
                     other.operations.front().operation &&
                     other.operations.front().operation->name() == "plane";
        return other.id != layer && !level;
    });
    return goes_on && land ? LayerKind::adjustment : LayerKind::generated;
}

namespace {

Layer with_operations(const DocumentState& state, std::vector<LayerOperation> operations, Layer layer) {
    if (operations.empty()) throw Error("a layer needs an operation");
    take_in_files(operations);
    layer.kind = kind_of_operations(operations, state);
    if (layer.name.empty()) layer.name = operation_names_of(operations);
    layer.operations = std::move(operations);
    return layer;
}

Layer painted_on(const std::string& field, Layer layer) {
    layer.kind = LayerKind::painted;
    if (layer.name.empty()) layer.name = is_ground(field) ? "Painted" : "Painted " + field;
    return layer;
}

}  // namespace

int add_operations(Edit& edit, std::vector<LayerOperation> operations, Layer layer, LayerSpot spot) {
    return put_layer(edit.state(), with_operations(edit.state(), std::move(operations), std::move(layer)),
                     spot);
}

int add_operations(Document& document, std::vector<LayerOperation> operations, Layer layer, LayerSpot spot) {
    layer = with_operations(document.state(), std::move(operations), std::move(layer));
    int id = 0;
    document.change("add " + in_quotes(layer.name),
                    [&](Edit& edit) { id = put_layer(edit.state(), layer, spot); });
    return id;
}

int add_painted(Edit& edit, const std::string& field, Layer layer, LayerSpot spot) {
    layer = painted_on(field, std::move(layer));
    layer.canvases = {{field, edit.new_canvas(canvas_of_grid(edit.state(), missing))}};
    return put_layer(edit.state(), layer, spot);
}

int add_ground(Document& document) {
    Layer ground = level_ground(document.state().grid.range.low);
    std::vector<LayerOperation> operations = std::exchange(ground.operations, {});
    return add_operations(document, std::move(operations), std::move(ground));
}

int add_painted(Document& document, const std::string& field, Layer layer, LayerSpot spot) {
    layer = painted_on(field, std::move(layer));
    int id = 0;
    document.change("add " + in_quotes(layer.name),
                    [&](Edit& edit) { id = add_painted(edit, field, layer, spot); });
    return id;
}

int add_group(Document& document, const std::string& name, const std::vector<int>& layers) {
    int id = 0;
    document.change("group " + in_quotes(name), [&](Edit& edit) {
        DocumentState& state = edit.state();
        Layer group;
        group.kind = LayerKind::group;
        group.name = name;
        LayerSpot spot;
        if (!layers.empty()) {
            // In the place of the uppermost one; they keep their order.
            LayerPlace first = place_of(state, layers.front());
            std::vector<size_t> indices;
            for (int layer : layers) {
                LayerPlace place = place_of(state, layer);
                if (place.list != first.list)
                    throw Error("layers of different groups cannot be grouped together");
                require_unlocked((*place.list)[place.index]);
                indices.push_back(place.index);
            }
            std::ranges::sort(indices);
            if (std::ranges::adjacent_find(indices) != indices.end()) throw Error("a layer is named twice");
            for (size_t index : indices) group.layers.push_back((*first.list)[index]);
            spot.above = (*first.list)[indices.back()].id;
            id = put_layer(state, group, spot);
            std::set<int> moved(layers.begin(), layers.end());
            LayerPlace place = place_of(state, id);
            std::erase_if(*place.list, [&](const Layer& layer) { return moved.contains(layer.id); });
            return;
        }
        id = put_layer(state, group, spot);
    });
    return id;
}

int duplicate_layer(Document& document, int id) { return duplicate_layers(document, {id}).front(); }

std::vector<int> duplicate_layers(Document& document, const std::vector<int>& layers) {
    std::vector<int> made;
    if (layers.empty()) return made;
    document.change("duplicate " + names_of(document.state(), layers), [&](Edit& edit) {
        for (int id : layers) {
            Layer copy = layer_of(edit.state(), id);
            copy.name += " copy";
            copy.locked = false;
            make_own(edit, copy);
            made.push_back(copy.id);
            LayerPlace place = place_of(edit.state(), id);
            place.list->insert(place.list->begin() + ptrdiff_t(place.index) + 1, std::move(copy));
        }
    });
    return made;
}

int import_layer(Document& document, const ImportSource& source, Layer layer, LayerSpot spot,
                 Progress* progress, int64_t* missing_heights) {
    layer.kind = LayerKind::imported;
    layer.file = source.file;
    const Grid& grid = source.shape.grid();
    int id = 0;
    int64_t holes = 0;
    document.change("import " + in_quotes(source.file), [&](Edit& edit) {
        auto [x, y] = offset_between(edit.state(), source.shape);
        for (const std::string& field : source.fields) {
            CanvasInfo info;
            info.cell = grid.cell;
            info.blank = missing;
            info.origin_x = x;
            info.origin_y = y;
            info.bounds = grid.extent;
            layer.canvases.push_back({field, edit.new_canvas(info)});
        }
        if (progress) progress->expect(grid.extent.cells());
        // Rows of tiles: files are written in rows.
        for (int top = grid.extent.top; top < grid.extent.bottom; top += tile_side)
            for (int left = grid.extent.left; left < grid.extent.right; left += 16 * tile_side) {
                Rect window =
                    Rect{left, top, left + 16 * tile_side, top + tile_side}.intersected(grid.extent);
                const Terrain cells = source.read(window);
                for (const LayerCanvas& use : layer.canvases) edit.write(use.canvas, cells.field(use.field));
                if (cells.has("height")) holes += missing_cells(cells.height());
                if (progress) progress->advance(window.cells());
            }
        id = put_layer(edit.state(), layer, spot);
    });
    if (missing_heights) *missing_heights = holes;
    return id;
}

int fill_holes(Document& document, int layer) {
    Layer settings;
    settings.name = "Fill holes";
    std::vector<LayerOperation> operations;
    operations.emplace_back(operation_with("fill-holes"));
    LayerSpot spot;
    spot.above = layer;
    return add_operations(document, std::move(operations), std::move(settings), spot);
}

void remove_layers(Document& document, const std::vector<int>& layers) {
    if (layers.empty()) throw Error("which layer?");
    document.change("remove " + names_of(document.state(), layers), [&](Edit& edit) {
        for (int id : layers) {
            unlocked(edit.state(), id);
            LayerPlace place = place_of(edit.state(), id);
            place.list->erase(place.list->begin() + ptrdiff_t(place.index));
        }
    });
}

void move_layer(Document& document, int id, LayerSpot spot) { move_layers(document, {id}, spot); }

void move_layers(Document& document, const std::vector<int>& layers, LayerSpot spot) {
    if (layers.empty()) return;
    document.change("move " + names_of(document.state(), layers), [&](Edit& edit) {
        DocumentState& state = edit.state();
        std::vector<Layer> moved;
        for (int id : layers) {
            const Layer& layer = unlocked(state, id);
            for (int target : {spot.above, spot.inside})
                if (target && (target == id || find_layer(layer.layers, target)))
                    throw Error("a layer cannot be moved into itself");
        }
        for (int id : layers) {
            LayerPlace place = place_of(state, id);
            moved.push_back(std::move((*place.list)[place.index]));
            place.list->erase(place.list->begin() + ptrdiff_t(place.index));
        }
        LayerPlace place = place_at(state, spot);
        // Lists run from the lowest.
        place.list->insert(place.list->begin() + ptrdiff_t(place.index),
                           std::make_move_iterator(moved.rbegin()), std::make_move_iterator(moved.rend()));
    });
}

void ungroup(Document& document, int id) {
    const Layer& group = layer_of(document.state(), id);
    if (group.kind != LayerKind::group)
        throw Error(fmt::format("layer {} ({}) is no group", id, one_line(group.name)));
    ungroup_layers(document, {id});
}

void ungroup_layers(Document& document, const std::vector<int>& layers) {
    std::vector<int> groups;
    std::ranges::copy_if(layers, std::back_inserter(groups),
                         [&](int id) { return layer_of(document.state(), id).kind == LayerKind::group; });
    if (groups.empty()) return;
    document.change("ungroup " + names_of(document.state(), groups), [&](Edit& edit) {
        for (int id : groups) {
            unlocked(edit.state(), id);
            LayerPlace place = place_of(edit.state(), id);
            std::vector<Layer> inside = std::move((*place.list)[place.index].layers);
            auto at = place.list->erase(place.list->begin() + ptrdiff_t(place.index));
            place.list->insert(at, std::make_move_iterator(inside.begin()),
                               std::make_move_iterator(inside.end()));
        }
    });
}

void set_layer(Document& document, int id, const LayerTexts& settings, const std::string& drag) {
    set_layers(document, {id}, settings, drag);
}

void stop_simulation_after(Document& document, int layer, const std::string& operation, int steps) {
    const Layer* found = find_layer(document.state().layers, layer);
    if (!found) throw Error("the layer is gone");
    std::vector<size_t> numbers;
    for (size_t i = 0; i < found->operations.size(); i++)
        if (const auto& one = found->operations[i].operation; one && one->name() == operation)
            numbers.push_back(i + 1);
    if (numbers.size() != 1)
        throw Error(fmt::format("'{}' {} in the layer '{}'; set its stop-after there", operation,
                                numbers.empty() ? "is a part of another operation" : "is there several times",
                                found->name));
    set_layer(document, layer, {{fmt::format("{}.stop-after", numbers[0]), std::to_string(steps)}});
}

void set_layers(Document& document, const std::vector<int>& layers, const LayerTexts& settings,
                const std::string& drag) {
    if (layers.empty()) return;
    std::vector<std::string> names;
    bool unlocks = false;
    for (const auto& [name, text] : settings) {
        names.push_back(name);
        unlocks |= name == "locked";
    }
    std::string of = names_of(document.state(), layers);
    if (!unlocks)
        for (int id : layers) require_unlocked(layer_of(document.state(), id));
    document.change(
        fmt::format("set {} of {}", fmt::join(names, ", "), of),
        [&](Edit& edit) {
            auto [x, y] = edit.state().grid.middle_of(edit.state().window);
            for (int id : layers)
                for (const auto& [name, text] : settings)
                    set_by_name(layer_of(edit.state(), id), name, text, x, y);
        },
        drag);
}

void set_operations(Document& document, int id, std::vector<LayerOperation> operations,
                    const std::optional<std::vector<LayerTake>>& takes) {
    const Layer& before = layer_of(document.state(), id);
    if (before.kind != LayerKind::generated && before.kind != LayerKind::adjustment)
        throw Error(fmt::format("layer {} ({}) is {} and has no operations", id, one_line(before.name),
                                kind_word(before.kind)));
    if (operations.empty()) throw Error("a layer needs an operation");
    take_in_files(operations);
    document.change("operations of " + in_quotes(before.name), [&](Edit& edit) {
        Layer& layer = unlocked(edit.state(), id);
        layer.kind = kind_of_operations(operations, edit.state(), id);
        layer.operations = operations;
        if (takes) layer.takes = *takes;
    });
}

// ---- masks -----------------------------------------------------------------------------------------------

void set_mask(Document& document, int id, std::vector<LayerOperation> operations) {
    if (operations.empty()) throw Error("a mask needs an operation");
    take_in_files(operations);
    document.change("mask of " + in_quotes(layer_of(document.state(), id).name), [&](Edit& edit) {
        Layer& layer = unlocked(edit.state(), id);
        // Nothing of the old one stays, also not that it was inverted.
        layer.mask = LayerMask();
        layer.mask.kind = LayerMask::Kind::generated;
        layer.mask.operations = operations;
    });
}

void paint_mask(Document& document, int id, float value) {
    document.change("mask of " + in_quotes(layer_of(document.state(), id).name), [&](Edit& edit) {
        Layer& layer = unlocked(edit.state(), id);
        layer.mask = LayerMask();
        layer.mask.kind = LayerMask::Kind::painted;
        layer.mask.canvas = edit.new_canvas(canvas_of_grid(edit.state(), value));
    });
}

void remove_mask(Document& document, int id) {
    document.change("remove mask of " + in_quotes(layer_of(document.state(), id).name),
                    [&](Edit& edit) { unlocked(edit.state(), id).mask = LayerMask(); });
}

// ---- painting --------------------------------------------------------------------------------------------

int canvas_of(const DocumentState& state, int id, const std::string& field) {
    const Layer& layer = layer_of(state, id);
    if (layer.kind != LayerKind::painted)
        throw Error(fmt::format("layer {} ({}) is {} and cannot be painted on; rasterise it first", id,
                                one_line(layer.name), kind_word(layer.kind)));
    for (const LayerCanvas& use : layer.canvases)
        if (field.empty() || use.field == field) return use.canvas;
    throw Error(fmt::format("layer {} ({}) has no canvas for '{}'", id, one_line(layer.name), field));
}

int mask_canvas_of(const DocumentState& state, int id) {
    const Layer& layer = layer_of(state, id);
    if (layer.mask.kind != LayerMask::Kind::painted)
        throw Error(fmt::format("layer {} ({}) has no painted mask", id, one_line(layer.name)));
    return layer.mask.canvas;
}

int64_t paint(Document& document, int id, int canvas, const Field& cells, const std::string& title) {
    require_unlocked(layer_of(document.state(), id));
    return document.change(title, [&](Edit& edit) { edit.write(canvas, cells); });
}

// ---- replacing everything --------------------------------------------------------------------------------

void replace_layers(Document& document, const std::string& text,
                    const std::function<void(const std::string&)>& tell) {
    DocumentState state = parse_document(text, tell);
    std::vector<std::string> unread;
    take_in_files(state.layers, unread);
    for (const std::string& what : unread)
        if (tell) tell(what);
    std::vector<std::string> blank;
    document.change("import layers", [&](Edit& edit) {
        DocumentState& own = edit.state();
        // Canvases are known by their numbers as long as it is the same document; others become blank ones.
        for (CanvasInfo& canvas : state.canvases) {
            const CanvasInfo* there = own.canvas(canvas.id);
            bool same = there && there->cell == canvas.cell && there->bounds == canvas.bounds &&
                        there->origin_x == canvas.origin_x && there->origin_y == canvas.origin_y;
            if (same) continue;
            int old = canvas.id;
            int made = edit.new_canvas(canvas);
            blank.push_back(std::to_string(old));
            std::function<void(std::vector<Layer>&)> rename = [&](std::vector<Layer>& layers) {
                for (Layer& layer : layers) {
                    for (LayerCanvas& use : layer.canvases)
                        if (use.canvas == old) use.canvas = -made;
                    if (layer.mask.canvas == old && layer.mask.kind == LayerMask::Kind::painted)
                        layer.mask.canvas = -made;
                    rename(layer.layers);
                }
            };
            rename(state.layers);
        }
        // Negative for a while, so that a new number is not taken for an old one.
        std::function<void(std::vector<Layer>&)> settle = [&](std::vector<Layer>& layers) {
            for (Layer& layer : layers) {
                for (LayerCanvas& use : layer.canvases) use.canvas = std::abs(use.canvas);
                layer.mask.canvas = std::abs(layer.mask.canvas);
                settle(layer.layers);
            }
        };
        settle(state.layers);
        own.grid = state.grid;
        own.window = state.window;
        own.georeference = state.georeference;
        own.lines = state.lines;
        own.layers = state.layers;
        own.next_layer = std::max(own.next_layer, state.next_layer);
        own.kept = state.kept;
        own.minor = state.minor;
    });
    if (!blank.empty() && tell)
        tell(fmt::format("what was painted on {} {} is not in the text, and blank now",
                         blank.size() == 1 ? "canvas" : "canvases", listed(blank)));
}

}  // namespace caprock
