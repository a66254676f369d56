#include "operation/presets.h"

#include "base/error.h"
#include "base/text.h"
#include "operation/preset_texts.h"

#include <fmt/format.h>

namespace caprock {

namespace {

const PresetText* find_preset(std::string_view name) {
    for (const PresetText& known : preset_texts())
        if (known.name == name) return &known;
    return nullptr;
}

}  // namespace

std::vector<std::string> preset_names() {
    std::vector<std::string> names;
    for (const PresetText& known : preset_texts()) names.emplace_back(known.name);
    return names;
}

bool is_preset(std::string_view name) { return find_preset(name) != nullptr; }

Recipe preset(std::string_view name, const std::function<void(const std::string&)>& tell) {
    const PresetText* found = find_preset(name);
    if (!found)
        throw Error(fmt::format("no preset '{}'{}", one_line(name), suggestion(name, preset_names())));
    try {
        return parse_recipe(std::string(found->text), tell);
    } catch (const Error& error) {
        throw Error(fmt::format("preset '{}': {}", found->name, error.what()));
    }
}

}  // namespace caprock
