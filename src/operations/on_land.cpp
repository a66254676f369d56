#include "operations/on_land.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

std::string beside_the_land(std::string_view parameter, const WorldArea& land) {
    return fmt::format("{}: nothing of it lies on the land, which goes from {:g},{:g} to {:g},{:g}",
                       parameter, land.left, land.top, land.right, land.bottom);
}

std::optional<std::string> beside_the_land(std::string_view parameter, const LineSet& lines, const Grid& grid,
                                           double around) {
    const WorldArea land = grid.span_of(grid.extent);
    // The cell around a sample belongs to it.
    const double margin = std::max(grid.cell / 2, around);
    const auto lies_beside = [&](const Line& line) {
        const auto all = [&](const auto& beside) { return std::ranges::all_of(line.points, beside); };
        return all([&](const LinePoint& point) { return point.x < land.left - margin; }) ||
               all([&](const LinePoint& point) { return point.x > land.right + margin; }) ||
               all([&](const LinePoint& point) { return point.y < land.top - margin; }) ||
               all([&](const LinePoint& point) { return point.y > land.bottom + margin; });
    };
    if (lines.lines().empty() || !std::ranges::all_of(lines.lines(), lies_beside)) return std::nullopt;
    return beside_the_land(parameter, land);
}

}  // namespace caprock
