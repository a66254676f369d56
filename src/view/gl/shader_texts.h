// What cmake/Texts.cmake makes of src/view/shaders.
#pragma once

#include "base/named_text.h"

#include <span>

namespace caprock {

std::span<const NamedText> shader_texts();

}  // namespace caprock
