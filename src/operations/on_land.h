// Whether lines that somebody gives have anything to do with the land.
#pragma once

#include "terrain/grid.h"
#include "terrain/line_set.h"

#include <optional>
#include <string>
#include <string_view>

namespace caprock {

// What is said of a parameter none of whose lines comes onto the land: they are in another system, or a digit is missing.
std::string beside_the_land(std::string_view parameter, const WorldArea& land);

// That, where each line, and what is within so many metres of it, lies beside the land on one of its sides. No lines at all are no
// mistake.
std::optional<std::string> beside_the_land(std::string_view parameter, const LineSet& lines, const Grid& grid,
                                           double around = 0);

}  // namespace caprock
