#include "document/layer_settings.h"

#include "base/error.h"
#include "base/text.h"
#include "document/layer_files.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace caprock {

namespace {

// Names of fields that are the evaluator's to say.
bool of_evaluator(const std::string& name) {
    return std::ranges::count(blend_parameters_of_evaluator(), name) > 0;
}

struct NamedParameter {
    std::string owner;  // "", "2", "mask", "mask2"
    std::string name;
};

NamedParameter split(const std::string& name) {
    size_t dot = name.find('.');
    if (dot == std::string::npos) return {"", name};
    return {name.substr(0, dot), name.substr(dot + 1)};
}

// The operations that a name may mean, in the order in which they are asked.
std::vector<LayerOperation*> owners_of(Layer& layer, const std::string& owner) {
    std::vector<LayerOperation*> found;
    bool of_mask = owner.starts_with("mask");
    std::string number = of_mask ? owner.substr(4) : owner;
    std::vector<LayerOperation>& list = of_mask ? layer.mask.operations : layer.operations;
    if (!number.empty()) {
        if (!std::ranges::all_of(number, [](unsigned char c) { return std::isdigit(c); }) ||
            number.size() > 4)
            return {};
        size_t index = std::stoul(number);
        if (index >= 1 && index <= list.size()) found.push_back(&list[index - 1]);
        return found;
    }
    for (LayerOperation& step : list) found.push_back(&step);
    return found;
}

// The operation that has the setting of that name, and the parameter that it is. Nothing where there is none.
struct Owner {
    std::shared_ptr<const Operation>* operation = nullptr;
    const Parameter* parameter = nullptr;
};

Owner owner_of(Layer& layer, const std::string& name) {
    if (!of_evaluator(name))
        if (const Parameter* parameter = layer.blend->schema().find(name)) return {&layer.blend, parameter};
    NamedParameter wanted = split(name);
    for (LayerOperation* step : owners_of(layer, wanted.owner)) {
        if (!step->operation) continue;
        if (const Parameter* parameter = step->operation->schema().find(wanted.name))
            return {&step->operation, parameter};
    }
    return {};
}

}  // namespace

LayerSettings::LayerSettings(const Layer& layer)
    : name(layer.name),
      field(layer.field),
      visible(layer.visible),
      locked(layer.locked),
      invert_mask(layer.mask.inverted),
      range(layer.range.value_or(Interval{0, 0})),
      move({layer.placement.move_x, layer.placement.move_y}),
      rotate(layer.placement.rotate),
      scale(layer.placement.scale) {}

void LayerSettings::describe(Declaration& d) {
    d.text("name", name).help("what the layer is called");
    d.text("field", field).help("the field it acts on; all that it makes unless given");
    d.flag("visible", visible).help("whether it has an effect");
    d.flag("locked", locked).help("nothing but this can be changed while it is");
    d.flag("invert-mask", invert_mask).help("the mask's 0 and 1 change places");
    d.interval("range", range)
        .unit("m")
        .help("heights that 0 and 1 stand for in a generated layer; 0:0: those of the document");
    d.table("move", move).range(-1e7, 1e7).unit("m").help("to the east and to the south: 100,-50");
    d.number("rotate", rotate)
        .range(-360, 360)
        .unit("deg")
        .help("clockwise, about the middle of the document");
    d.number("scale", scale)
        .range(0.001, 1000)
        .slider(0.02, 50)
        .logarithmic()
        .help("how many times its size");
}

void LayerSettings::apply_to(Layer& layer, double pivot_x, double pivot_y) const {
    if (name.empty()) throw Error("name: a layer has one");
    if (move.size() != 2) throw Error("move: takes two numbers, to the east and to the south: 100,-50");
    layer.name = name;
    layer.field = field;
    layer.visible = visible;
    layer.locked = locked;
    layer.mask.inverted = invert_mask;
    if (range.low == 0 && range.high == 0) {
        layer.range.reset();
    } else {
        if (!(range.low < range.high)) throw Error("range: the lower height comes first");
        if (layer.kind != LayerKind::generated)
            throw Error(fmt::format("range: only generated layers have one of their own; this one is {}",
                                    kind_word(layer.kind)));
        layer.range = range;
    }
    Placement& placement = layer.placement;
    bool moved = placement.moves();
    placement.move_x = move[0];
    placement.move_y = move[1];
    placement.rotate = rotate;
    placement.scale = scale;
    if (placement.moves() && (layer.kind == LayerKind::adjustment || layer.kind == LayerKind::group))
        throw Error(
            fmt::format("a layer of kind {} cannot be placed elsewhere: it works on what lies below it",
                        kind_word(layer.kind)));
    // About the same place ever after.
    if (!moved && placement.moves()) {
        placement.pivot_x = pivot_x;
        placement.pivot_y = pivot_y;
    }
    if (!placement.moves()) placement = Placement();
}

std::vector<std::string> setting_names(const Layer& layer) {
    LayerSettings settings;
    Declaration own;
    settings.describe(own);
    std::vector<std::string> names = own.schema().parameter_names();
    auto add = [&](const Operation& operation, const std::string& prefix) {
        for (const std::string& name : operation.schema().parameter_names())
            if (&operation != layer.blend.get() || !of_evaluator(name)) names.push_back(prefix + name);
    };
    add(*layer.blend, "");
    for (size_t i = 0; i < layer.operations.size(); i++)
        if (layer.operations[i].operation)
            add(*layer.operations[i].operation, layer.operations.size() > 1 ? fmt::format("{}.", i + 1) : "");
    for (size_t i = 0; i < layer.mask.operations.size(); i++)
        if (layer.mask.operations[i].operation)
            add(*layer.mask.operations[i].operation,
                layer.mask.operations.size() > 1 ? fmt::format("mask{}.", i + 1) : "mask.");
    return names;
}

void set_by_name(Layer& layer, const std::string& name, const std::string& text, double pivot_x,
                 double pivot_y) {
    LayerSettings settings(layer);
    Declaration own;
    settings.describe(own);
    if (const Parameter* parameter = own.schema().find(name)) {
        // An empty field is all of them; other texts have to be there.
        if (name == "field" && text.empty()) {
            settings.field.clear();
        } else {
            own.set_text(*parameter, text);
        }
        settings.apply_to(layer, pivot_x, pivot_y);
        return;
    }
    if (Owner owner = owner_of(layer, name); owner.operation) {
        std::unique_ptr<Operation> changed = (*owner.operation)->clone();
        // No file at all; the command line of a chain has no word for that.
        if ((owner.parameter->type() == ParameterType::file || owner.parameter->is_of_lines()) &&
            text.empty()) {
            changed->set(*owner.parameter, std::string());
        } else {
            changed->set_text(*owner.parameter, text);
        }
        if (owner.operation == &layer.blend) require_even(*changed);
        const ParameterValue value = changed->value(*owner.parameter);
        if (const InputFile* file = std::get_if<InputFile>(&value); file && file->named())
            require_keepable(*file);
        *owner.operation = std::move(changed);
        return;
    }
    std::vector<std::string> names = setting_names(layer);
    std::string nearest = suggestion(name, names);
    throw Error(
        fmt::format("no setting '{}'{}", name, nearest.empty() ? "; there are " + listed(names) : nearest));
}

std::string setting_text(const Layer& layer, const std::string& name) {
    Layer copy = layer;
    LayerSettings settings(layer);
    Declaration own;
    settings.describe(own);
    if (const Parameter* parameter = own.schema().find(name)) return own.value_text(*parameter);
    Owner owner = owner_of(copy, name);
    return owner.operation ? (*owner.operation)->value_text(*owner.parameter) : "";
}

}  // namespace caprock
