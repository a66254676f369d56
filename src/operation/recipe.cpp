#include "operation/recipe.h"

#include "base/error.h"
#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace caprock {

namespace {

using Json = nlohmann::ordered_json;
using Teller = std::function<void(const std::string&)>;

constexpr int recipe_version = 1;

struct ToJson {
    const Parameter& parameter;

    Json operator()(double* value) const { return *value; }
    Json operator()(int* value) const { return *value; }
    Json operator()(bool* value) const { return *value; }
    Json operator()(const ChoiceAccess&) const { return parameter.text(); }
    Json operator()(uint32_t* value) const { return *value; }
    Json operator()(Interval* value) const { return {value->low, value->high}; }
    Json operator()(std::vector<double>* value) const { return *value; }
    Json operator()(std::vector<std::string>* value) const { return *value; }
    Json operator()(std::string* value) const { return *value; }
};

// Through the text a user would type, so that both are checked by the same rules.
std::string typed(const Parameter& parameter, const Json& value) {
    auto entry_text = [](const Json& entry) { return entry.is_string() ? entry.get<std::string>() : entry.dump(); };
    if (!value.is_array()) return entry_text(value);
    std::vector<std::string> parts;
    for (const Json& entry : value) parts.push_back(entry_text(entry));
    char separator = parameter.type() == ParameterType::interval ? ':' : ',';
    return fmt::format("{}", fmt::join(parts, std::string(1, separator)));
}

Json operation_json(const Operation& operation) {
    std::unique_ptr<Operation> copy = operation.clone();
    Json parameters = Json::object();
    Declaration declaration = copy->declare();
    for (const Parameter& parameter : declaration.parameters())
        parameters[parameter.name()] = std::visit(ToJson{parameter}, parameter.binding());
    return {{"operation", operation.name()}, {"version", operation.version()}, {"parameters", parameters}};
}

std::unique_ptr<Operation> operation_from(const Json& json, const Teller& tell) {
    if (!json.is_object() || !json.contains("operation") || !json["operation"].is_string())
        throw Error("an operation of the recipe has no \"operation\" with its name");
    std::unique_ptr<Operation> operation = make_operation(json["operation"].get<std::string>());
    auto say = [&](const std::string& what) {
        if (tell) tell(fmt::format("{}: {}", operation->name(), what));
    };
    int version = json.contains("version") && json["version"].is_number_integer() ? json["version"].get<int>() : 1;
    if (version > operation->version())
        say(fmt::format("written by a newer version ({}; this one knows {})", version, operation->version()));
    Declaration declaration = operation->declare();
    Json given = json.contains("parameters") ? json["parameters"] : Json::object();
    if (!given.is_object()) throw Error(fmt::format("{}: \"parameters\" must be an object", operation->name()));
    std::vector<std::string> unknown;
    for (const auto& [name, value] : given.items()) {
        Parameter* parameter = declaration.find(name);
        if (!parameter) {
            unknown.push_back(name);
            continue;
        }
        try {
            parameter->set_text(typed(*parameter, value));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", operation->name(), error.what()));
        }
    }
    std::vector<std::string> absent;
    for (const Parameter& parameter : declaration.parameters())
        if (!given.contains(parameter.name())) absent.push_back(parameter.name());
    if (!unknown.empty()) say("left out unknown parameters: " + listed(unknown));
    if (!absent.empty()) say("not given, so at their defaults: " + listed(absent));
    return operation;
}

Json parsed(const std::string& text) {
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw Error(fmt::format("not JSON: error at byte {}", error.byte));
    }
}

template <typename Value>
Value member(const Json& json, const char* name) {
    try {
        return json.at(name).get<Value>();
    } catch (const Json::exception&) {
        throw Error(fmt::format("the recipe's \"{}\" is missing or of the wrong kind", name));
    }
}

}  // namespace

std::string operation_text(const Operation& operation) { return operation_json(operation).dump(); }

std::unique_ptr<Operation> parse_operation(const std::string& text, const Teller& tell) {
    return operation_from(parsed(text), tell);
}

std::string recipe_text(const Recipe& recipe) {
    Json json = {{"caprock", recipe_version}};
    if (recipe.grid) {
        json["grid"] = {{"size", {recipe.grid->extent.width(), recipe.grid->extent.height()}},
                        {"cell", recipe.grid->cell},
                        {"range", {recipe.grid->range.low, recipe.grid->range.high}}};
    } else {
        json["file"] = recipe.file;
    }
    json["operations"] = Json::array();
    for (const std::unique_ptr<Operation>& operation : recipe.operations)
        json["operations"].push_back(operation_json(*operation));
    return json.dump(2) + "\n";
}

Recipe parse_recipe(const std::string& text, const Teller& tell) {
    Json json = parsed(text);
    if (!json.is_object() || !json.contains("caprock")) throw Error("not a recipe: it has no \"caprock\"");
    int version = member<int>(json, "caprock");
    if (version > recipe_version && tell)
        tell(fmt::format("the recipe is of a newer version ({}; this one knows {})", version, recipe_version));
    Recipe recipe;
    if (json.contains("grid")) {
        const Json& grid = json["grid"];
        auto size = member<std::vector<int>>(grid, "size");
        auto range = member<std::vector<double>>(grid, "range");
        if (size.size() != 2 || range.size() != 2)
            throw Error("the recipe's \"size\" and \"range\" take two numbers each");
        recipe.grid = Grid{Rect::of({size[0], size[1]}), member<double>(grid, "cell"), {range[0], range[1]}};
        recipe.grid->check();
    } else {
        recipe.file = member<std::string>(json, "file");
    }
    auto operations = member<Json>(json, "operations");
    if (!operations.is_array()) throw Error("the recipe's \"operations\" must be a list");
    for (const Json& entry : operations) recipe.operations.push_back(operation_from(entry, tell));
    return recipe;
}

}  // namespace caprock
