#include "document/layer.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr std::string_view kind_words[] = {"generated",  "painted", "imported",
                                           "adjustment", "group",   "unknown"};

// Both kinds of stacks are walked the same way.
template <typename Layers>
auto found_in(Layers& layers, int id) -> decltype(&layers[0]) {
    for (auto& layer : layers) {
        if (layer.id == id) return &layer;
        if (auto* inside = found_in(layer.layers, id)) return inside;
    }
    return nullptr;
}

void list_layers(const std::vector<Layer>& layers, std::vector<std::string>& into) {
    for (const Layer& layer : layers) {
        into.push_back(fmt::format("{} ({})", layer.id, one_line(layer.name)));
        list_layers(layer.layers, into);
    }
}

[[noreturn]] void refuse_layer(const DocumentState& state, int id) {
    std::vector<std::string> there;
    list_layers(state.layers, there);
    if (there.size() > 12) {
        there.resize(12);
        there.push_back("...");
    }
    throw Error(there.empty() ? fmt::format("no layer {}; the document has none", id)
                              : fmt::format("no layer {}; there are {}", id, listed(there)));
}

LayerPlace place_in(std::vector<Layer>& layers, int id) {
    for (size_t i = 0; i < layers.size(); i++) {
        if (layers[i].id == id) return {&layers, i};
        LayerPlace inside = place_in(layers[i].layers, id);
        if (inside.list) return inside;
    }
    return {};
}

}  // namespace

std::string_view kind_word(LayerKind kind) { return kind_words[size_t(kind)]; }

std::shared_ptr<const Operation> make_blend(std::string_view mode, double opacity) {
    return operation_with("blend", {{"mode", std::string(mode)}, {"opacity", opacity}});
}

void require_even(const Operation& blend) {
    for (const Parameter& parameter : blend.schema().parameters())
        if (std::holds_alternative<NumberMap>(blend.value(parameter)))
            throw Error(fmt::format("{} {}: blending takes one number for all the land; a mask says where",
                                    parameter.name(), blend.value_text(parameter)));
}

const std::vector<std::string>& blend_parameters_of_evaluator() {
    static const std::vector<std::string> names = {"field",       "source",    "mask",
                                                   "unit-source", "take-away", "put"};
    return names;
}

std::string blend_mode(const Layer& layer) { return layer.blend->get<std::string>("mode"); }

double layer_opacity(const Layer& layer) { return layer.blend->get<double>("opacity"); }

std::shared_ptr<const Operation> with_parameter(const Operation& operation, std::string_view name,
                                                const ParameterValue& value) {
    std::unique_ptr<Operation> changed = operation.clone();
    changed->set(name, value);
    return changed;
}

bool Layer::has_effect() const { return visible && kind != LayerKind::unknown && layer_opacity(*this) > 0; }

bool Layer::puts_in_place() const {
    std::string mode = blend_mode(*this);
    return mode == "lerp" || mode == "replace" || mode == "multi-resolution";
}

bool Layer::is_amount() const {
    std::string mode = blend_mode(*this);
    return mode == "add" || mode == "subtract";
}

Layer level_ground(double height) {
    std::unique_ptr<Operation> plane = operation_with("plane");
    const Interval most = *plane->schema().at("height").hard_range();
    plane->set("height", std::clamp(height, most.low, most.high));
    Layer layer;
    layer.name = "Flat ground";
    layer.kind = LayerKind::generated;
    layer.blend = make_blend();
    layer.operations.emplace_back(std::move(plane));
    return layer;
}

const CanvasInfo* DocumentState::canvas(int id) const {
    auto found = std::ranges::find(canvases, id, &CanvasInfo::id);
    return found == canvases.end() ? nullptr : &*found;
}

const Layer* find_layer(const std::vector<Layer>& layers, int id) { return found_in(layers, id); }
Layer* find_layer(std::vector<Layer>& layers, int id) { return found_in(layers, id); }

const Layer& layer_of(const DocumentState& state, int id) {
    if (const Layer* layer = find_layer(state.layers, id)) return *layer;
    refuse_layer(state, id);
}

Layer& layer_of(DocumentState& state, int id) {
    if (Layer* layer = find_layer(state.layers, id)) return *layer;
    refuse_layer(state, id);
}

LayerPlace place_of(DocumentState& state, int id) {
    LayerPlace place = place_in(state.layers, id);
    if (!place.list) refuse_layer(state, id);
    return place;
}

std::vector<int> canvases_in_use(const std::vector<Layer>& layers) {
    std::vector<int> all;
    for (const Layer& layer : layers) {
        for (const LayerCanvas& canvas : layer.canvases) all.push_back(canvas.canvas);
        if (layer.mask.kind == LayerMask::Kind::painted) all.push_back(layer.mask.canvas);
        for (int canvas : canvases_in_use(layer.layers)) all.push_back(canvas);
    }
    return all;
}

}  // namespace caprock
