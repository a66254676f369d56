// Writes caprock/operations.h: for every operation of the registry a struct of its parameters, and a function that makes a
// chain of it. Both come from what the operation declares of itself, so that no other place has to know of it.
//
//     operations-header FILE
#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "operation/operation.h"

#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace caprock {
namespace {

// talus-gain is talus_gain. A word that C++ has taken gets a line behind it, one that begins with a digit a line before it.
std::string identifier(const std::string& name) {
    static const std::set<std::string> taken = {
        "alignas",  "alignof",  "and",     "asm",     "auto",      "bitand", "bitor",    "bool",
        "break",    "case",     "catch",   "char",    "class",     "compl",  "concept",  "const",
        "continue", "default",  "delete",  "do",      "double",    "else",   "enum",     "explicit",
        "export",   "extern",   "false",   "float",   "for",       "friend", "goto",     "if",
        "inline",   "int",      "long",    "mutable", "namespace", "new",    "noexcept", "not",
        "nullptr",  "operator", "or",      "private", "protected", "public", "register", "requires",
        "return",   "short",    "signed",  "sizeof",  "static",    "struct", "switch",   "template",
        "this",     "throw",    "true",    "try",     "typedef",   "typeid", "typename", "union",
        "unsigned", "using",    "virtual", "void",    "volatile",  "while",  "xor"};
    std::string word;
    for (char letter : name) word += letter == '-' ? '_' : letter;
    if (taken.contains(word)) return word + "_";
    return word[0] >= '0' && word[0] <= '9' ? "_" + word : word;
}

// thermal-erosion is ThermalErosion.
std::string type_name(const std::string& name) {
    std::string word;
    for (std::string part : split(name, '-')) {
        if (part[0] >= 'a' && part[0] <= 'z') part[0] = char(part[0] - 'a' + 'A');
        word += part;
    }
    return word;
}

std::string enumeration_name(const Operation& operation, const Parameter& parameter) {
    return type_name(std::string(operation.name())) + type_name(parameter.name());
}

std::string quoted(const std::string& text) {
    std::string inside;
    for (char letter : text) {
        if (letter == '"' || letter == '\\') inside += '\\';
        inside += letter;
    }
    return '"' + inside + '"';
}

// A comment of as many lines as it takes.
std::string comment(const std::string& text, const std::string& indent) {
    constexpr size_t widest = 105;
    std::string lines;
    std::string line;
    auto end_line = [&] {
        if (!line.empty()) lines += indent + "//" + line + "\n";
        line.clear();
    };
    for (const std::string& word : split(text, ' ')) {
        if (indent.size() + line.size() + word.size() + 3 > widest) end_line();
        line += " " + word;
    }
    end_line();
    return lines;
}

// ---- one parameter ---------------------------------------------------------------------------------------

// A number with a unit that the library has a type for.
std::string number_type(const Parameter& parameter) {
    if (parameter.unit() == "m") return "Metres";
    if (parameter.unit() == "degrees") return "Degrees";
    return "double";
}

struct Member {
    std::string type;
    std::string value;  // the default
    std::string taken;  // from the struct `given`, for a Setting
};

struct MemberOf {
    const Operation& operation;
    const Parameter& parameter;

    std::string given() const { return "given." + identifier(parameter.name()); }
    Member operator()(double value) const {
        const std::string type = number_type(parameter);
        if (parameter.varies())
            return {fmt::format("Varying<{}>", type), number_text(value), given() + ".value<Value>()"};
        return {type, number_text(value), type == "double" ? given() : "double(" + given() + ")"};
    }
    Member operator()(int value) const { return {"int", std::to_string(value), given()}; }
    Member operator()(bool value) const { return {"bool", value ? "true" : "false", given()}; }
    Member operator()(uint32_t value) const { return {"std::uint32_t", std::to_string(value), given()}; }
    Member operator()(const std::string& value) const {
        if (parameter.type() != ParameterType::choice) return {"std::string", quoted(value), given()};
        const std::string type = enumeration_name(operation, parameter);
        return {type, type + "::" + identifier(value), "word_of(" + given() + ")"};
    }
    // No parameter has a map by itself.
    Member operator()(const NumberMap& value) const { return {"Map", quoted(value.from), given()}; }
    Member operator()(const InputFile&) const { return {"std::string", "\"\"", given()}; }
    Member operator()(const LinesValue&) const { return {"Lines", "{}", "value_of(" + given() + ")"}; }
    Member operator()(const Interval& value) const {
        return {"Interval", fmt::format("{{{}, {}}}", number_text(value.low), number_text(value.high)),
                given()};
    }
    Member operator()(const std::vector<double>& value) const {
        return {"std::vector<double>", fmt::format("{{{}}}", fmt::join(value, ", ")), given()};
    }
    Member operator()(const std::vector<std::string>& value) const {
        std::vector<std::string> words;
        for (const std::string& word : value) words.push_back(quoted(word));
        return {"std::vector<std::string>", fmt::format("{{{}}}", fmt::join(words, ", ")), given()};
    }
};

Member member_of(const Operation& operation, const Parameter& parameter) {
    return std::visit(MemberOf{operation, parameter}, parameter.default_value());
}

std::string about(const Parameter& parameter) {
    std::string facts;
    if (parameter.numeric() && parameter.hard_range()) {
        const Interval& range = *parameter.hard_range();
        facts = fmt::format("{} to {}", number_text(range.low), number_text(range.high));
    }
    if (!parameter.unit().empty()) facts += facts.empty() ? "in " + parameter.unit() : " " + parameter.unit();
    if (parameter.varies()) facts += facts.empty() ? "or a map" : ", or a map";
    if (parameter.type() == ParameterType::field) facts = "the name of a field";
    if (parameter.type() == ParameterType::file) facts = "the path of a file";
    if (parameter.type() == ParameterType::points) facts = "points";
    if (parameter.type() == ParameterType::lines) facts = "lines";
    return facts.empty() ? parameter.help() : fmt::format("{} ({})", parameter.help(), facts);
}

std::string enumeration_text(const Operation& operation, const Parameter& parameter) {
    const std::string type = enumeration_name(operation, parameter);
    std::vector<std::string> words;
    std::string cases;
    for (const std::string& choice : parameter.choices()) {
        words.push_back(identifier(choice));
        cases +=
            fmt::format("        case {}::{}:\n            return {};\n", type, words.back(), quoted(choice));
    }
    return fmt::format(
        "enum class {0} {{\n    {1},\n}};\n"
        "// As it is called on the command line; empty for none of them.\n"
        "inline std::string word_of({0} choice) {{\n"
        "    switch (choice) {{\n{2}    }}\n"
        "    return \"\";\n"
        "}}\n\n",
        type, fmt::join(words, ",\n    "), cases);
}

// ---- one operation ---------------------------------------------------------------------------------------

std::string fields_text(const FieldUse& fields) {
    std::vector<std::string> parts;
    if (!fields.inputs.empty()) parts.push_back("reads " + listed(fields.inputs));
    if (!fields.optional_inputs.empty()) parts.push_back("may use " + listed(fields.optional_inputs));
    if (fields.every_field) parts.push_back("changes every field");
    if (!fields.outputs.empty()) parts.push_back("makes " + listed(fields.outputs));
    if (!fields.line_outputs.empty()) parts.push_back("makes the lines " + listed(fields.line_outputs));
    return fmt::format("As it is, it {}.", fmt::join(parts, "; "));
}

std::string operation_declaration(const Operation& operation) {
    const std::string name(operation.name());
    const Schema& schema = operation.schema();
    std::string text =
        fmt::format("// ---- {} {}\n\n", name, std::string(100 - std::min<size_t>(name.size(), 90), '-'));
    for (const Parameter& parameter : schema.parameters())
        if (parameter.type() == ParameterType::choice) text += enumeration_text(operation, parameter);
    text += comment(fmt::format("{}: {}", name, schema.summary()), "");
    if (!schema.source().empty()) text += comment("After: " + schema.source() + ".", "");
    text += comment(fields_text(operation.fields()), "");
    text += fmt::format("struct {} {{\n", type_name(name));
    std::vector<std::string> settings;
    for (const Parameter& parameter : schema.parameters()) {
        const Member member = member_of(operation, parameter);
        text += comment(about(parameter), "    ");
        text += fmt::format("    {} {} = {};\n", member.type, identifier(parameter.name()), member.value);
        settings.push_back(fmt::format("{{{}, {}}}", quoted(parameter.name()), member.taken));
    }
    text += "};\n";
    text += fmt::format(
        "inline Chain {}(const {}&{} = {{}}) {{\n"
        "    return Chain({}, {{{}}});\n"
        "}}\n\n",
        identifier(name), type_name(name), settings.empty() ? "" : " given", quoted(name),
        fmt::join(settings, ",\n" + std::string(22 + name.size(), ' ')));
    return text;
}

std::string header() {
    std::string text =
        "// The operations: a struct of parameters for each, and the function that takes it. Parameters that "
        "are left out have\n"
        "// their defaults:\n"
        "//\n"
        "//     noise({.kind = NoiseKind::ridged, .seed = 7}) | thermal_erosion({.steps = 20})\n"
        "//\n"
        "// Made by the build from what the operations declare.\n"
        "#pragma once\n"
        "\n"
        "#include <caprock/chain.h>\n"
        "#include <caprock/grid.h>\n"
        "#include <caprock/units.h>\n"
        "#include <caprock/varying.h>\n"
        "#include <cstdint>\n"
        "#include <string>\n"
        "#include <vector>\n"
        "\n"
        "namespace caprock {\n"
        "inline namespace v1 {\n"
        "\n";
    for (const std::string& name : operation_names()) text += operation_declaration(*make_operation(name));
    return text + "}  // namespace v1\n}  // namespace caprock\n";
}

}  // namespace
}  // namespace caprock

int main(int count, char** words) {
    try {
        if (count != 2) throw caprock::Error("operations-header: takes the file to write");
        const std::filesystem::path path = words[1];
        std::filesystem::create_directories(path.parent_path());
        caprock::write_text_file(caprock::header(), path.string());
        return 0;
    } catch (const std::exception& error) {
        caprock::tell(fmt::format("caprock: {}\n", error.what()));
        return 2;
    }
}
