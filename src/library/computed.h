// Land, computed as a whole.
#pragma once

#include "library/watch.h"

#include <string>

namespace caprock {
inline namespace v1 {

// How many steps that are told of: reading a file, and every operation.
int steps_of(const Land::Inside& land);

core::Terrain computed(const Land::Inside& land, Watch& watch, const std::string& device);

}  // namespace v1
}  // namespace caprock
