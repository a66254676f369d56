#include "panels/layers_together.h"

#include "base/error.h"
#include "base/text.h"
#include "document/layer_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace caprock::editor {

namespace {

Layer& unlocked(DocumentState& state, int id) {
    Layer& layer = layer_of(state, id);
    if (layer.locked)
        throw Error(fmt::format("layer {} ({}) is locked; unlock it first", id, one_line(layer.name)));
    return layer;
}

Layer taken_out(DocumentState& state, int id) {
    Layer layer = std::move(unlocked(state, id));
    LayerPlace place = place_of(state, id);
    place.list->erase(place.list->begin() + ptrdiff_t(place.index));
    return layer;
}

// Where the lowest of those that come is put.
LayerPlace place_at(DocumentState& state, const LayerSpot& spot) {
    if (spot.above) {
        LayerPlace place = place_of(state, spot.above);
        return {place.list, place.index + 1};
    }
    std::vector<Layer>* list = &state.layers;
    if (spot.inside) {
        Layer& group = unlocked(state, spot.inside);
        if (group.kind != LayerKind::group)
            throw Error(fmt::format("layer {} ({}) is no group", group.id, one_line(group.name)));
        list = &group.layers;
    }
    return {list, spot.bottom ? 0 : list->size()};
}

// Numbers and canvases of its own for a copy and all in it.
void make_own(Edit& edit, Layer& layer) {
    layer.id = edit.state().next_layer++;
    for (LayerCanvas& use : layer.canvases) use.canvas = edit.new_canvas_like(use.canvas);
    if (layer.mask.kind == LayerMask::Kind::painted)
        layer.mask.canvas = edit.new_canvas_like(layer.mask.canvas);
    for (Layer& inside : layer.layers) make_own(edit, inside);
}

}  // namespace

void move_layers(Document& document, const std::vector<int>& layers, const LayerSpot& spot) {
    if (layers.size() == 1) return move_layer(document, layers.front(), spot);
    document.change(fmt::format("move {} layers", layers.size()), [&](Edit& edit) {
        DocumentState& state = edit.state();
        for (int id : layers) {
            const Layer& layer = layer_of(state, id);
            for (int target : {spot.above, spot.inside})
                if (target && (target == id || find_layer(layer.layers, target)))
                    throw Error("a layer cannot be moved into itself");
        }
        std::vector<Layer> moved;
        for (int id : layers) moved.push_back(taken_out(state, id));
        LayerPlace place = place_at(state, spot);
        // Lists run from the lowest.
        place.list->insert(place.list->begin() + ptrdiff_t(place.index),
                           std::make_move_iterator(moved.rbegin()), std::make_move_iterator(moved.rend()));
    });
}

void duplicate_layers(Document& document, const std::vector<int>& layers) {
    if (layers.size() == 1) {
        duplicate_layer(document, layers.front());
        return;
    }
    document.change(fmt::format("duplicate {} layers", layers.size()), [&](Edit& edit) {
        for (int id : layers) {
            Layer copy = layer_of(edit.state(), id);
            copy.name += " copy";
            copy.locked = false;
            make_own(edit, copy);
            LayerPlace place = place_of(edit.state(), id);
            place.list->insert(place.list->begin() + ptrdiff_t(place.index) + 1, std::move(copy));
        }
    });
}

void ungroup_layers(Document& document, const std::vector<int>& layers) {
    std::vector<int> groups;
    std::ranges::copy_if(layers, std::back_inserter(groups),
                         [&](int id) { return layer_of(document.state(), id).kind == LayerKind::group; });
    if (groups.empty()) return;
    if (groups.size() == 1) return ungroup(document, groups.front());
    document.change(fmt::format("ungroup {} groups", groups.size()), [&](Edit& edit) {
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

void set_layers(Document& document, const std::vector<int>& layers, const std::string& name,
                const std::string& text) {
    if (layers.size() == 1) return set_layer(document, layers.front(), {{name, text}});
    document.change(fmt::format("set {} of {} layers", name, layers.size()), [&](Edit& edit) {
        for (int id : layers) {
            Layer& layer = name == "locked" ? layer_of(edit.state(), id) : unlocked(edit.state(), id);
            set_by_name(layer, name, text, 0, 0);
        }
    });
}

}  // namespace caprock::editor
