// Lines over a terrain: roads, rivers, contours, and points, which are lines of one point. They are data like fields, but no
// cells: places in metres, in the frame of the grid (grid.h), to the last bit of a double.
#pragma once

#include "terrain/grid.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace caprock {

// A place and perhaps a height there, in metres.
struct LinePoint {
    double x = 0;
    double y = 0;
    double z = std::numeric_limits<double>::quiet_NaN();  // NaN: none is known

    LinePoint() = default;
    LinePoint(double east, double south) : x(east), y(south) {}
    LinePoint(double east, double south, double height) : x(east), y(south), z(height) {}

    bool has_height() const { return z == z; }
    WorldPoint place() const { return {x, y}; }
    // To the last bit: 0 and -0 differ. Heights that are not known are equal.
    bool operator==(const LinePoint& other) const;
};

// What is noted of a line: a number, a whole number or a text.
using LineAttribute = std::variant<double, int64_t, std::string>;

struct Line {
    std::vector<LinePoint> points;
    bool closed = false;  // goes on from the last point to the first, which is not there twice
    std::map<std::string, LineAttribute> attributes = {};

    // Over the map, in metres: heights have no part in it.
    double length() const;
    bool operator==(const Line& other) const;
};

// A value: copies share their lines until one is changed.
class LineSet {
  public:
    LineSet() = default;
    explicit LineSet(std::vector<Line> lines)
        : lines_(std::make_shared<const std::vector<Line>>(std::move(lines))) {}

    const std::vector<Line>& lines() const&;
    // Of a set that ends with the statement: a copy, which does not.
    std::vector<Line> lines() const&& { return static_cast<const LineSet&>(*this).lines(); }
    size_t size() const { return lines().size(); }
    bool empty() const { return lines().empty(); }
    size_t point_count() const;
    double length() const;  // of all of them
    // Whether every line is a single point, whether any point has a height, and whether anything is noted of any line.
    bool only_points() const;
    bool has_heights() const;
    bool has_attributes() const;

    // Lines with every point put through `map`, which is given and gives a LinePoint.
    template <typename Map>
    LineSet mapped(const Map& map) const {
        std::vector<Line> moved = lines();
        for (Line& line : moved)
            for (LinePoint& point : line.points) point = map(point);
        return LineSet(std::move(moved));
    }

    // All that it is, in an order of its own: two sets are the same when these bytes are. They are the same on every machine.
    std::string bytes() const;
    uint64_t fingerprint() const;
    // Throws Error for a line without points, and for a place or a height that is infinite or no number.
    void check() const;

    bool operator==(const LineSet& other) const;

  private:
    std::shared_ptr<const std::vector<Line>> lines_;
};

// Throws Error unless operations can say it: "lines are called 'a b'; a name is letters, digits, - and _".
void check_line_name(const std::string& name);

using NamedLines = std::vector<std::pair<std::string, LineSet>>;

// The same lines elsewhere.
inline LineSet moved_by(const LineSet& lines, double east, double south) {
    if (east == 0 && south == 0) return lines;
    return lines.mapped([&](LinePoint point) {
        point.x += east;
        point.y += south;
        return point;
    });
}

}  // namespace caprock
