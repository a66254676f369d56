#include "operations/repair/points.h"

#include "base/error.h"
#include "base/text.h"
#include "terrain/line_text.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <sstream>

namespace caprock {

namespace {

// Some ten million points.
constexpr size_t longest_list = 256 << 20;

// Heights become floats.
constexpr double largest = std::numeric_limits<float>::max();

// Within a line, which may end as on Windows.
constexpr const char* spaces = " \t\r";

std::optional<KnownPoint> parsed(const std::string& text) {
    std::vector<std::string> words = split(text, ',');
    if (words.size() != 3) return std::nullopt;
    std::array<double, 3> numbers{};
    for (size_t i = 0; i < 3; i++) {
        std::optional<double> number = parse_number(trimmed(words[i], spaces));
        if (!number || std::abs(*number) > largest) return std::nullopt;
        numbers[i] = *number;
    }
    return KnownPoint{numbers[0], numbers[1], numbers[2]};
}

}  // namespace

std::vector<KnownPoint> points_in(const LineSet& lines) {
    std::vector<KnownPoint> points;
    for (const Line& line : lines.lines())
        for (const LinePoint& point : line.points) {
            const bool fits =
                std::abs(point.x) <= largest && std::abs(point.y) <= largest && std::abs(point.z) <= largest;
            if (!fits)
                throw Error(
                    fmt::format("'{}': a point is x,y,height in metres", points_text(LineSet({{{point}}}))));
            points.push_back({point.x, point.y, point.z});
        }
    return points;
}

InputFile points_file() { return {longest_list, "that is no list of points"}; }

std::vector<KnownPoint> points_in_file(const InputFile& file) {
    auto refuse = [&](const std::string& why) { return Error(fmt::format("{}: {}", file.title(), why)); };
    std::istringstream lines(file.text());
    std::vector<KnownPoint> points;
    std::string line;
    for (int number = 1; std::getline(lines, line); number++) {
        line = trimmed(line, spaces);
        if (line.empty() || line[0] == '#') continue;
        if (std::optional<KnownPoint> point = parsed(line)) {
            points.push_back(*point);
        } else if (number > 1) {
            throw refuse(fmt::format("line {}: '{}' is no point x,y,height", number, one_line(line)));
        }
    }
    if (points.empty()) throw refuse("there is no point x,y,height in it");
    return points;
}

Cell cell_of(const KnownPoint& point, const Grid& grid) {
    double x = std::floor(grid.metres_to_cells(point.x) + 0.5);
    double y = std::floor(grid.metres_to_cells(point.y) + 0.5);
    const Rect& extent = grid.extent;
    if (!(x >= 0 && x < extent.width() && y >= 0 && y < extent.height()))
        throw Error(fmt::format("point {},{}: outside the land, which is {} m by {} m", number_text(point.x),
                                number_text(point.y), number_text((extent.width() - 1) * grid.cell),
                                number_text((extent.height() - 1) * grid.cell)));
    return {extent.left + int(x), extent.top + int(y)};
}

}  // namespace caprock
