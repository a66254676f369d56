// What cmake/Texts.cmake makes of brushes/*.json.
#pragma once

#include "base/named_text.h"

#include <span>

namespace caprock {

std::span<const NamedText> brush_texts();

}  // namespace caprock
