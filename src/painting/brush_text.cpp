#include "painting/brush_text.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "document/layer.h"
#include "operation/recipe.h"
#include "painting/brush_texts.h"

#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int brush_version = 1;

std::string text_member(const Json& json, const char* name) {
    if (!json.contains(name)) return "";
    if (!json[name].is_string()) throw Error(fmt::format("the brush's \"{}\" must be a text", name));
    return json[name].get<std::string>();
}

Json with_title(const Brush& brush) {
    Json json = {{"caprock-brush", brush_version}};
    if (!brush.title.empty()) json["title"] = brush.title;
    if (!brush.about.empty()) json["about"] = brush.about;
    return json;
}

}  // namespace

std::string brush_text(const Brush& brush) {
    Json json = with_title(brush);
    BrushSettings settings = brush.settings;
    Declaration declaration;
    settings.describe(declaration);
    json["settings"] = Json::parse(parameters_text(declaration));
    if (brush.operation) json["operation"] = Json::parse(operation_text(*brush.operation));
    if (!brush.bindings.empty()) {
        json["bind"] = Json::object();
        for (const BrushBinding& binding : brush.bindings)
            json["bind"][binding.parameter] = source_word(binding.source);
    }
    if (brush.blend) json["blend"] = Json::parse(operation_text(*brush.blend));
    try {
        return json.dump(2) + "\n";
    } catch (const Json::exception&) {
        throw Error("a name or text of the brush is not UTF-8 and cannot be kept in JSON");
    }
}

Brush parse_brush(const std::string& text, const std::function<void(const std::string&)>& tell) {
    const Json json = parsed_json(text, "not a brush: lists within lists, far too deep");
    if (!json.is_object() || !json.contains("caprock-brush") || !json["caprock-brush"].is_number_integer())
        throw Error("not a brush: it has no \"caprock-brush\" with a version");
    auto say = [&](const std::string& what) {
        if (tell) tell("brush: " + what);
    };
    if (json["caprock-brush"] > brush_version)
        say(fmt::format("of a newer version ({}; this one knows {})", json["caprock-brush"].dump(),
                        brush_version));
    Brush brush;
    brush.title = text_member(json, "title");
    brush.about = text_member(json, "about");
    Declaration declaration;
    brush.settings.describe(declaration);
    if (json.contains("settings")) set_parameters(declaration, json["settings"].dump(), say);
    if (json.contains("operation")) brush.operation = parse_operation(json["operation"].dump(), tell);
    if (json.contains("blend")) {
        brush.blend = parse_operation(json["blend"].dump(), tell);
        if (brush.blend->name() != "blend") throw Error("the brush's \"blend\" must be the operation blend");
        require_even(*brush.blend);
    }
    if (!json.contains("bind")) return brush;
    if (!json["bind"].is_object())
        throw Error("the brush's \"bind\" must be an object of parameters and sources");
    for (const auto& [parameter, word] : json["bind"].items()) {
        std::optional<BrushSource> source =
            word.is_string() ? source_of(word.get<std::string>()) : std::nullopt;
        if (!source)
            throw Error(fmt::format("'{}' cannot be bound to {}; there are {}", one_line(parameter),
                                    one_line(word.dump()), listed(source_words())));
        brush.bindings.push_back({parameter, *source});
    }
    return brush;
}

std::vector<std::string> brush_names() { return names_of(brush_texts()); }

bool is_brush(std::string_view name) { return find_text(brush_texts(), name) != nullptr; }

Brush brush_named(std::string_view name) {
    return parsed_text(brush_texts(), name, "brush",
                       [](const std::string& text) { return parse_brush(text); });
}

}  // namespace caprock
