#include "assessment/hack.h"

namespace caprock {

namespace {

constexpr double area_factor = 2;
// Fewer are one short valley: over less than four doublings of area an exponent is one of chance.
constexpr size_t fewest_areas = 4;
constexpr size_t fewest_cells_of_a_bin = 20;

}  // namespace

Hack hack(const Streams& streams) {
    Hack made;
    const double square = streams.cell() * streams.cell();
    FactorBins bins(stream_area * square, area_factor);
    std::vector<CurvePoint> points;
    for (size_t cell = 0; cell < streams.size(); cell++) {
        if (!streams.is_stream(cell)) continue;
        points.push_back({streams.square_metres(cell), streams.longest_way(cell)});
        bins.add(points.back().x, points.back().y);
    }
    made.bins = bins.medians(fewest_cells_of_a_bin);
    if (made.bins.size() < fewest_areas) {
        made.exponent = Measured::none("too few streams");
        return made;
    }
    made.exponent = power_law_through(points)->slope;
    return made;
}

}  // namespace caprock
