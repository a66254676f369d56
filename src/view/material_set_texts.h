// What cmake/Texts.cmake makes of materials/*.json.
#pragma once

#include "base/named_text.h"

#include <span>

namespace caprock {

std::span<const NamedText> material_set_texts();

}  // namespace caprock
