// What cmake/Texts.cmake makes of presets/*.json.
#pragma once

#include <span>
#include <string_view>

namespace caprock {

struct PresetText {
    std::string_view name;
    std::string_view text;
};

std::span<const PresetText> preset_texts();

}  // namespace caprock
