// Droplets that run down the land all at once, each for itself, on the host.
//
// All droplets of a batch see the same land. What they take from it and lay down is added up in whole numbers, so that neither
// their order nor the number of threads changes a bit. Their ways come first: these depend on heights alone, and it is counted
// how often each cell is visited. Then they erode. Of a slope that many of them run down each takes its part and no more, as
// each fills its part of a hollow only: else a batch would dig pits where droplets meet, and build needles out of hollows.
#pragma once

#include "base/progress.h"
#include "field/field.h"
#include "operation/varying.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace caprock {

// What droplets do in a step, which is as long as a cell.
struct DropletRules {
    // A droplet starts in each square of so many cells, somewhere, by chance.
    static constexpr int square = 4;

    double cell = 1;      // metres
    int most_steps = 64;  // of one droplet
    float inertia = 0;    // how much of its direction it keeps
    // The square of the speed, of which it keeps a share and gains so much for each metre that it falls.
    double speed_kept = 0;
    double speed_gained = 0;
    double water_kept = 1;
    double capacity = 0;     // metres of sediment, of a metre of water at a metre a second on a slope of 1
    double slope_least = 0;  // what flatter ground counts as
    double erosion = 0;      // share of what it could carry besides
    double deposition = 0;   // share of what it carries beyond that
    uint32_t seed = 0;       // another one for each batch

    // Amounts are whole numbers of this, in metres over a cell. Two hundred cells of height fit into 32 bits.
    double unit() const;
};

// One object runs all batches, one after the other: fresh memory for each would cost as much as the droplets do.
class Droplets {
  public:
    using Amounts = std::vector<std::atomic<int64_t>>;

    // `grip` is how much of the ground around a cell is there to be taken, `all_grip` all that there could be, and `rain`
    // metres of water. Counts a unit of progress a cell.
    void run(const DropletRules& rules, const Field& height, const Field& grip, float all_grip,
             const Varying& rain, Progress& progress);

    // By cells, row after row: taken from the ground around them, laid down on them, and carried out of the land from them.
    const Amounts& taken() const { return taken_; }
    const Amounts& laid() const { return laid_; }
    const Amounts& gone() const { return gone_; }

  private:
    struct Point {
        uint32_t cell;
        float height;
    };
    struct Droplet {
        uint32_t points;
        bool leaves;  // the land
        double water;
    };
    // Of some squares that lie side by side.
    struct Group {
        std::vector<Droplet> droplets;
        std::vector<Point> points;
    };

    void begin(const Rect& rect);
    void find_way(int column, int row, Group& group);
    void erode(const Group& group);
    void erode(const Droplet& droplet, const Point* way);
    void lay_along(const Droplet& droplet, const Point* way, int64_t load, double shares);
    // Of what happens there, the part of one of the droplets that come by.
    double share_of(const Point& point) const {
        return 1 / double(visits_[point.cell].load(std::memory_order_relaxed));
    }

    DropletRules rules_;
    Rect rect_;
    Field::Rows heights_;
    Field::Rows grip_;
    float all_grip_ = 1;
    const Field* rain_cells_ = nullptr;
    Field::Rows rain_rows_;
    float rain_everywhere_ = 0;
    double per_unit_ = 1;
    double capacity_ = 0;
    std::vector<Group> groups_;
    std::vector<std::atomic<uint32_t>> visits_;
    Amounts taken_;
    Amounts laid_;
    Amounts gone_;
};

}  // namespace caprock
