#include "layer_words.h"

#include "base/error.h"
#include "base/text.h"
#include "document_access.h"
#include "files.h"
#include "kernel_command.h"
#include "link_words.h"
#include "operation/check.h"
#include "operation/presets.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

bool is_recipe_name(const std::string& word) { return word.ends_with(".json"); }

[[noreturn]] void refuse_head(const std::string& word, bool with_presets, const std::string& command) {
    if (OptionWord::is_option(word))
        throw Error(fmt::format("{}: an operation comes before its parameters, not '{}'", command, word));
    std::vector<std::string> names = operation_names();
    if (with_presets) {
        names.emplace_back("painted");
        for (const std::string& name : preset_names()) names.push_back(name);
    }
    if (with_presets && word == "group")
        throw Error(
            fmt::format("{}: a group is made by 'caprock document group P.caprock --name NAME'", command));
    std::string nearest = suggestion(word, names);
    if (nearest.empty())
        nearest = with_presets ? "; see 'caprock list' and 'caprock presets'" : "; see 'caprock list'";
    throw Error(fmt::format("{}: no operation{} '{}'{}", command, with_presets ? " or preset" : "",
                            one_line(word), nearest));
}

// Layers begin with operations.
Recipe read_recipe_of_layers(const std::string& path, const std::function<void(const std::string&)>& tell) {
    Recipe recipe = read_recipe_file(path, tell);
    if (!recipe.file.empty())
        throw Error(fmt::format(
            "'{}': it begins with a file; import that first: caprock document import P.caprock FILE", path));
    if (!recipe.steps.empty())
        throw Error(fmt::format(
            "'{}': its steps take from one another, and those of a layer do not; 'caprock run' makes "
            "a file of it, to be imported",
            path));
    return recipe;
}

// A preset or a recipe: its seed is for all operations in it.
void add_recipe(Recipe recipe, Words words, const OtherOptions& others, TypedOperations& into) {
    uint32_t seed = 0;
    Declaration seeds;
    seeds.seed("seed", seed);
    std::set<std::string> given;
    OtherOptions with_seed = others;
    with_seed.names.emplace_back("seed");
    with_seed.apply = [&](const OptionWord& option, Words& left) {
        return apply_option(seeds, option, left, given) || others.apply(option, left);
    };
    read_parameters(nullptr, std::move(words), with_seed);
    into.title = one_line(recipe.title);
    if (recipe.grid) into.range = recipe.grid->range;
    for (std::unique_ptr<Operation>& operation : recipe.operations) {
        if (given.contains("seed") && operation->schema().find("seed")) operation->set("seed", seed);
        into.operations.emplace_back(std::move(operation));
    }
}

// LAYER.FIELD as FIELD, in front of the operations.
TypedOperations::Take read_take(Words& link, const std::string& command, bool in_front,
                                const OtherOptions& options) {
    auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("{}: {}: take Rock.height as hardness then gradation", command, why));
    };
    if (!in_front) refuse("what is taken from other layers comes before the operations");
    TypedOperations::Take take;
    if (link.empty() || OptionWord::is_option(link.peek())) refuse("'take' must be followed by a layer");
    take.from = link.take();
    OtherOptions others = options;
    others.word = [&](const std::string& word, Words& left) {
        if (word != name_word || !take.field.empty()) return false;
        if (!left.empty() && !OptionWord::is_option(left.peek())) take.field = left.take();
        return true;
    };
    read_parameters(nullptr, std::move(link), others);
    if (take.field.empty()) refuse(fmt::format("'take {}' must say as what", one_line(take.from)));
    return take;
}

bool is_layer(const DocumentState& state, const std::string& word) {
    try {
        layer_named(state, word);
        return true;
    } catch (const Error&) {
        return false;
    }
}

}  // namespace

// ---- operations ------------------------------------------------------------------------------------------

TypedOperations read_operations(const std::vector<std::string>& words, Heads heads,
                                const std::string& command, Declaration& others, std::set<std::string>& given,
                                const std::function<void(const std::string&)>& tell) {
    auto apply = [&](const OptionWord& option, Words& left) {
        return apply_option(others, option, left, given);
    };
    OtherOptions options{apply, option_names(others), command};
    TypedOperations typed;
    std::vector<std::vector<std::string>> links = links_of(words, "an operation");
    for (size_t i = 0; i < links.size(); i++) {
        Words link(links[i]);
        std::string head = link.take();
        if (head == take_word) {
            typed.takes.push_back(read_take(link, command, typed.operations.empty(), options));
            continue;
        }
        bool presets = heads == Heads::presets_too && typed.operations.empty();
        if (means_operation(head)) {
            std::unique_ptr<Operation> operation = operation_meant(head);
            read_parameters(operation.get(), std::move(link), options);
            typed.operations.emplace_back(std::move(operation));
        } else if (presets && is_recipe_name(head)) {
            add_recipe(read_recipe_of_layers(head, tell), std::move(link), options, typed);
        } else if (presets && is_preset(head)) {
            add_recipe(preset(head, tell), std::move(link), options, typed);
        } else {
            refuse_head(head, presets, command);
        }
    }
    if (typed.operations.empty())
        throw Error(fmt::format("{}: 'take' must be followed by an operation", command));
    return typed;
}

std::vector<LayerTake> takes_of(const TypedOperations& typed, const DocumentState& state) {
    std::vector<LayerTake> takes;
    for (const TypedOperations::Take& take : typed.takes) {
        LayerTake taken{take.field};
        // A layer's name may have a point in it.
        const size_t dot = take.from.rfind('.');
        if (dot == std::string::npos || is_layer(state, take.from)) {
            taken.layer = layer_named(state, take.from);
        } else {
            taken.layer = layer_named(state, take.from.substr(0, dot));
            taken.of = take.from.substr(dot + 1);
        }
        takes.push_back(std::move(taken));
    }
    return takes;
}

void check_typed(const TypedOperations& typed, const Grid& grid) {
    for (const LayerOperation& step : typed.operations)
        named(step.operation->name(), [&] { step.operation->check(grid); });
}

// ---- places ----------------------------------------------------------------------------------------------

void PlaceSettings::describe(Declaration& d) {
    d.text("above", above).help("the layer on top of which it goes; on top of all unless given");
    d.text("inside", inside).help("the group it goes into, on top of what is in it");
    d.flag("bottom", bottom).help("below all others, or below all in the group");
}

LayerSpot PlaceSettings::spot(const DocumentState& state) const {
    if (!above.empty() && (!inside.empty() || bottom))
        throw Error(fmt::format("--above is one place and --{} another; give one of them",
                                bottom ? "bottom" : "inside"));
    LayerSpot spot;
    if (!above.empty()) spot.above = layer_named(state, above);
    if (!inside.empty()) spot.inside = layer_named(state, inside);
    spot.bottom = bottom;
    return spot;
}

// ---- settings of a new layer -----------------------------------------------------------------------------

NewLayerSettings::NewLayerSettings() : blend(make_operation("blend")) {}

void NewLayerSettings::describe(Declaration& d, const std::set<std::string>& left_out) {
    Declaration all;
    own.describe(all);
    all.include(*blend, [](const Parameter& parameter) {
        return !contains(blend_parameters_of_evaluator(), parameter.name());
    });
    place.describe(all);
    d.include(all, [&](const Parameter& parameter) {
        // A new layer has no mask yet.
        return parameter.name() != "invert-mask" && !left_out.contains(parameter.name());
    });
}

Layer NewLayerSettings::layer(LayerKind kind, const DocumentState& state) const {
    Layer layer;
    layer.kind = kind;
    layer.blend = blend->clone();
    LayerSettings settings = own;
    // One without a name is given one when it is added.
    if (settings.name.empty()) settings.name = "new";
    auto [x, y] = state.grid.middle_of(state.window);
    settings.apply_to(layer, x, y);
    layer.name = own.name;
    return layer;
}

}  // namespace caprock::cli
