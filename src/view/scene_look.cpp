#include "view/scene_look.h"

#include <numbers>

namespace caprock {

Vector3 direction_to(const Sun& sun) {
    double azimuth = sun.azimuth * std::numbers::pi / 180;
    double elevation = sun.elevation * std::numbers::pi / 180;
    return {std::sin(azimuth) * std::cos(elevation), -std::cos(azimuth) * std::cos(elevation),
            std::sin(elevation)};
}

}  // namespace caprock
