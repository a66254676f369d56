// Masks, and what is needed to make and to judge them.
#pragma once

#include "support/terrains.h"

#include <algorithm>
#include <string>

namespace caprock::test {

inline Field mask_by(const std::string& operation, const Parameters& parameters, const Terrain& terrain) {
    return applied(operation, parameters, terrain).field("mask");
}

// 1 where nothing lies outside, 0 from `softness` on.
inline double falloff(double outside, double softness) {
    if (softness == 0) return outside <= 0 ? 1 : 0;
    double t = std::clamp(1 - outside / softness, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// A mask with patches, fine grain and missing cells.
inline float patchy(int x, int y, bool holes) {
    if (holes && scattered(x, y, 21) < 0.05f) return missing;
    if (scattered(x / 9, y / 7, 22) < 0.6f) return 0;
    float grain = scattered(x, y, 23);
    return grain < 0.3f ? 1 : grain;
}

}  // namespace caprock::test
