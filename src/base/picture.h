// Colours, three bytes each, row by row from the top.
#pragma once

#include "base/rect.h"

#include <cstdint>
#include <vector>

namespace caprock {

struct Picture {
    Size size;
    std::vector<uint8_t> rgb;
};

}  // namespace caprock
