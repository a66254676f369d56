#include "operations/rivers/ridge_sketch.h"

#include "base/mathematics.h"
#include "hydrology/flow_graph.h"
#include "operations/rivers/river_noise.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// Of the shorter side of the land, or of the longer one where that is no side at all.
constexpr double bell_to_side = 0.24;
constexpr double least_bell = 0.35;  // of the widest, where a ridge ends
constexpr double steps_to_bell = 8;
constexpr double length_to_side = 0.55;  // of half a ridge
constexpr double most_turn = 1.3;        // radians, about
// Springs lie this far apart along a ridge and beside it, in distances between rivers.
constexpr double between_springs = 1.5;
constexpr double beside_ridge = 0.35;
constexpr double height_of_chance = 0.06;
constexpr double fall_to_border = 0.5;

enum RidgePurpose : uint32_t { at_x = 31, at_y, direction, length, turning, chance };

// How far a particle has turned after so much of its way: fractional Brownian motion.
double turned(double share, uint32_t seed) {
    double sum = 0, height = 1, finer = 1.5;
    for (uint32_t octave = 0; octave < 5; octave++) {
        sum += height * (smooth_chance(share * finer + 0.37, 0.5, hashed(seed, octave, turning)) -
                         smooth_chance(0.37, 0.5, hashed(seed, octave, turning)));
        finer *= 2;
        height *= 0.6;
    }
    return most_turn * sum;
}

}  // namespace

RidgeSketch::RidgeSketch(const RiverLattice& lattice, int count, double spacing, uint32_t seed) {
    const WorldArea& land = lattice.land();
    const double shorter = std::min(land.width(), land.height());
    const double side = shorter > 0 ? shorter : std::max({land.width(), land.height(), lattice.step()});
    // Many ridges are narrow ones.
    const double bell =
        std::max(side * bell_to_side / std::sqrt(std::max(count / 6.0, 1.0)), 2 * lattice.step());
    heights.assign(lattice.size(), 0);
    auto lay = [&](const Place& at, double radius, double high) {
        const size_t first = lattice.nearest(at.x - radius, at.y - radius);
        const size_t last = lattice.nearest(at.x + radius, at.y + radius);
        for (int row = lattice.row_of(first); row <= lattice.row_of(last); row++)
            for (int column = lattice.column_of(first); column <= lattice.column_of(last); column++) {
                const size_t node = lattice.number(column, row);
                const Place& place = lattice.place(node);
                const double dx = (place.x - at.x) / radius, dy = (place.y - at.y) / radius;
                const double inside = 1 - dx * dx - dy * dy;
                if (inside <= 0) continue;
                // As a bell of Gauss, but with an end.
                heights[node] = std::max(heights[node], float(high * inside * inside));
            }
    };
    const double step = bell / steps_to_bell;
    for (int ridge = 0; ridge < count; ridge++) {
        const uint32_t own = hashed(seed, uint32_t(ridge), 30);
        // Of some places the one that is farthest from ridges so far.
        Place start{0, 0};
        float lowest = 2;
        for (uint32_t attempt = 0; attempt < 8; attempt++) {
            const Place place{land.left + land.width() * (0.12 + 0.76 * unit(hashed(own, attempt, at_x))),
                              land.top + land.height() * (0.12 + 0.76 * unit(hashed(own, attempt, at_y)))};
            const float there = heights[lattice.nearest(place.x, place.y)];
            if (there >= lowest) continue;
            lowest = there;
            start = place;
        }
        const double heading = 2 * pi * unit(hashed(own, 0, direction));
        const double high = 0.65 + 0.35 * unit(hashed(own, 1, direction));
        std::vector<Place> halves[2];
        for (int half = 0; half < 2; half++) {
            const uint32_t of_half = hashed(own, uint32_t(half), length);
            const double way = side * length_to_side * (0.5 + unit(of_half));
            const int steps = std::max(int(way / step), 2);
            Place at = start;
            for (int i = 0; i <= steps; i++) {
                const double share = double(i) / steps;
                if (at.x < land.left || at.x > land.right || at.y < land.top || at.y > land.bottom) break;
                halves[half].push_back(at);
                // Summits and saddles along it.
                const double wave = 1 + 0.22 * smooth_chance(share * way / bell * 0.8, half + 0.5, own);
                lay(at, bell * (1 - (1 - least_bell) * share), high * wave * (1 - 0.85 * share * share));
                const double angle = heading + half * pi + turned(share, of_half);
                at = {at.x + step * cosine(angle), at.y + step * sine(angle)};
            }
        }
        std::vector<Place> trail(halves[1].rbegin(), halves[1].rend());
        for (size_t i = 1; i < halves[0].size(); i++) trail.push_back(halves[0][i]);
        double along = 0;
        for (size_t i = 1; i < trail.size(); i++) {
            const Place way{trail[i].x - trail[i - 1].x, trail[i].y - trail[i - 1].y};
            const double far = distance(trail[i], trail[i - 1]);
            along += far;
            if (along < between_springs * spacing || !(far > 0)) continue;
            along = 0;
            const double aside = beside_ridge * spacing / far;
            springs.push_back({trail[i].x - way.y * aside, trail[i].y + way.x * aside});
            springs.push_back({trail[i].x + way.y * aside, trail[i].y - way.x * aside});
        }
        if (trail.size() > 1) ridges.push_back(std::move(trail));
    }
    // Land falls to its border, and is nowhere quite even.
    for (size_t node = 0; node < lattice.size(); node++) {
        const Place& place = lattice.place(node);
        double share = 1;
        if (land.width() > 0)
            share = std::min(
                {share, 2 * (place.x - land.left) / land.width(), 2 * (land.right - place.x) / land.width()});
        if (land.height() > 0)
            share = std::min({share, 2 * (place.y - land.top) / land.height(),
                              2 * (land.bottom - place.y) / land.height()});
        double rough = 0, size = height_of_chance, wide = bell;
        for (uint32_t octave = 0; octave < 4; octave++) {
            rough += size * smooth_chance(place.x / wide, place.y / wide, hashed(seed, octave, chance));
            size *= 0.6;
            wide /= 2;
        }
        heights[node] += float(fall_to_border * std::sqrt(std::max(share, 0.0)) + rough);
    }
}

double RidgeSketch::at(const RiverLattice& lattice, const Place& place) const {
    return double(heights[lattice.nearest(place.x, place.y)]);
}

void roll_down(const RidgeSketch& sketch, const RiverLattice& lattice, uint32_t seed, DrainageGrowth& growth,
               Progress& progress) {
    Field land(Rect::of({lattice.columns(), lattice.rows()}));
    const Field::WritableRows rows = land.writable_rows();
    for (size_t node = 0; node < lattice.size(); node++)
        rows[lattice.row_of(node)][lattice.column_of(node)] = sketch.heights[node];
    Progress apart;
    const FlowGraph graph(land, {.scatter = seed}, apart);
    for (const Place& spring : sketch.springs) {
        progress.check();
        if (spring.x < lattice.land().left || spring.x > lattice.land().right ||
            spring.y < lattice.land().top || spring.y > lattice.land().bottom)
            continue;
        std::vector<size_t> way;
        for (size_t node = lattice.nearest(spring.x, spring.y);;) {
            way.push_back(node);
            if (growth.is_river(node) || lattice.on_border(node)) break;
            const int to = graph.way(node);
            const int dx = FlowGraph::dx[to], dy = FlowGraph::dy[to];
            if (growth.is_barred(node, dx, dy)) {
                // Both ends of what lies across the way are of a river.
                const int x = lattice.column_of(node), y = lattice.row_of(node);
                way.push_back(lattice.number(x + dx, y));
                break;
            }
            node = graph.receiver(node);
        }
        // What is a river already from its spring on is none of its own.
        if (way.size() > 1) growth.add_way(way);
    }
}

}  // namespace caprock
