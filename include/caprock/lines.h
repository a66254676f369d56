// Lines over a terrain: places in metres to the east and to the south of the sample of its first cell, with what is noted of
// them. A point is a line of one point.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace caprock {
inline namespace v1 {

struct LinePoint {
    double x = 0;
    double y = 0;
    double height = std::numeric_limits<double>::quiet_NaN();  // metres; NaN: none is known
};

// A number, a whole number or a text.
using LineAttribute = std::variant<double, std::int64_t, std::string>;

struct Line {
    std::vector<LinePoint> points;
    bool closed = false;  // goes on from the last point to the first, which is not there twice
    std::map<std::string, LineAttribute> attributes = {};
};

using LineSet = std::vector<Line>;

// What a parameter takes: lines, or what one would type: "0,0 10,5; 3,4 5,6", "@roads.gpkg", or "@roads", which are those of
// the terrain of that name.
struct Lines {
    Lines() = default;
    Lines(LineSet lines) : set(std::move(lines)) {}
    Lines(std::string typed) : text(std::move(typed)) {}
    Lines(const char* typed) : text(typed) {}

    LineSet set;
    std::string text;
};

}  // namespace v1
}  // namespace caprock
