#include "operations/erosion/droplets.h"

#include "base/random.h"
#include "compute/in_parallel.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// Squares of one group: enough that a thread is busy for a while.
constexpr int columns_of_group = 64;

// What a droplet takes or lays down in one place is no more, however high cliffs are: sums of any number fit.
constexpr double most_units = 0x1p40;

// Squares lie where they lie in the world, whatever part of it is looked at.
int square_below(int cell) {
    const int side = DropletRules::square;
    return cell >= 0 ? cell / side : -((-cell + side - 1) / side);
}

void add(std::atomic<int64_t>& sum, int64_t amount) { sum.fetch_add(amount, std::memory_order_relaxed); }

}  // namespace

double DropletRules::unit() const { return std::ldexp(1.0, std::ilogb(cell) - 22); }

void Droplets::begin(const Rect& rect) {
    rect_ = rect;
    const auto cells = size_t(rect.cells());
    if (visits_.size() != cells) {
        visits_ = std::vector<std::atomic<uint32_t>>(cells);
        taken_ = Amounts(cells);
        laid_ = Amounts(cells);
        gone_ = Amounts(cells);
        return;
    }
    in_parallel(size_t(rect.height()), [&](size_t row) {
        const size_t first = row * size_t(rect.width());
        for (size_t i = first; i < first + size_t(rect.width()); i++) {
            visits_[i].store(0, std::memory_order_relaxed);
            taken_[i].store(0, std::memory_order_relaxed);
            laid_[i].store(0, std::memory_order_relaxed);
            gone_[i].store(0, std::memory_order_relaxed);
        }
    });
}

void Droplets::run(const DropletRules& rules, const Field& height, const Field& grip, float all_grip,
                   const Varying& rain, Progress& progress) {
    begin(height.rect());
    rules_ = rules;
    heights_ = height.rows();
    grip_ = grip.rows();
    all_grip_ = all_grip;
    rain_cells_ = rain.cells();
    if (rain_cells_) {
        rain_rows_ = rain_cells_->rows();
    } else {
        rain_everywhere_ = rain.everywhere();
    }
    per_unit_ = 1 / rules.unit();
    // Of its water, which came down on all of its square.
    capacity_ = rules.capacity * DropletRules::square * DropletRules::square * per_unit_;
    const int first_column = square_below(rect_.left);
    const int first_row = square_below(rect_.top);
    const int columns = square_below(rect_.right - 1) + 1 - first_column;
    const int rows = square_below(rect_.bottom - 1) + 1 - first_row;
    const int groups_in_row = (columns + columns_of_group - 1) / columns_of_group;
    groups_.resize(size_t(groups_in_row) * size_t(rows));
    const int64_t half = rect_.cells() / 2 / std::max<int64_t>(int64_t(groups_.size()), 1);
    in_parallel(groups_.size(), [&](size_t index) {
        Group& group = groups_[index];
        group.droplets.clear();
        group.points.clear();
        const int row = first_row + int(index) / groups_in_row;
        const int begin = first_column + int(index) % groups_in_row * columns_of_group;
        const int end = std::min(begin + columns_of_group, first_column + columns);
        for (int column = begin; column < end; column++) find_way(column, row, group);
        progress.advance(half);
    });
    in_parallel(groups_.size(), [&](size_t index) {
        erode(groups_[index]);
        progress.advance(half);
    });
}

void Droplets::find_way(int column, int row, Group& group) {
    const uint32_t index = uint32_t(row) << 16 ^ (uint32_t(column) & 0xffffu);
    const float start_x = float(unit(hashed(rules_.seed, index, 1))) * DropletRules::square;
    const float start_y = float(unit(hashed(rules_.seed, index, 2))) * DropletRules::square;
    // The cell to the upper left, and how far it is from there: so nothing depends on where the rectangle begins.
    int x = column * DropletRules::square + int(start_x);
    int y = row * DropletRules::square + int(start_y);
    float east = start_x - float(int(start_x));
    float south = start_y - float(int(start_y));
    if (!rect_.contains(x, y)) return;
    const double water = double(rain_cells_ ? rain_rows_[y][x - rect_.left] : rain_everywhere_);
    if (!(water > 0)) return;

    const float per_metre = float(1 / rules_.cell);
    const float follows = (1 - rules_.inertia) * per_metre;
    const uint32_t width = uint32_t(rect_.width());
    float ahead_x = 0;
    float ahead_y = 0;
    Droplet droplet{0, false, water};
    for (int step = 0; step < rules_.most_steps; step++) {
        droplet.leaves = true;
        if (x < rect_.left || y < rect_.top || x + 1 >= rect_.right || y + 1 >= rect_.bottom) break;
        const float* upper = heights_[y] + (x - rect_.left);
        const float* lower = heights_[y + 1] + (x - rect_.left);
        const float rise_above = upper[1] - upper[0];
        const float rise_below = lower[1] - lower[0];
        const float rise_left = lower[0] - upper[0];
        const float rise_right = lower[1] - upper[1];
        const float rise_x = rise_above + (rise_below - rise_above) * south;
        const float rise_y = rise_left + (rise_right - rise_left) * east;
        const float height = upper[0] + rise_above * east + rise_y * south;
        // Beside what is missing there is no ground.
        if (!(std::abs(height) < 1e30f) || std::isnan(lower[1])) break;
        droplet.leaves = false;
        const uint32_t cell =
            uint32_t(y - rect_.top + (south >= 0.5f)) * width + uint32_t(x - rect_.left + (east >= 0.5f));
        group.points.push_back({cell, height});
        visits_[cell].fetch_add(1, std::memory_order_relaxed);
        droplet.points++;
        ahead_x = ahead_x * rules_.inertia - rise_x * follows;
        ahead_y = ahead_y * rules_.inertia - rise_y * follows;
        const float length = std::sqrt(ahead_x * ahead_x + ahead_y * ahead_y);
        // On level ground it has nowhere to go.
        if (!(length > 1e-12f)) break;
        const float per_length = 1 / length;
        ahead_x *= per_length;
        ahead_y *= per_length;
        east += ahead_x;
        south += ahead_y;
        const int cells_x = int(east >= 1) - int(east < 0);
        const int cells_y = int(south >= 1) - int(south < 0);
        x += cells_x;
        y += cells_y;
        east -= float(cells_x);
        south -= float(cells_y);
    }
    if (droplet.points > 0) group.droplets.push_back(droplet);
}

void Droplets::erode(const Group& group) {
    const Point* way = group.points.data();
    for (const Droplet& droplet : group.droplets) {
        erode(droplet, way);
        way += droplet.points;
    }
}

void Droplets::erode(const Droplet& droplet, const Point* way) {
    const double per_cell = 1 / rules_.cell;
    const double per_all = 1 / double(all_grip_);
    const uint32_t width = uint32_t(rect_.width());
    double speed_squared = 0;
    double water = droplet.water;
    double fell_before = 0;
    double shares = 0;
    int64_t load = 0;
    for (uint32_t i = 0; i + 1 < droplet.points; i++) {
        const Point& here = way[i];
        const double falls = double(here.height) - double(way[i + 1].height);
        speed_squared = std::max(speed_squared * rules_.speed_kept + rules_.speed_gained * falls, 0.0);
        water *= rules_.water_kept;
        const double share = share_of(here);
        const double part = per_unit_ * share;
        shares += share;
        if (falls < 0) {
            // It fills the hollow that it climbs out of, up to where it goes.
            const int64_t lays = std::min(load, int64_t(std::min(-falls * part, most_units)));
            if (lays > 0) add(laid_[here.cell], lays);
            load -= lays;
        } else {
            const double carries =
                capacity_ * std::max(falls * per_cell, rules_.slope_least) * std::sqrt(speed_squared) * water;
            const double excess = double(load) - carries;
            if (excess > 0) {
                // No higher than where it came from.
                const double room = std::max(fell_before, 0.0) * part;
                const int64_t lays = int64_t(std::min({excess * rules_.deposition, room, most_units}));
                if (lays > 0) add(laid_[here.cell], lays);
                load -= lays;
            } else {
                const uint32_t y = here.cell / width;
                const double soft = double(grip_[rect_.top + int(y)][here.cell - y * width]) * per_all;
                // No deeper than where it goes.
                const int64_t takes =
                    int64_t(std::min({-excess * rules_.erosion * soft, falls * part, most_units}));
                if (takes > 0) add(taken_[here.cell], takes);
                load += takes;
            }
        }
        fell_before = falls;
    }
    if (load == 0) return;
    if (droplet.leaves) {
        add(gone_[way[droplet.points - 1].cell], load);
    } else {
        lay_along(droplet, way, load, shares + share_of(way[droplet.points - 1]));
    }
}

// What is left over at its end: all along its way, most of it where few others come by.
void Droplets::lay_along(const Droplet& droplet, const Point* way, int64_t load, double shares) {
    const double per_share = double(load) / shares;
    int64_t left = load;
    for (uint32_t i = 1; i < droplet.points; i++) {
        const int64_t lays = std::min(left, int64_t(per_share * share_of(way[i])));
        add(laid_[way[i].cell], lays);
        left -= lays;
    }
    add(laid_[way[0].cell], left);
}

}  // namespace caprock
