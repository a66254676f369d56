#include "assessment/horton.h"

#include "base/mathematics.h"

#include <functional>

namespace caprock {

namespace {

constexpr size_t fewest_orders = 3;

// The factor from one order to the next, by least squares of the logarithms. An order counts by its streams: how many there are of
// the highest, one or two, says more of where the border lies than of the land.
Measured ratio_of(const std::vector<Horton::Order>& orders,
                  const std::function<double(const Horton::Order&)>& value) {
    std::vector<CurvePoint> points;
    std::vector<double> weights;
    for (const Horton::Order& order : orders) {
        if (!(value(order) > 0)) continue;
        points.push_back({double(order.order), natural_logarithm(value(order))});
        weights.push_back(double(order.streams));
    }
    if (points.size() < fewest_orders) return Measured::none("too few orders of streams");
    return exponential(line_through(points, weights)->slope);
}

}  // namespace

Horton horton(const Streams& streams) {
    Horton made;
    made.orders.resize(size_t(streams.highest_order()));
    for (size_t cell = 0; cell < streams.size(); cell++) {
        if (!streams.is_stream(cell)) continue;
        Horton::Order& order = made.orders[size_t(streams.order(cell) - 1)];
        order.length += streams.step(cell);
        if (!streams.ends(cell)) continue;
        order.streams++;
        order.area += streams.square_metres(cell);
    }
    for (size_t i = 0; i < made.orders.size(); i++) {
        Horton::Order& order = made.orders[i];
        order.order = int(i) + 1;
        order.length /= double(order.streams);
        order.area /= double(order.streams);
    }
    made.bifurcation =
        ratio_of(made.orders, [](const Horton::Order& order) { return double(order.streams); });
    if (made.bifurcation.known()) made.bifurcation = 1 / made.bifurcation.value();
    made.length = ratio_of(made.orders, [](const Horton::Order& order) { return order.length; });
    made.area = ratio_of(made.orders, [](const Horton::Order& order) { return order.area; });
    return made;
}

}  // namespace caprock
