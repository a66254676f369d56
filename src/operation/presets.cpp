#include "operation/presets.h"

#include "operation/preset_texts.h"

namespace caprock {

std::vector<std::string> preset_names() { return names_of(preset_texts()); }

bool is_preset(std::string_view name) { return find_text(preset_texts(), name) != nullptr; }

Recipe preset(std::string_view name, const std::function<void(const std::string&)>& tell) {
    return parsed_text(preset_texts(), name, "preset",
                       [&](const std::string& text) { return parse_recipe(text, tell); });
}

}  // namespace caprock
