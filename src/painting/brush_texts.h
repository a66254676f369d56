// What cmake/Texts.cmake makes of brushes/*.json.
#pragma once

#include <span>
#include <string_view>

namespace caprock {

struct BrushText {
    std::string_view name;
    std::string_view text;
};

std::span<const BrushText> brush_texts();

}  // namespace caprock
