#include "operations/rivers/river_tree.h"

#include <algorithm>

namespace caprock {

namespace {

constexpr int times_smoothed = 3;
// Pieces of a curve to a step of the lattice.
constexpr int pieces_of_step = 3;
constexpr int nobody = -1;

// Of each point the one above it that most of the water comes from; of two alike the first.
std::vector<int> main_sources(const std::vector<RiverPoint>& points) {
    std::vector<int> sources(points.size(), nobody);
    for (size_t i = 0; i < points.size(); i++) {
        if (points[i].down < 0) continue;
        int& source = sources[size_t(points[i].down)];
        if (source == nobody || points[i].area > points[size_t(source)].area) source = int(i);
    }
    return sources;
}

// Through b and c, a part of the way from one to the other (E. Catmull and R. Rom, 1974).
Place on_curve(const Place& a, const Place& b, const Place& c, const Place& d, double t) {
    auto along = [&](double before, double from, double to, double behind) {
        return from +
               t / 2 *
                   (to - before +
                    t * (2 * before - 5 * from + 4 * to - behind + t * (3 * (from - to) + behind - before)));
    };
    return {along(a.x, b.x, c.x, d.x), along(a.y, b.y, c.y, d.y)};
}

Place beyond(const Place& end, const Place& before) { return {2 * end.x - before.x, 2 * end.y - before.y}; }

}  // namespace

std::vector<RiverPoint> smooth_rivers(const std::vector<RiverPoint>& drawn) {
    std::vector<RiverPoint> points = drawn;
    const std::vector<int> sources = main_sources(points);
    std::vector<Place> moved(points.size());
    for (int time = 0; time < times_smoothed; time++) {
        for (size_t i = 0; i < points.size(); i++) {
            const RiverPoint& point = points[i];
            moved[i] = point.place;
            if (point.given || point.down < 0 || sources[i] == nobody) continue;
            const Place& below = points[size_t(point.down)].place;
            const Place& above = points[size_t(sources[i])].place;
            moved[i] = {point.place.x / 2 + (below.x + above.x) / 4,
                        point.place.y / 2 + (below.y + above.y) / 4};
        }
        for (size_t i = 0; i < points.size(); i++) points[i].place = moved[i];
    }
    std::vector<RiverPoint> made;
    std::vector<int> number(points.size());
    auto put = [&](RiverPoint point, const Place& place, int down) {
        point.place = place;
        point.down = down;
        point.to_mouth =
            down < 0 ? 0 : made[size_t(down)].to_mouth + distance(place, made[size_t(down)].place);
        made.push_back(point);
        return int(made.size()) - 1;
    };
    for (size_t i = 0; i < points.size(); i++) {
        const RiverPoint& point = points[i];
        int down = point.down;
        if (down >= 0) {
            const RiverPoint& next = points[size_t(down)];
            const Place& b = next.place;
            const Place& c = point.place;
            const Place a = next.down >= 0 ? points[size_t(next.down)].place : beyond(b, c);
            const Place d = sources[i] != nobody ? points[size_t(sources[i])].place : beyond(c, b);
            down = number[size_t(down)];
            if (!(point.given && next.given))
                for (int piece = 1; piece < pieces_of_step; piece++) {
                    RiverPoint between = point;
                    between.given = false;
                    between.z = std::numeric_limits<double>::quiet_NaN();
                    down = put(between, on_curve(a, b, c, d, double(piece) / pieces_of_step), down);
                }
        }
        number[i] = put(point, point.place, down);
    }
    return made;
}

LineSet lines_of_rivers(const std::vector<RiverPoint>& points, const std::vector<double>& beds) {
    std::vector<int> into(points.size(), 0);  // how many rivers come to a point
    for (const RiverPoint& point : points)
        if (point.down >= 0) into[size_t(point.down)]++;
    auto begins = [&](size_t i) { return points[i].down >= 0 && into[i] != 1; };
    // Strahler's order, from the sources down.
    std::vector<int> order(points.size(), 1), highest(points.size(), 0), as_high(points.size(), 0);
    for (size_t i = points.size(); i-- > 0;) {
        if (into[i] > 0) order[i] = highest[i] + (as_high[i] > 1 ? 1 : 0);
        if (points[i].down < 0) continue;
        const size_t down = size_t(points[i].down);
        if (order[i] > highest[down]) {
            highest[down] = order[i];
            as_high[down] = 1;
        } else if (order[i] == highest[down]) {
            as_high[down]++;
        }
    }
    std::vector<int64_t> reach(points.size(), 0);
    int64_t count = 0;
    for (size_t i = 0; i < points.size(); i++)
        if (begins(i)) reach[i] = ++count;
    std::vector<Line> lines;
    for (size_t i = 0; i < points.size(); i++) {
        if (!begins(i)) continue;
        Line line;
        size_t at = i, last = i;
        for (;;) {
            line.points.emplace_back(points[at].place.x, points[at].place.y, beds[at]);
            if (at != i && (points[at].down < 0 || into[at] != 1)) break;
            last = at;
            at = size_t(points[at].down);
        }
        const double length = line.length();
        // All of it, where nothing else comes to the same mouth.
        const size_t lowest = points[at].down < 0 && into[at] == 1 ? at : last;
        line.attributes = {
            {"reach", reach[i]},          {"into", reach[at]},
            {"order", int64_t(order[i])}, {"area", points[lowest].area},
            {"length", length},           {"slope", length > 0 ? (beds[i] - beds[at]) / length : 0.0}};
        lines.push_back(std::move(line));
    }
    return LineSet(std::move(lines));
}

}  // namespace caprock
