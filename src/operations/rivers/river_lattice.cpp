#include "operations/rivers/river_lattice.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// By how much of a step a point is moved each way: less than a quarter, so that four of them are never a dart.
constexpr double moved_at_most = 0.24;

int points_along(double length, double step) {
    return length > 0 ? std::max(int(std::floor(length / step + 0.5)), 1) + 1 : 1;
}

}  // namespace

double RiverLattice::points_on(const WorldArea& land, double spacing) {
    const double step = spacing / points_to_spacing;
    return (land.width() / step + 1) * (land.height() / step + 1);
}

RiverLattice::RiverLattice(const WorldArea& land, double spacing, uint32_t seed) : land_(land) {
    step_ = spacing / points_to_spacing;
    columns_ = points_along(land.width(), step_);
    rows_ = points_along(land.height(), step_);
    step_x_ = columns_ > 1 ? land.width() / (columns_ - 1) : 0;
    step_y_ = rows_ > 1 ? land.height() / (rows_ - 1) : 0;
    places_.reserve(size_t(columns_) * size_t(rows_));
    for (int y = 0; y < rows_; y++)
        for (int x = 0; x < columns_; x++) {
            const uint32_t in_row = hashed(seed, uint32_t(y), 11);
            // Those on the border stay there.
            const bool free_x = x > 0 && x < columns_ - 1;
            const bool free_y = y > 0 && y < rows_ - 1;
            const double to_x = free_x ? moved_at_most * (2 * unit(hashed(in_row, uint32_t(x), 12)) - 1) : 0;
            const double to_y = free_y ? moved_at_most * (2 * unit(hashed(in_row, uint32_t(x), 13)) - 1) : 0;
            // The last point is the border itself, to the last bit.
            const double at_x = x > 0 && x == columns_ - 1 ? land.right : land.left + (x + to_x) * step_x_;
            const double at_y = y > 0 && y == rows_ - 1 ? land.bottom : land.top + (y + to_y) * step_y_;
            places_.push_back({at_x, at_y});
        }
}

double RiverLattice::area(size_t node) const {
    const int x = column_of(node), y = row_of(node);
    double width = step_x_, height = step_y_;
    if (x == 0 || x == columns_ - 1) width /= 2;
    if (y == 0 || y == rows_ - 1) height /= 2;
    return width * height;
}

size_t RiverLattice::nearest(double x, double y) const {
    auto along = [](double from, double step, int count) {
        return step > 0 ? int(std::clamp(std::floor(from / step + 0.5), 0.0, double(count - 1))) : 0;
    };
    return number(along(x - land_.left, step_x_, columns_), along(y - land_.top, step_y_, rows_));
}

std::vector<size_t> RiverLattice::border() const {
    std::vector<size_t> around;
    for (int x = 0; x < columns_; x++) around.push_back(number(x, 0));
    for (int y = 1; y < rows_; y++) around.push_back(number(columns_ - 1, y));
    if (rows_ > 1)
        for (int x = columns_ - 2; x >= 0; x--) around.push_back(number(x, rows_ - 1));
    if (columns_ > 1)
        for (int y = rows_ - 2; y >= 1; y--) around.push_back(number(0, y));
    return around;
}

}  // namespace caprock
