#include "operations/rivers/given_rivers.h"

#include "base/error.h"
#include "operations/on_land.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace caprock {

namespace {

// Points to a step of the lattice, so that from one to the next is never more than to a neighbour.
constexpr double points_to_step = 2.5;

LinePoint part_of_way(const LinePoint& from, const LinePoint& to, double share) {
    LinePoint point(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    if (from.has_height() && to.has_height()) point.z = from.z + (to.z - from.z) * share;
    return point;
}

// What lies inside of the land, from one share of the way to another.
std::optional<std::pair<double, double>> part_inside(const LinePoint& from, const LinePoint& to,
                                                     const WorldArea& land) {
    double begin = 0, end = 1;
    auto cut = [&](double at, double way, double low, double high) {
        if (way == 0) {
            if (at < low || at > high) end = -1;
            return;
        }
        const double one = (low - at) / way, other = (high - at) / way;
        begin = std::max(begin, std::min(one, other));
        end = std::min(end, std::max(one, other));
    };
    cut(from.x, to.x - from.x, land.left, land.right);
    cut(from.y, to.y - from.y, land.top, land.bottom);
    if (begin > end) return std::nullopt;
    return std::pair{begin, end};
}

LinePoint kept_inside(LinePoint point, const WorldArea& land) {
    point.x = std::clamp(point.x, land.left, land.right);
    point.y = std::clamp(point.y, land.top, land.bottom);
    return point;
}

using GivenCourse = std::vector<LinePoint>;

// A line that leaves the land and comes back is several.
std::vector<GivenCourse> parts_inside(const Line& line, const WorldArea& land) {
    std::vector<GivenCourse> parts(1);
    for (size_t i = 1; i < line.points.size(); i++) {
        const LinePoint& from = line.points[i - 1];
        const LinePoint& to = line.points[i];
        if (from.x == to.x && from.y == to.y) continue;
        const auto inside = part_inside(from, to, land);
        if (!inside || inside->first == inside->second) {
            if (!parts.back().empty()) parts.emplace_back();
            continue;
        }
        if (inside->first > 0 && !parts.back().empty()) parts.emplace_back();
        if (parts.back().empty())
            parts.back().push_back(inside->first > 0 ? kept_inside(part_of_way(from, to, inside->first), land)
                                                     : from);
        parts.back().push_back(inside->second < 1 ? kept_inside(part_of_way(from, to, inside->second), land)
                                                  : to);
        if (inside->second < 1) parts.emplace_back();
    }
    std::erase_if(parts, [](const GivenCourse& part) { return part.size() < 2; });
    return parts;
}

double between(const LinePoint& a, const LinePoint& b) { return distance({a.x, a.y}, {b.x, b.y}); }

// Heights between those that are known follow the way between them.
void fill_in_heights(GivenCourse& course, size_t line) {
    std::optional<size_t> last;
    for (size_t i = 0; i < course.size(); i++) {
        if (!course[i].has_height()) continue;
        if (last) {
            const LinePoint& before = course[*last];
            if (course[i].z > before.z)
                throw Error(fmt::format(
                    "rivers: line {} flows uphill, from {} m at {},{} to {} m at {},{}; a river is "
                    "given from its source to its mouth",
                    line, before.z, before.x, before.y, course[i].z, course[i].x, course[i].y));
            double length = 0, so_far = 0;
            for (size_t j = *last; j < i; j++) length += between(course[j], course[j + 1]);
            for (size_t j = *last + 1; j < i; j++) {
                so_far += between(course[j - 1], course[j]);
                course[j].z = before.z + (course[i].z - before.z) * (so_far / length);
            }
        }
        last = i;
    }
}

std::vector<RiverPoint> close_points(const GivenCourse& course, double step) {
    std::vector<RiverPoint> points;
    auto add = [&](const LinePoint& at) {
        RiverPoint point;
        point.place = {at.x, at.y};
        point.z = at.z;
        points.push_back(point);
    };
    add(course.front());
    for (size_t i = 1; i < course.size(); i++) {
        const int parts =
            std::max(int(std::ceil(between(course[i - 1], course[i]) * points_to_step / step)), 1);
        for (int part = 1; part < parts; part++)
            add(part_of_way(course[i - 1], course[i], double(part) / parts));
        add(course[i]);
    }
    return points;
}

struct Box {
    double left, top, right, bottom;
    explicit Box(const GivenCourse& course)
        : left(course[0].x), top(course[0].y), right(course[0].x), bottom(course[0].y) {
        for (const LinePoint& point : course) {
            left = std::min(left, point.x);
            right = std::max(right, point.x);
            top = std::min(top, point.y);
            bottom = std::max(bottom, point.y);
        }
    }
    bool meets(const Box& other) const {
        return left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom;
    }
};

// Where two pieces cross, if they do.
std::optional<Place> crossing(const LinePoint& a, const LinePoint& b, const LinePoint& c,
                              const LinePoint& d) {
    const double ux = b.x - a.x, uy = b.y - a.y, vx = d.x - c.x, vy = d.y - c.y;
    const double turn = ux * vy - uy * vx;
    if (turn == 0) return std::nullopt;
    const double on_first = ((c.x - a.x) * vy - (c.y - a.y) * vx) / turn;
    const double on_second = ((c.x - a.x) * uy - (c.y - a.y) * ux) / turn;
    if (on_first < 0 || on_first > 1 || on_second < 0 || on_second > 1) return std::nullopt;
    return Place{a.x + on_first * ux, a.y + on_first * uy};
}

// Two rivers meet where one of them ends.
void refuse_crossings(const GivenCourse& one, const GivenCourse& other, size_t line, size_t other_line,
                      double near) {
    const Box around(other);
    if (!Box(one).meets(around)) return;
    for (size_t i = 1; i < one.size(); i++) {
        if (!Box({one[i - 1], one[i]}).meets(around)) continue;
        for (size_t j = 1; j < other.size(); j++) {
            const auto at = crossing(one[i - 1], one[i], other[j - 1], other[j]);
            if (!at) continue;
            const LinePoint place(at->x, at->y);
            if (between(place, one.back()) <= near || between(place, other.back()) <= near) continue;
            throw Error(fmt::format(
                "rivers: lines {} and {} cross at {:.1f},{:.1f}; a river that flows into another ends there",
                line, other_line, at->x, at->y));
        }
    }
}

}  // namespace

std::vector<GivenRiver> given_rivers(const LineSet& lines, const RiverLattice& lattice) {
    const WorldArea& land = lattice.land();
    const double near = lattice.step();
    std::vector<GivenCourse> courses;
    std::vector<GivenRiver> rivers;
    for (size_t i = 0; i < lines.size(); i++) {
        const Line& line = lines.lines()[i];
        if (line.closed)
            throw Error(fmt::format(
                "rivers: line {} goes in a circle; a river goes from its source to its mouth", i + 1));
        for (GivenCourse& part : parts_inside(line, land)) {
            fill_in_heights(part, i + 1);
            courses.push_back(std::move(part));
            rivers.emplace_back().line = i + 1;
        }
    }
    if (rivers.empty()) throw Error(beside_the_land("rivers", land));
    for (size_t i = 0; i < courses.size(); i++)
        for (size_t j = i + 1; j < courses.size(); j++)
            refuse_crossings(courses[i], courses[j], rivers[i].line, rivers[j].line, near);
    for (size_t i = 0; i < courses.size(); i++) {
        const LinePoint end = courses[i].back();
        const double to_border =
            std::min({end.x - land.left, land.right - end.x, end.y - land.top, land.bottom - end.y});
        if (to_border > 0) continue;
        rivers[i].end = GivenRiver::End::leaves;
    }
    for (size_t i = 0; i < courses.size(); i++) rivers[i].points = close_points(courses[i], near);
    for (size_t i = 0; i < courses.size(); i++) {
        if (rivers[i].end == GivenRiver::End::leaves) continue;
        const RiverPoint end = rivers[i].points.back();
        double least = near;
        for (size_t j = 0; j < courses.size(); j++) {
            if (j == i) continue;
            for (size_t k = 0; k < rivers[j].points.size(); k++) {
                const double away = distance(end.place, rivers[j].points[k].place);
                if (away > least || (away == least && rivers[i].end == GivenRiver::End::joins)) continue;
                least = away;
                rivers[i].end = GivenRiver::End::joins;
                rivers[i].joins = j;
                rivers[i].at = k;
            }
        }
        if (rivers[i].end == GivenRiver::End::joins) {
            const GivenRiver& other = rivers[rivers[i].joins];
            const RiverPoint& into = other.points[rivers[i].at];
            if (into.z > end.z)
                throw Error(
                    fmt::format("rivers: line {} flows uphill at its end, {},{}: from {} m into line {}, "
                                "which is at {:.2f} m there",
                                rivers[i].line, end.place.x, end.place.y, end.z, other.line, into.z));
            // One that ends on the other's very place ends a point earlier.
            if (least == 0) rivers[i].points.pop_back();
            continue;
        }
        // Close to the border it goes on to there.
        Place to = end.place;
        const double left = end.place.x - land.left, right = land.right - end.place.x;
        const double top = end.place.y - land.top, bottom = land.bottom - end.place.y;
        const double nearest = std::min({left, right, top, bottom});
        if (nearest > near) continue;
        if (nearest == left)
            to.x = land.left;
        else if (nearest == right)
            to.x = land.right;
        else if (nearest == top)
            to.y = land.top;
        else
            to.y = land.bottom;
        RiverPoint mouth;
        mouth.place = to;
        rivers[i].points.push_back(mouth);
        rivers[i].end = GivenRiver::End::leaves;
    }
    return rivers;
}

}  // namespace caprock
