#include "document/placement.h"

#include "base/mathematics.h"

#include <cmath>

namespace caprock {

namespace {

struct Turn {
    double cosine;
    double sine;
};

Turn turn_of(const Placement& placement) {
    double turn = std::fmod(placement.rotate, 360.0) * pi / 180;
    double cos_turn = cosine(turn);
    double sin_turn = sine(turn);
    // Quarter turns are exact.
    double quarters = placement.rotate / 90;
    if (quarters == std::floor(quarters)) {
        int quarter = int(std::fmod(std::fmod(quarters, 4) + 4, 4));
        cos_turn = quarter == 0 ? 1 : quarter == 2 ? -1 : 0;
        sin_turn = quarter == 1 ? 1 : quarter == 3 ? -1 : 0;
    }
    return {cos_turn, sin_turn};
}

}  // namespace

CellMap map_of(const Placement& placement, double cell, double source_cell, double source_x,
               double source_y) {
    // From the document into the layer: back by the move, then turned and scaled about the pivot.
    const Turn turn = turn_of(placement);
    double c = turn.cosine / placement.scale;
    double s = turn.sine / placement.scale;
    double dx = -placement.pivot_x - placement.move_x;
    double dy = -placement.pivot_y - placement.move_y;
    double ratio = cell / source_cell;
    CellMap map;
    map.xx = c * ratio;
    map.xy = s * ratio;
    map.yx = -s * ratio;
    map.yy = c * ratio;
    map.x0 = (c * dx + s * dy + placement.pivot_x - source_x) / source_cell;
    map.y0 = (-s * dx + c * dy + placement.pivot_y - source_y) / source_cell;
    return map;
}

CellMap way_of(const Placement& placement) {
    const Turn turn = turn_of(placement);
    const double c = turn.cosine * placement.scale, s = turn.sine * placement.scale;
    const double x = placement.pivot_x, y = placement.pivot_y;
    return {c, -s, x + placement.move_x - (c * x - s * y), s, c, y + placement.move_y - (s * x + c * y)};
}

}  // namespace caprock
