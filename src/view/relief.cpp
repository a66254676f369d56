#include "view/relief.h"

#include <algorithm>
#include <cmath>

namespace caprock {

Picture shaded_relief(const Terrain& terrain, const ReliefOptions&) {
    const Rect& rect = terrain.rect();
    Picture picture{rect.size(), std::vector<uint8_t>(size_t(rect.cells()) * 3)};
    return picture;
}

}  // namespace caprock
