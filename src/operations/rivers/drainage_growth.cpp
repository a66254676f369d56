#include "operations/rivers/drainage_growth.h"

#include "base/mathematics.h"
#include "operations/rivers/river_noise.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace caprock {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Land on the border costs so much more: rivers come to it and do not run along it.
constexpr double price_of_border = 3;
// By how much, as a logarithm, the price differs from place to place.
constexpr double most_by_place = 1.2;
// A river that lies so many times farther than the first to be found is not looked for.
constexpr double farthest_search = 2;

// Dear and cheap land: wide bends, and small ones within them.
double price_of(const Place& place, double spacing, double winding, uint32_t seed) {
    double sum = 0;
    double length = 6 * spacing;
    double height = 1;
    for (uint32_t octave = 0; octave < 4; octave++) {
        sum += height * smooth_chance(place.x / length, place.y / length, hashed(seed, octave, 21));
        length /= 2;
        height *= 0.75;
    }
    return exponential(winding * 2.4 * sum);
}

// Of two that cost the same the first comes first.
using Waiting = std::priority_queue<std::pair<double, size_t>, std::vector<std::pair<double, size_t>>,
                                    std::greater<std::pair<double, size_t>>>;

}  // namespace

DrainageGrowth::DrainageGrowth(const RiverLattice& lattice, Rules rules)
    : lattice_(lattice), rules_(std::move(rules)) {
    const size_t count = lattice.size();
    at_.assign(count, -1);
    diagonals_.assign(count, 0);
    away_.assign(count, infinite);
    nearest_.assign(count, -1);
    cost_.assign(count, infinite);
    searched_.assign(count, 0);
    came_from_.assign(count, 0);
    price_.resize(count);
    for (size_t node = 0; node < count; node++) {
        price_[node] = price_of(lattice.place(node), rules_.spacing, rules_.winding, rules_.seed);
        // And from place to place, so that no way is straight for being along the lattice.
        price_[node] *= exponential(most_by_place * (unit(hashed(rules_.seed, uint32_t(node), 22)) - 0.5));
        if (lattice.on_border(node)) price_[node] *= price_of_border;
    }
}

int DrainageGrowth::add_point(const Place& place, int down) {
    RiverPoint point;
    point.place = place;
    point.down = down;
    if (down >= 0)
        point.to_mouth = points_[size_t(down)].to_mouth + distance(place, points_[size_t(down)].place);
    points_.push_back(point);
    return int(points_.size()) - 1;
}

void DrainageGrowth::take(size_t node, int point) {
    if (at_[node] < 0) at_[node] = point;
}

size_t DrainageGrowth::quad_of(size_t node, int dx, int dy) const {
    const int x = lattice_.column_of(node), y = lattice_.row_of(node);
    return lattice_.number(std::min(x, x + dx), std::min(y, y + dy));
}

bool DrainageGrowth::is_barred(size_t node, int dx, int dy) const {
    if (dx == 0 || dy == 0) return false;
    const uint8_t across = dx == dy ? 2 : 1;
    return (diagonals_[quad_of(node, dx, dy)] & across) != 0;
}

void DrainageGrowth::bar(size_t from, size_t to) {
    const int dx = lattice_.column_of(to) - lattice_.column_of(from);
    const int dy = lattice_.row_of(to) - lattice_.row_of(from);
    if (std::abs(dx) != 1 || std::abs(dy) != 1) return;
    diagonals_[quad_of(from, dx, dy)] |= dx == dy ? 1 : 2;
}

void DrainageGrowth::add_mouth(size_t node) {
    if (is_river(node)) return;
    take(node, add_point(lattice_.place(node), RiverPoint::leaves));
    spread({node});
}

void DrainageGrowth::add_line(const std::vector<RiverPoint>& line, int into) {
    std::vector<size_t> touched;
    int down = into;
    for (size_t i = line.size(); i-- > 0;) {
        down = add_point(line[i].place, down);
        RiverPoint& point = points_.back();
        point.given = true;
        point.z = line[i].z;
        const size_t node = lattice_.nearest(point.place.x, point.place.y);
        take(node, down);
        if (!touched.empty() && touched.back() != node) bar(touched.back(), node);
        if (touched.empty() || touched.back() != node) touched.push_back(node);
    }
    spread(touched);
}

void DrainageGrowth::add_way(const std::vector<size_t>& nodes) {
    std::vector<size_t> fresh;
    int down = is_river(nodes.back()) ? at_[nodes.back()] : RiverPoint::leaves;
    const size_t count = nodes.size() - (is_river(nodes.back()) ? 1 : 0);
    for (size_t i = count; i-- > 0;) {
        down = add_point(lattice_.place(nodes[i]), down);
        take(nodes[i], down);
        if (i + 1 < nodes.size()) bar(nodes[i], nodes[i + 1]);
        fresh.push_back(nodes[i]);
    }
    spread(fresh);
}

DrainageGrowth::Way DrainageGrowth::cheapest_way(size_t source) {
    search_++;
    Waiting waiting;
    auto reach = [&](size_t node, double cost, size_t from) {
        if (searched_[node] == search_ && cost_[node] <= cost) return;
        searched_[node] = search_;
        cost_[node] = cost;
        came_from_[node] = from;
        waiting.emplace(cost, node);
    };
    reach(source, 0, source);
    double best = infinite;
    double limit = infinite;
    size_t last = source;
    Way way;
    way.river = source;
    while (!waiting.empty()) {
        const auto [cost, node] = waiting.top();
        waiting.pop();
        if (cost > cost_[node]) continue;
        if (cost > limit) break;
        lattice_.each_neighbour(node, [&, cost = cost, node = node](size_t next, int dx, int dy) {
            if (is_barred(node, dx, dy)) return;
            const bool river = is_river(next);
            const double price = river ? price_[node] : (price_[node] + price_[next]) / 2;
            double step = distance(lattice_.place(node), lattice_.place(next)) * price;
            if (!rules_.uphill.empty())
                step += rules_.price_of_climbing *
                        std::max(double(rules_.uphill[next]) - double(rules_.uphill[node]), 0.0);
            if (!river) return reach(next, cost + step, node);
            if (limit == infinite) limit = farthest_search * (cost + step);
            const double all = cost + step + rules_.along_river * points_[size_t(at_[next])].to_mouth;
            if (all < best || (all == best && next < way.river)) {
                best = all;
                way.river = next;
                last = node;
            }
        });
    }
    for (size_t node = last;; node = came_from_[node]) {
        way.nodes.push_back(node);
        if (node == source) break;
    }
    std::reverse(way.nodes.begin(), way.nodes.end());
    return way;
}

int DrainageGrowth::add_tributary(size_t source, bool keeps_first) {
    if (is_river(source)) return at_[source];
    Way way = cheapest_way(source);
    if (!keeps_first) {
        bar(way.nodes.front(), way.nodes.size() > 1 ? way.nodes[1] : way.river);
        way.nodes.erase(way.nodes.begin());
    }
    if (way.nodes.empty()) return at_[way.river];
    way.nodes.push_back(way.river);
    add_way(way.nodes);
    return int(points_.size()) - 1;
}

void DrainageGrowth::spread(const std::vector<size_t>& nodes) {
    std::vector<size_t> front;
    auto offer = [&](size_t node, int point) {
        const double away = distance(lattice_.place(node), points_[size_t(point)].place);
        if (away >= away_[node]) return;
        away_[node] = away;
        nearest_[node] = point;
        front.push_back(node);
    };
    for (size_t node : nodes) offer(node, at_[node]);
    std::vector<size_t> now;
    while (!front.empty()) {
        now.swap(front);
        front.clear();
        for (size_t node : now)
            lattice_.each_neighbour(node, [&](size_t next, int, int) { offer(next, nearest_[node]); });
    }
}

void DrainageGrowth::fill(const std::function<void(double)>& told) {
    const double enough = rules_.spacing / 2;
    // The farthest first, and of those the first.
    auto nearer = [](const std::pair<double, size_t>& a, const std::pair<double, size_t>& b) {
        return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<std::pair<double, size_t>, std::vector<std::pair<double, size_t>>, decltype(nearer)>
        farthest(nearer);
    for (size_t node = 0; node < lattice_.size(); node++)
        if (away_[node] > enough) farthest.emplace(away_[node], node);
    if (farthest.empty()) return;
    // Four times as many lie at half the distance.
    const double to_do = 1 / (enough * enough) - 1 / (farthest.top().first * farthest.top().first);
    const double from = 1 / (farthest.top().first * farthest.top().first);
    while (!farthest.empty()) {
        const auto [away, node] = farthest.top();
        farthest.pop();
        if (away_[node] <= enough) continue;
        // Rivers have come nearer since.
        if (away_[node] < away) {
            farthest.emplace(away_[node], node);
            continue;
        }
        told(to_do > 0 ? (1 / (away * away) - from) / to_do : 1);
        add_tributary(node);
    }
}

void DrainageGrowth::count_areas() {
    for (RiverPoint& point : points_) point.area = 0;
    for (size_t node = 0; node < lattice_.size(); node++)
        points_[size_t(nearest_[node])].area += lattice_.area(node);
    // Whoever drains to a point stands behind it.
    for (size_t i = points_.size(); i-- > 0;)
        if (points_[i].down >= 0) points_[size_t(points_[i].down)].area += points_[i].area;
}

}  // namespace caprock
