// What cmake/Texts.cmake makes of src/view/shaders.
#pragma once

#include <span>
#include <string_view>

namespace caprock {

struct ShaderText {
    std::string_view name;
    std::string_view text;
};

std::span<const ShaderText> shader_texts();

}  // namespace caprock
