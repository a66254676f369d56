// What cmake/Texts.cmake makes of materials/*.json.
#pragma once

#include <span>
#include <string_view>

namespace caprock {

struct MaterialSetText {
    std::string_view name;
    std::string_view text;
};

std::span<const MaterialSetText> material_set_texts();

}  // namespace caprock
