#include "operations/faulting/fault_places.h"

#include "base/mathematics.h"
#include "base/random.h"

#include <cmath>

namespace caprock {

namespace {

// What a fault's random numbers decide. Further tries count on from the last of them.
enum LinePurpose : uint32_t { first_x, first_y, second_x, second_y };
enum CirclePurpose : uint32_t { middle_x = 16, middle_y, circle_radius, middle_direction, middle_distance };

int drawn(int from, int length, uint32_t seed, uint32_t index, uint32_t purpose) {
    return from + int(unit(hashed(seed, index, purpose)) * length);
}

int nearest_cell(double place) { return int(std::floor(place + 0.5)); }

}  // namespace

std::vector<LinearFault> draw_linear_faults(const Grid& grid, int count, uint32_t seed) {
    const Rect& extent = grid.extent;
    std::vector<LinearFault> faults;
    if (extent.cells() < 2) return faults;
    faults.reserve(size_t(count));
    for (uint32_t index = 0; index < uint32_t(count); index++) {
        auto column = [&](uint32_t purpose) {
            return drawn(extent.left, extent.width(), seed, index, purpose);
        };
        auto row = [&](uint32_t purpose) { return drawn(extent.top, extent.height(), seed, index, purpose); };
        LinearFault fault{column(first_x), row(first_y), column(second_x), row(second_y)};
        // Two points on one cell make no line: the second is drawn again.
        for (uint32_t again = 32; fault.x1 == fault.x2 && fault.y1 == fault.y2; again += 2) {
            fault.x2 = column(again);
            fault.y2 = row(again + 1);
        }
        faults.push_back(fault);
    }
    return faults;
}

std::vector<CircularFault> draw_circular_faults(const Grid& grid, int count, uint32_t seed,
                                                const Interval& radius, const FaultPlacement& placement) {
    const Rect& extent = grid.extent;
    double centre_x = extent.left + (extent.width() - 1) / 2.0;
    double centre_y = extent.top + (extent.height() - 1) / 2.0;
    double band = grid.metres_to_cells(placement.band);
    double around = grid.metres_to_cells(placement.around);
    std::vector<CircularFault> faults;
    faults.reserve(size_t(count));
    for (uint32_t index = 0; index < uint32_t(count); index++) {
        auto random = [&](uint32_t purpose) { return unit(hashed(seed, index, purpose)); };
        CircularFault fault;
        fault.x = drawn(extent.left, extent.width(), seed, index, middle_x);
        fault.y = drawn(extent.top, extent.height(), seed, index, middle_y);
        if (placement.along == Axis::x) fault.y = nearest_cell(centre_y + band * (random(middle_y) - 0.5));
        if (placement.along == Axis::y) fault.x = nearest_cell(centre_x + band * (random(middle_x) - 0.5));
        if (placement.around > 0) {
            // The root spreads them evenly over the disc.
            double away = around * std::sqrt(random(middle_distance));
            double angle = 2 * pi * random(middle_direction);
            fault.x = nearest_cell(centre_x + away * cosine(angle));
            fault.y = nearest_cell(centre_y + away * sine(angle));
        }
        fault.radius = radius.low + radius.span() * random(circle_radius);
        faults.push_back(fault);
    }
    return faults;
}

}  // namespace caprock
