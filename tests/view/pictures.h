// Terrains to draw, and what is to be known of a picture.
#pragma once

#include "base/picture.h"
#include "support/fields.h"
#include "terrain/terrain.h"
#include "view/palette.h"

#include <cmath>
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

inline Terrain cone() {
    return made_terrain({65, 65}, [](int x, int y) { return 700 - 8 * std::hypot(x - 32.0f, y - 32.0f); });
}

inline Bytes colour(const Picture& picture, int x, int y) {
    const uint8_t* pixel = picture.rgb.data() + (size_t(y) * picture.size.width + x) * 3;
    return {pixel[0], pixel[1], pixel[2]};
}

inline double brightness(const Bytes& c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; }
inline double brightness(const Picture& picture, int x, int y) { return brightness(colour(picture, x, y)); }

inline bool is_missing_colour(const Bytes& c) { return c == missing_ground || c == missing_stripe; }

inline std::set<int> colours_of(const Picture& picture) {
    std::set<int> all;
    for (size_t i = 0; i < picture.rgb.size(); i += 3)
        all.insert(picture.rgb[i] << 16 | picture.rgb[i + 1] << 8 | picture.rgb[i + 2]);
    return all;
}

}  // namespace caprock::test
