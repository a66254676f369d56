// What a map is printed on, and with: where there is no land, it is seen.
#pragma once

#include "view/palette.h"

namespace caprock {

struct MapPaper {
    Bytes sheet = bytes_of(0xf7f5efu);  // around the land
    Bytes box = bytes_of(0xfbfaf6u);    // below the legend and around letters
    Bytes ink = bytes_of(0x2b2a28u);    // letters and lines
    Bytes missing = missing_ground;     // cells that nobody knows, and the stripes on them
    Bytes stripe = missing_stripe;

    Bytes missing_at(int x, int y) const { return missing_is_striped(x, y) ? stripe : missing; }
};

}  // namespace caprock
