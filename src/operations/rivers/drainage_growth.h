// A drainage that grows until it drains all of the land (A. D. Kelley, M. C. Malin and G. M. Nielson, Terrain simulation using a
// model of stream erosion, 1988): tributaries are added to the rivers there are, again and again. The place that lies farthest from
// every river becomes a source, and goes down to the rivers by the way that costs least when a metre over land costs more than a
// metre along a river: so early tributaries are long and later ones short, they join in an angle that points downstream, and the
// network fills the land. Chance makes some land dearer than other, and rivers wind around it.
#pragma once

#include "operations/rivers/river_lattice.h"

#include <functional>
#include <limits>
#include <vector>

namespace caprock {

// A place of a river. Water goes from it to the place `down`, which always stands before it in the list.
struct RiverPoint {
    static constexpr int leaves = -1;  // in place of the number of a point: water leaves the land here

    Place place;
    int down = leaves;
    bool given = false;                                   // by the user: it stays where it is
    double z = std::numeric_limits<double>::quiet_NaN();  // a bed's height that the user gave
    double to_mouth = 0;                                  // metres along the river
    double area = 0;                                      // square metres that drain through it
};

class DrainageGrowth {
  public:
    struct Rules {
        double spacing = 300;
        double along_river = 0.57;  // what a metre along a river costs, of a metre over land
        double winding = 0.5;       // how much land differs
        uint32_t seed = 1;
        // A height for each point of the lattice: who goes up pays for it. Empty: all land is level.
        std::vector<float> uphill = {};
        double price_of_climbing = 0;  // of a metre of those heights, in metres over land
    };

    DrainageGrowth(const RiverLattice& lattice, Rules rules);

    const std::vector<RiverPoint>& points() const { return points_; }
    bool is_river(size_t node) const { return at_[node] >= 0; }
    bool has_rivers() const { return !points_.empty(); }

    // A river leaves the land at a point of the border.
    void add_mouth(size_t node);
    // A line that the user gives, from its source to its mouth; it flows into the point `into`, or leaves the land. Points lie no
    // farther apart than half a step of the lattice.
    void add_line(const std::vector<RiverPoint>& line, int into);
    // A way over the lattice, from its source down: neighbours, of which the last is part of a river already or lies on the border.
    void add_way(const std::vector<size_t>& nodes);
    // From land down to the rivers by the way that costs least; the number of the point it comes to. Where `keeps_first` is
    // false the first node is left to somebody else's line.
    int add_tributary(size_t source, bool keeps_first = true);
    // Whether somebody's diagonal lies across a step from a node.
    bool is_barred(size_t node, int dx, int dy) const;
    // Until nowhere is farther from a river than half of the spacing. `told` hears how much of that is done.
    void fill(const std::function<void(double)>& told);
    // What drains to each point directly and from above: of all points that leave the land together it is all of the land.
    void count_areas();

  private:
    struct Way {
        std::vector<size_t> nodes;  // from the source on, of land
        size_t river = 0;           // the node of the river that it comes to
    };
    Way cheapest_way(size_t source);
    int add_point(const Place& place, int down);
    void take(size_t node, int point);
    void bar(size_t from, size_t to);
    size_t quad_of(size_t node, int dx, int dy) const;
    // Tells the land around new points how far from them it is.
    void spread(const std::vector<size_t>& nodes);

    const RiverLattice& lattice_;
    Rules rules_;
    std::vector<RiverPoint> points_;
    std::vector<int> at_;             // the point of a river at each node, or -1
    std::vector<uint8_t> diagonals_;  // of the quad to the right of and below each node: 1 falls, 2 rises
    std::vector<double> price_;       // of land
    std::vector<double> away_;        // from the nearest river
    std::vector<int> nearest_;        // whose point that is
    // Of the search that goes on.
    std::vector<double> cost_;
    std::vector<uint32_t> searched_;
    std::vector<size_t> came_from_;
    uint32_t search_ = 0;
};

}  // namespace caprock
