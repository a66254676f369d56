// Terrains to draw, and what is to be known of a picture.
#pragma once

#include "base/picture.h"
#include "support/fields.h"
#include "terrain/terrain.h"
#include "view/palette.h"

#include <functional>
#include <set>

namespace caprock::test {

inline Terrain made_terrain(Size size, const std::function<float(int, int)>& height,
                            Interval range = {0, 800}) {
    Grid grid;
    grid.extent = Rect::of(size);
    grid.range = range;
    Terrain terrain(grid);
    terrain.set("height", made_field(grid.extent, height));
    return terrain;
}

inline Bytes colour(const Picture& picture, int x, int y) {
    const uint8_t* pixel = picture.rgb.data() + (size_t(y) * picture.size.width + x) * 3;
    return {pixel[0], pixel[1], pixel[2]};
}

inline bool is_missing_colour(const Bytes& c) { return c == missing_ground || c == missing_stripe; }

inline std::set<int> colours_of(const Picture& picture) {
    std::set<int> all;
    for (size_t i = 0; i < picture.rgb.size(); i += 3)
        all.insert(picture.rgb[i] << 16 | picture.rgb[i + 1] << 8 | picture.rgb[i + 2]);
    return all;
}

}  // namespace caprock::test
