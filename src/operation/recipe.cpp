#include "operation/recipe.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "operation/kernel_operation.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

using Teller = std::function<void(const std::string&)>;

constexpr int recipe_version = 2;
// Of recipes whose operations simply follow one another.
constexpr int plain_version = 1;
// A recipe is something that people read and compare; and one of more than 16 MB is not read.
constexpr size_t most_kept_in_recipe = size_t(2) << 20;

// Bytes that are no text, as the first 256 characters.
std::string characters_of(const std::string& bytes) {
    std::string text;
    for (char byte : bytes) {
        auto value = (unsigned char)(byte);
        if (value < 0x80) {
            text += byte;
        } else {
            text += char(0xc0 | (value >> 6));
            text += char(0x80 | (value & 0x3f));
        }
    }
    return text;
}

// Nothing where there are characters among them that are no bytes.
std::optional<std::string> bytes_of(const std::string& characters) {
    std::string bytes;
    for (size_t i = 0; i < characters.size(); i++) {
        auto value = (unsigned char)(characters[i]);
        if (value < 0x80) {
            bytes += characters[i];
        } else {
            if ((value & 0xfc) != 0xc0 || i + 1 == characters.size()) return std::nullopt;
            bytes += char(((value & 0x03) << 6) | ((unsigned char)(characters[++i]) & 0x3f));
        }
    }
    return bytes;
}

Json file_json(const InputFile& file) {
    if (!file.read()) return file.path();
    std::string content = file.text();
    Json json = {{"file", file.path()}};
    if (is_utf8(content)) {
        json["text"] = std::move(content);
    } else {
        json["bytes"] = characters_of(content);
    }
    return json;
}

InputFile file_from(const Parameter& parameter, const Json& json) {
    auto text_of = [&](const char* name) -> std::optional<std::string> {
        if (!json.contains(name) || !json[name].is_string()) return std::nullopt;
        return json[name].get<std::string>();
    };
    std::optional<std::string> path = text_of("file");
    std::optional<std::string> content = text_of("text");
    if (!content && json.contains("bytes")) {
        content = text_of("bytes");
        if (content) content = bytes_of(*content);
    }
    if (!path || !content)
        throw Error(fmt::format("{}: a file is its path, or {{\"file\": its path, \"text\": its content}}",
                                parameter.name()));
    InputFile file = std::get<InputFile>(parameter.default_value());
    file.put(*path, *content);
    return file;
}

struct ToJson {
    Json operator()(const Interval& value) const { return {value.low, value.high}; }
    Json operator()(const InputFile& value) const { return file_json(value); }
    Json operator()(const NumberMap& value) const { return value.text(); }
    Json operator()(const LinesValue& value) const { return value.json(); }
    Json operator()(const auto& value) const { return value; }
};

struct ToRecipe : ToJson {
    using ToJson::operator();
    Json operator()(const InputFile& value) const {
        bool large = value.read() && value.text().size() > most_kept_in_recipe && !value.path().empty();
        return large ? Json(value.path()) : file_json(value);
    }
    Json operator()(const LinesValue& value) const {
        // A point takes some forty letters.
        const bool large = !value.path().empty() && value.lines().point_count() > most_kept_in_recipe / 40;
        return large ? Json(value.text(false)) : value.json();
    }
};

struct ToMeaning : ToJson {
    using ToJson::operator();
    Json operator()(const InputFile& value) const { return value.named() ? value.fingerprint() : ""; }
    Json operator()(const LinesValue& value) const { return value.meaning(); }
};

// Through the text a user would type, so that both are checked by the same rules: "yes" is true, one number
// is an interval of itself, and 8.0, which some programs write for 8, is a whole number. What no user could
// type is refused.
std::string typed(const Parameter& parameter, const Json& value) {
    auto refuse = [&] { parameter.refuse(value.dump()); };
    auto scalar = [&](const Json& entry) {
        if (entry.is_string()) return entry.get<std::string>();
        if (entry.is_number_float()) return number_text(entry.get<double>());
        if (!entry.is_number() && !entry.is_boolean()) refuse();
        return entry.dump();
    };
    auto joined = [&](const char* separator, const auto& fits) {
        std::vector<std::string> parts;
        for (const Json& entry : value) {
            if (!fits(entry)) refuse();
            parts.push_back(scalar(entry));
        }
        return fmt::format("{}", fmt::join(parts, separator));
    };
    auto is_number = [](const Json& entry) { return entry.is_number(); };
    auto is_word = [](const Json& entry) {
        return entry.is_string() && entry != "" && entry.get<std::string>().find(',') == std::string::npos;
    };
    switch (parameter.type()) {
        case ParameterType::interval:
            if (value.is_array() && value.size() != 2) refuse();
            return value.is_array() ? joined(":", is_number) : scalar(value);
        case ParameterType::table:
            return value.is_array() ? joined(",", is_number) : scalar(value);
        case ParameterType::words:
            if (!value.is_array() && !value.is_string()) refuse();
            return value.is_array() ? joined(",", is_word) : scalar(value);
        case ParameterType::choice:
        case ParameterType::text:
        case ParameterType::file:
        case ParameterType::field:
            if (!value.is_string()) refuse();
            return scalar(value);
        default:
            return scalar(value);
    }
}

void set_from(Configurable& values, const Parameter& parameter, const Json& json) {
    if (std::holds_alternative<InputFile>(parameter.default_value())) {
        // A path alone need not be there as long as nobody needs it.
        return json.is_object() ? values.set(parameter, file_from(parameter, json))
                                : values.set(parameter, typed(parameter, json));
    }
    if (parameter.is_of_lines()) {
        try {
            return values.set(parameter,
                              LinesValue::from_json(json, parameter.type() == ParameterType::points));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", parameter.name(), error.what()));
        }
    }
    std::string text = typed(parameter, json);
    // An optional file that was not given is "" in a recipe; a user cannot type that.
    if (text.empty() && values.value_text(parameter).empty()) return;
    values.set_text(parameter, text);
}

// The value of a whole number that an int can hold, whether it is written 8 or 8.0.
std::optional<int> whole_number(const Json& json) {
    if (!json.is_number()) return std::nullopt;
    double value = json.get<double>();
    if (value != std::floor(value) || std::abs(value) > INT32_MAX) return std::nullopt;
    return int(value);
}

std::string written(const Json& json, int indent) {
    try {
        return json.dump(indent);
    } catch (const Json::exception&) {
        throw Error("a name or text is not UTF-8 and cannot be kept in JSON");
    }
}

template <typename Writer>
Json parameters_json(const Configurable& values) {
    Json json = Json::object();
    for (const Parameter& parameter : values.schema().parameters())
        json[parameter.name()] = std::visit(Writer(), values.value(parameter));
    return json;
}

// Returns the names of those there are not.
std::vector<std::string> set_given(Configurable& values, const Json& given) {
    std::vector<std::string> unknown;
    for (const auto& [name, json] : given.items()) {
        if (const Parameter* parameter = values.schema().find(name)) {
            set_from(values, *parameter, json);
        } else {
            unknown.push_back(one_line(name));
        }
    }
    return unknown;
}

template <typename Writer = ToJson>
Json operation_json(const Operation& operation) {
    Json json = {{"operation", operation.name()}, {"version", operation.version()}};
    if (!operation.text().empty()) json["text"] = operation.text();
    json["parameters"] = parameters_json<Writer>(operation);
    return json;
}

// One of the registry, or one that brings its kernel along.
std::unique_ptr<Operation> operation_named(const Json& json) {
    std::string name = json["operation"].get<std::string>();
    if (!is_kernel_name(name)) return make_operation(name);
    if (!json.contains("text") || !json["text"].is_string())
        throw Error(fmt::format("{}: its \"text\", the kernel, is missing", one_line(name)));
    return kernel_operation(json["text"].get<std::string>(), one_line(name));
}

std::unique_ptr<Operation> operation_from(const Json& json, const Teller& tell) {
    if (!json.is_object() || !json.contains("operation") || !json["operation"].is_string())
        throw Error("an operation of the recipe has no \"operation\" with its name");
    std::unique_ptr<Operation> operation = operation_named(json);
    auto say = [&](const std::string& what) {
        if (tell) tell(fmt::format("{}: {}", operation->name(), what));
    };
    auto refuse = [&](const std::string& why) { throw Error(fmt::format("{}: {}", operation->name(), why)); };
    std::optional<int> version = json.contains("version") ? whole_number(json["version"]) : 1;
    if (!version) refuse("\"version\" must be a whole number");
    if (*version > operation->version())
        say(fmt::format("written by a newer version ({}; this one knows {})", *version,
                        operation->version()));
    if (*version < operation->version()) operation->from_version(*version);
    Json given = json.contains("parameters") ? json["parameters"] : Json::object();
    if (!given.is_object()) refuse("\"parameters\" must be an object");
    std::vector<std::string> unknown;
    try {
        unknown = set_given(*operation, given);
    } catch (const Error& error) {
        refuse(error.what());
    }
    std::vector<std::string> absent;
    for (const Parameter& parameter : operation->schema().parameters())
        if (!given.contains(parameter.name())) absent.push_back(parameter.name());
    // An earlier version cannot have named what has come since.
    if (*version < operation->version()) absent.clear();
    if (!unknown.empty()) say("left out unknown parameters: " + listed(unknown));
    if (!absent.empty()) say("not given, so at their defaults: " + listed(absent));
    return operation;
}

Json parsed(const std::string& text) {
    return parsed_json(text, "not a recipe: lists within lists, far too deep");
}

[[noreturn]] void refuse_member(const char* name) {
    throw Error(fmt::format("the recipe's \"{}\" is missing or of the wrong kind", name));
}

const Json& member(const Json& json, const char* name) {
    if (!json.is_object() || !json.contains(name)) refuse_member(name);
    return json[name];
}

int whole_member(const Json& json, const char* name) {
    std::optional<int> value = whole_number(json);
    if (!value) refuse_member(name);
    return *value;
}

double number_member(const Json& json, const char* name) {
    if (!json.is_number()) refuse_member(name);
    return json.get<double>();
}

std::string optional_text(const Json& json, const char* name) {
    if (!json.contains(name)) return "";
    if (!json[name].is_string()) throw Error(fmt::format("the recipe's \"{}\" must be a text", name));
    return json[name].get<std::string>();
}

const Json& pair_member(const Json& json, const char* name) {
    const Json& pair = member(json, name);
    if (!pair.is_array() || pair.size() != 2)
        throw Error(fmt::format("the recipe's \"{}\" takes two numbers", name));
    return pair;
}

Grid grid_from(const Json& json) {
    const Json& size = pair_member(json, "size");
    const Json& range = pair_member(json, "range");
    Grid grid;
    grid.extent = Rect::of({whole_member(size[0], "size"), whole_member(size[1], "size")});
    grid.cell = number_member(member(json, "cell"), "cell");
    grid.range = {number_member(range[0], "range"), number_member(range[1], "range")};
    grid.check();
    return grid;
}

// ---- how steps hang together ----

std::vector<RecipeStep> all_steps(const Recipe& recipe) {
    if (!recipe.steps.empty()) return recipe.steps;
    std::vector<RecipeStep> steps;
    for (size_t i = 0; i < recipe.operations.size(); i++) steps.push_back({.operation = i});
    return steps;
}

Json input_json(const RecipeInput& input) {
    Json json = {{"file", input.file}};
    if (input.cell) json["cell"] = *input.cell;
    if (!input.reading.empty()) json["reading"] = input.reading;
    return json;
}

std::map<std::string, std::string> reading_from(const Json& json) {
    std::map<std::string, std::string> reading;
    if (!json.contains("reading")) return reading;
    if (!json["reading"].is_object()) refuse_member("reading");
    for (const auto& [name, value] : json["reading"].items()) {
        if (!value.is_string()) refuse_member("reading");
        reading[name] = value.get<std::string>();
    }
    return reading;
}

RecipeInput input_from(const std::string& name, const Json& json) {
    check_step_name(name, "the recipe's input");
    if (!json.is_object() || !json.contains("file") || !json["file"].is_string())
        throw Error(
            fmt::format("the recipe's input '{0}' must be an object with its \"file\": "
                        "{{\"{0}\": {{\"file\": \"{0}.tif\"}}}}",
                        name));
    RecipeInput input{json["file"].get<std::string>()};
    for (const auto& [member, value] : json.items())
        if (member != "file" && member != "cell" && member != "reading")
            throw Error(fmt::format("the recipe's input '{}' has \"{}\"; it may have file, cell and reading",
                                    name, one_line(member)));
    if (json.contains("cell")) input.cell = number_member(json["cell"], "cell");
    input.reading = reading_from(json);
    return input;
}

void add_step(const Json& entry, Recipe& recipe, const Teller& tell) {
    RecipeStep step;
    const bool is_object = entry.is_object();
    const bool linked =
        is_object && (entry.contains("name") || entry.contains("from") || entry.contains("take"));
    if (linked) {
        step.name = optional_text(entry, "name");
        step.from = optional_text(entry, "from");
        if (entry.contains("name")) check_step_name(step.name, "the recipe's step");
        if (entry.contains("from") && step.from.empty()) refuse_member("from");
    }
    if (is_object && entry.contains("take")) {
        if (!entry["take"].is_object() || entry["take"].empty())
            throw Error("the recipe's \"take\" must be an object: {\"hardness\": \"rock.height\"}");
        for (const auto& [field, from] : entry["take"].items()) {
            if (!from.is_string())
                throw Error(
                    fmt::format("the recipe's \"take\": '{}' must be a text, such as "
                                "\"rock.height\"",
                                one_line(field)));
            step.takes.push_back(parse_taken(one_line(field), from.get<std::string>()));
        }
    }
    if (!linked || entry.contains("operation")) {
        step.operation = recipe.operations.size();
        recipe.operations.push_back(operation_from(entry, tell));
    }
    recipe.steps.push_back(std::move(step));
}

}  // namespace

// ---- links -----------------------------------------------------------------------------------------------

void check_step_name(const std::string& name, std::string_view what) {
    auto fits = [](char c) { return std::isalnum((unsigned char)(c)) || c == '-' || c == '_'; };
    if (name.empty() || name.front() == '-' || !std::ranges::all_of(name, fits))
        throw Error(
            fmt::format("{} is called '{}'; a name is letters, digits, - and _", what, one_line(name)));
}

TakenField parse_taken(const std::string& field, const std::string& text) {
    if (field.empty() || field.find(' ') != std::string::npos)
        throw Error(fmt::format("'{}' is no name of a field to take '{}' as", field, one_line(text)));
    const size_t dot = text.find('.');
    TakenField taken{field, text.substr(0, dot)};
    if (dot != std::string::npos) taken.of = text.substr(dot + 1);
    if (taken.from.empty() || (dot != std::string::npos && taken.of.empty()))
        throw Error(fmt::format("'{}' must be NAME or NAME.FIELD: a step or an input, and a field of it",
                                one_line(text)));
    return taken;
}

std::string taken_text(const TakenField& taken) {
    return taken.of.empty() ? taken.from : fmt::format("{}.{}", taken.from, taken.of);
}

void check_links(const Recipe& recipe) {
    std::vector<std::string> later;
    for (const RecipeStep& step : recipe.steps)
        if (!step.name.empty()) later.push_back(step.name);
    std::vector<std::string> known;
    for (const auto& [name, input] : recipe.inputs) known.push_back(name);
    auto refer = [&](const std::string& name, std::string_view word) {
        if (contains(known, name)) return;
        if (contains(later, name))
            throw Error(
                fmt::format("{} {}: that step comes later, or is this one; only earlier ones are there "
                            "to take from",
                            word, one_line(name)));
        std::string nearest = suggestion(name, known);
        if (nearest.empty())
            nearest = known.empty() ? "; none has a name yet" : fmt::format("; there is {}", listed(known));
        throw Error(
            fmt::format("{} {}: no earlier step or input is called so{}", word, one_line(name), nearest));
    };
    for (const RecipeStep& step : recipe.steps) {
        if (!step.from.empty()) refer(step.from, "from");
        for (const TakenField& taken : step.takes) refer(taken.from, "take");
        if (step.name.empty()) continue;
        if (contains(known, step.name))
            throw Error(
                fmt::format("two steps or inputs are called '{}'; give each its own name", step.name));
        known.push_back(step.name);
    }
}

std::string operation_text(const Operation& operation) { return written(operation_json(operation), -1); }

std::string operation_meaning(const Operation& operation) {
    return written(operation_json<ToMeaning>(operation), -1);
}

std::unique_ptr<Operation> parse_operation(const std::string& text, const Teller& tell) {
    return operation_from(parsed(text), tell);
}

std::string parameters_text(const Configurable& values) {
    return written(parameters_json<ToJson>(values), -1);
}

void set_parameters(Configurable& values, const std::string& text, const Teller& tell) {
    const Json given = parsed(text);
    if (!given.is_object()) throw Error("parameters must be an object of names and values");
    std::vector<std::string> unknown = set_given(values, given);
    if (!unknown.empty() && tell) tell("left out unknown parameters: " + listed(unknown));
}

std::string recipe_text(const Recipe& recipe) {
    Json json = {{"caprock", recipe.steps.empty() && recipe.inputs.empty() ? plain_version : recipe_version}};
    if (!recipe.title.empty()) json["title"] = recipe.title;
    if (!recipe.about.empty()) json["about"] = recipe.about;
    if (recipe.grid) {
        json["grid"] = {{"size", {recipe.grid->extent.width(), recipe.grid->extent.height()}},
                        {"cell", recipe.grid->cell},
                        {"range", {recipe.grid->range.low, recipe.grid->range.high}}};
    } else {
        json["file"] = recipe.file;
        if (recipe.cell) json["cell"] = *recipe.cell;
        if (recipe.range) json["range"] = {recipe.range->low, recipe.range->high};
        if (!recipe.reading.empty()) json["reading"] = recipe.reading;
    }
    for (const auto& [name, input] : recipe.inputs) json["inputs"][name] = input_json(input);
    json["operations"] = Json::array();
    for (const RecipeStep& step : all_steps(recipe)) {
        Json entry = Json::object();
        if (!step.from.empty()) entry["from"] = step.from;
        for (const TakenField& taken : step.takes) entry["take"][taken.field] = taken_text(taken);
        if (step.operation) entry.update(operation_json<ToRecipe>(*recipe.operations[*step.operation]));
        if (!step.name.empty()) entry["name"] = step.name;
        json["operations"].push_back(std::move(entry));
    }
    return written(json, 2) + "\n";
}

Recipe parse_recipe(const std::string& text, const Teller& tell) {
    const Json json = parsed(text);
    if (!json.is_object() || !json.contains("caprock")) throw Error("not a recipe: it has no \"caprock\"");
    int version = whole_member(json["caprock"], "caprock");
    if (version > recipe_version && tell)
        tell(
            fmt::format("the recipe is of a newer version ({}; this one knows {})", version, recipe_version));
    Recipe recipe;
    recipe.title = optional_text(json, "title");
    recipe.about = optional_text(json, "about");
    if (json.contains("grid")) {
        if (json.contains("file"))
            throw Error("the recipe starts from a \"grid\" and a \"file\"; only one can be");
        recipe.grid = grid_from(json["grid"]);
    } else {
        const Json& file = member(json, "file");
        if (!file.is_string()) refuse_member("file");
        recipe.file = file.get<std::string>();
        if (json.contains("cell")) recipe.cell = number_member(json["cell"], "cell");
        if (json.contains("range")) {
            const Json& range = pair_member(json, "range");
            recipe.range = Interval{number_member(range[0], "range"), number_member(range[1], "range")};
        }
        recipe.reading = reading_from(json);
    }
    if (json.contains("inputs")) {
        if (!json["inputs"].is_object()) refuse_member("inputs");
        for (const auto& [name, input] : json["inputs"].items())
            recipe.inputs[name] = input_from(one_line(name), input);
    }
    const Json& operations = member(json, "operations");
    if (!operations.is_array()) throw Error("the recipe's \"operations\" must be a list");
    for (const Json& entry : operations) add_step(entry, recipe, tell);
    // Most recipes are lists, and whoever takes nothing else need not look.
    if (std::ranges::none_of(recipe.steps, is_linked)) recipe.steps.clear();
    check_links(recipe);
    return recipe;
}

}  // namespace caprock
