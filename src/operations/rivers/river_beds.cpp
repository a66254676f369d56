#include "operations/rivers/river_beds.h"

#include "base/error.h"
#include "base/mathematics.h"
#include "operations/rivers/place_pyramid.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <queue>
#include <utility>

namespace caprock {

namespace {

constexpr double square_kilometre = 1e6;
// A bed is never steeper than this part of the hillslope beside it.
constexpr double steepest_bed = 0.7;
// The floor of a valley begins to rise with this part of the hillslope; with more where its river falls more.
constexpr double least_floor = 0.075;  // of the way to the crest
// With more, ground would stop to rise.
constexpr double widest_floor = 1.5;
constexpr double flattest_foot = 0.25;
constexpr double foot_to_bed = 1.25;
constexpr double steepest_foot = 0.95;
// Where a given bed stands above another river, ground between them may be so many times as steep as elsewhere.
constexpr double most_times_steeper = 50;

}  // namespace

RiverBeds::RiverBeds(const std::vector<RiverPoint>& points, const BedRules& rules, Progress& progress)
    : rules_(rules) {
    check_given(points);
    draw(points);
    lower(points, progress);
    std::vector<bool> drained(points.size(), false);
    for (const RiverPoint& point : points)
        if (point.down >= 0) drained[size_t(point.down)] = true;
    for (size_t i = 0; i < points.size(); i++) {
        const int down = points[i].down;
        if (down < 0 && drained[i]) continue;
        RiverPiece piece{points[i].place, {0, 0}, 0, beds_[i], beds_[i], rises_[i]};
        if (down >= 0) {
            const Place& to = points[size_t(down)].place;
            piece.length = distance(piece.from, to);
            if (!(piece.length > 0)) continue;
            piece.ahead = {(to.x - piece.from.x) / piece.length, (to.y - piece.from.y) / piece.length};
            piece.low = beds_[size_t(down)];
        }
        pieces_.push_back(piece);
    }
    // Where all places are one.
    if (pieces_.empty()) pieces_.push_back({points[0].place, {0, 0}, 0, beds_[0], beds_[0], rises_[0]});
}

// Wherever a given bed flows to another, by whatever way.
void RiverBeds::check_given(const std::vector<RiverPoint>& points) {
    std::vector<size_t> below(points.size());  // itself: none is
    for (size_t i = 0; i < points.size(); i++) {
        const bool given = points[i].z == points[i].z;
        const size_t next = points[i].down < 0 ? i : below[size_t(points[i].down)];
        below[i] = given || points[i].down < 0 ? i : next;
        if (!given || points[i].down < 0 || !(points[next].z > points[i].z)) continue;
        throw Error(
            fmt::format("rivers: the bed at {:.1f},{:.1f} is given {} m high, and flows to {:.1f},{:.1f}, "
                        "which is given {} m; no river flows uphill",
                        points[i].place.x, points[i].place.y, points[i].z, points[next].place.x,
                        points[next].place.y, points[next].z));
    }
}

// As rivers would be if each were alone.
void RiverBeds::draw(const std::vector<RiverPoint>& points) {
    beds_.resize(points.size());
    rises_.resize(points.size());
    for (size_t i = 0; i < points.size(); i++) {
        const RiverPoint& point = points[i];
        const double area = point.area / square_kilometre;
        Rise& rise = rises_[i];
        rise.slope = rules_.hillslope(point.place);
        double falls = area > 0
                           ? rules_.steepness * rules_.falls(point.place) * power(area, -rules_.concavity)
                           : rise.slope;
        falls = std::min(falls, steepest_bed * rise.slope);
        if (point.down < 0) {
            beds_[i] = rules_.base;
        } else {
            const size_t down = size_t(point.down);
            const double length = distance(point.place, points[down].place);
            beds_[i] = beds_[down] + falls * length;
            if (point.z == point.z && length > 0) falls = std::max((point.z - beds_[down]) / length, 0.0);
        }
        if (point.z == point.z) beds_[i] = point.z;
        const double foot =
            std::clamp(foot_to_bed * falls, flattest_foot * rise.slope, steepest_foot * rise.slope);
        rise.floor = std::min(rules_.floor * std::sqrt(area) + least_floor * rules_.crest_away,
                              widest_floor * rules_.crest_away);
        rise.saved = (rise.slope - foot) * rise.floor;
    }
}

// Lowers beds until they agree.
void RiverBeds::lower(const std::vector<RiverPoint>& points, Progress& progress) {
    const size_t count = points.size();
    double longest = 0;
    for (const RiverPoint& point : points)
        if (point.down >= 0)
            longest = std::max(longest, distance(point.place, points[size_t(point.down)].place));
    std::vector<double> length(count, 0);  // of the longest piece at each place
    for (size_t i = 0; i < count; i++) {
        if (points[i].down < 0) continue;
        const size_t down = size_t(points[i].down);
        length[i] = std::max(length[i], distance(points[i].place, points[down].place));
        length[down] = std::max(length[down], length[i]);
    }
    // A piece of river between two places comes a little nearer to another than both of them.
    auto nearest_of_pieces = [&](size_t one, size_t other, double away) {
        const double nearer = (length[one] * length[one] + length[other] * length[other]) / 4;
        return std::sqrt(std::max(away * away - nearer, 0.36 * away * away));
    };
    auto is_given = [&](size_t i) { return points[i].z == points[i].z; };

    // Without the least fall.
    std::vector<double> level(count);
    for (size_t i = 0; i < count; i++) level[i] = beds_[i] - least_fall * points[i].to_mouth;
    // What flows to a given bed stays above it.
    std::vector<double> least(count, -std::numeric_limits<double>::infinity());
    for (size_t i = 0; i < count; i++) {
        if (points[i].down >= 0) least[i] = least[size_t(points[i].down)];
        if (is_given(i)) least[i] = level[i];
        level[i] = std::max(level[i], least[i]);
        beds_[i] = level[i] + least_fall * points[i].to_mouth;
        if (is_given(i)) beds_[i] = points[i].z;
    }
    std::vector<bool> done(count, false);
    auto still_high = [&](size_t i) { return done[i] ? -std::numeric_limits<double>::infinity() : beds_[i]; };
    PlacePyramid pyramid(count, std::max(4 * longest, rules_.crest_away / 2), [&](size_t i) {
        const Place& at = points[i].place;
        return PlacePyramid::Bounds{at.x, at.y, at.x, at.y, beds_[i], beds_[i]};
    });
    using Entry = std::pair<double, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> waiting;
    for (size_t i = 0; i < count; i++) waiting.emplace(level[i], i);
    // Of given beds that stand above others; when all is known.
    std::vector<std::pair<size_t, size_t>> above;
    size_t told = 0;
    while (!waiting.empty()) {
        const auto [at, i] = waiting.top();
        waiting.pop();
        if (done[i] || at > level[i]) continue;
        done[i] = true;
        if (++told % 1024 == 0) progress.check();
        pyramid.lower(i, still_high);
        auto no_more_than = [&](size_t other, double most) {
            if (done[other] || is_given(other) || level[other] <= std::max(most, least[other])) return;
            level[other] = std::max({most, at, least[other]});
            beds_[other] = level[other] + least_fall * points[other].to_mouth;
            waiting.emplace(level[other], other);
            pyramid.lower(other, still_high);
        };
        if (points[i].down >= 0) no_more_than(size_t(points[i].down), at);
        const double bed = beds_[i];
        const Rise& rise = rises_[i];
        pyramid.look_through(
            points[i].place,
            [&](double away, double, double high) {
                const double nearest = std::max(away - longest, 0.0);
                return high > bed + rise.at(nearest, rules_.crest_away);
            },
            [&](size_t other) {
                if (done[other]) return;
                const double away = distance(points[i].place, points[other].place);
                if (const double held = least[other] + least_fall * points[other].to_mouth;
                    held > bed + rise.at(away, rules_.crest_away))
                    above.emplace_back(i, other);
                if (is_given(other)) return;
                const double most = bed + rise.at(nearest_of_pieces(i, other, away), rules_.crest_away);
                no_more_than(other, most - least_fall * points[other].to_mouth);
            });
    }
    // Given beds stay above, on ground that is as steep as that takes.
    std::vector<double> times(count, 1);
    for (const auto& [low, high] : above) {
        const double made =
            rises_[low].at(distance(points[low].place, points[high].place), rules_.crest_away);
        if (made > 0)
            times[low] =
                std::max(times[low], std::min((beds_[high] - beds_[low]) / made, most_times_steeper));
    }
    for (size_t i = 0; i < count; i++) {
        const double steeper =
            points[i].down < 0 ? times[i] : std::max(times[i], times[size_t(points[i].down)]);
        rises_[i].slope *= steeper;
        rises_[i].saved *= steeper;
    }
}

}  // namespace caprock
