#include "painting/target.h"

#include "document/commands.h"

#include <algorithm>

namespace caprock {

namespace {

constexpr const char* cutting = "cut-out";

// From the uppermost down, into groups.
const Layer* uppermost(const std::vector<Layer>& layers, const std::function<bool(const Layer&)>& suits) {
    for (size_t i = layers.size(); i-- > 0;) {
        if (const Layer* inside = uppermost(layers[i].layers, suits)) return inside;
        if (suits(layers[i])) return &layers[i];
    }
    return nullptr;
}

bool cuts(const Layer& layer) {
    return std::ranges::any_of(layer.operations, [](const LayerOperation& step) {
        return step.operation && step.operation->name() == cutting;
    });
}

}  // namespace

PaintTarget target_for(const Document& document, const Brush& brush) {
    const std::string& field = brush.settings.field;
    // Nothing can be added to a height that is not there.
    bool in_place = !is_ground(field) || brush.fills_missing();
    std::string wanted_mode = in_place ? "lerp" : "add";
    // Holes are closed above what makes them: below, there are none.
    bool beneath_cut = false;
    bool closes_holes = is_ground(field) && brush.operation && brush.fills_missing();
    const Layer* found = uppermost(document.state().layers, [&](const Layer& layer) {
        beneath_cut = beneath_cut || cuts(layer);
        if (closes_holes && beneath_cut) return false;
        std::string mode = layer.kind == LayerKind::painted ? blend_mode(layer) : "";
        return layer.kind == LayerKind::painted && !layer.locked && layer.visible &&
               !layer.placement.moves() && (mode == "lerp" || (mode == "add" && !in_place)) &&
               std::ranges::any_of(layer.canvases,
                                   [&](const LayerCanvas& use) { return use.field == field; });
    });
    if (found) return {found->id, field, false};
    Layer settings;
    settings.blend = make_blend(is_index(field) ? "replace" : wanted_mode);
    bool cuts_out = field == "cut" && !uppermost(document.state().layers, cuts);
    auto prepare = [field, settings, cuts_out](Edit& edit) {
        add_painted(edit, field, settings);
        if (!cuts_out) return;
        std::vector<LayerOperation> operations;
        operations.emplace_back(operation_with(cutting));
        Layer cut;
        cut.blend = make_blend();
        add_operations(edit, std::move(operations), cut);
    };
    return {document.state().next_layer, field, false, prepare};
}

}  // namespace caprock
