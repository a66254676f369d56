// What cmake/Texts.cmake makes of presets/*.json.
#pragma once

#include "base/named_text.h"

#include <span>

namespace caprock {

std::span<const NamedText> preset_texts();

}  // namespace caprock
