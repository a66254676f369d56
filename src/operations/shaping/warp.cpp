// Moves land sideways inside a circle: pushes it, draws it together or apart, turns it.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// Of the radius: a longer move would fold the land, and lay it on itself upside down.
constexpr double longest_move = 0.6;
// The most that r (1 - r^2)^2 becomes, at r^2 = 1/5, and a little.
constexpr double widest = 0.2863;

struct Warp {
    double x = 0;
    double y = 0;
    double radius = 500;
    Number move_x = 0;
    Number move_y = 0;
    Number pinch = 0;
    Number twirl = 0;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("moves land sideways inside a circle: pushes, pinches, twirls");
        d.number("x", x).range(-10000000, 10000000).slider(0, 10000).unit("m").help("of the circle's middle");
        d.number("y", y).range(-10000000, 10000000).slider(0, 10000).unit("m").help("of the circle's middle");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(10, 2000)
            .logarithmic()
            .unit("m")
            .help("of the circle; towards it all fades to nothing");
        d.number("move-x", move_x)
            .range(-100000, 100000)
            .slider(-500, 500)
            .unit("m")
            .help("how far to the east the land comes that is in the middle then; at most 0.6 of the radius");
        d.number("move-y", move_y)
            .range(-100000, 100000)
            .slider(-500, 500)
            .unit("m")
            .help("how far to the south; both together at most 0.6 of the radius");
        d.number("pinch", pinch)
            .range(-1, 1)
            .help("draws land towards the middle; below 0 it pushes it away from there");
        d.number("twirl", twirl)
            .range(-360, 360)
            .unit("degrees")
            .help("by which the land in the middle turns, clockwise");
        d.field("field", field).help("field to change");
        d.changes(field);
        d.works_with(3);  // the result, and the circle before and after
    }

    // The circle in cells, and the most that anything is done in it.
    struct Circle {
        double x, y, radius;
        double move_x, move_y;
        double pinch, twirl;  // twirl in radians

        bool nothing() const {
            return radius < 1e-3 || (move_x == 0 && move_y == 0 && pinch == 0 && twirl == 0);
        }

        // No cell's land comes from farther than this; the cubic takes two cells more, and rounding none.
        int reach() const {
            if (nothing()) return 0;
            double turned = std::min(widest * (1 + pinch) * twirl, 2.0);
            double moved = std::sqrt(move_x * move_x + move_y * move_y);
            return int(std::ceil(radius * (turned + widest * pinch) + moved)) + 3;
        }

        // The cells that may change.
        Rect among(const Rect& rect) const {
            auto first = [](double at, int low, int high) {
                return int(std::clamp(std::floor(at), double(low), double(high)));
            };
            auto last = [](double at, int low, int high) {
                return int(std::clamp(std::ceil(at) + 1, double(low), double(high)));
            };
            return {first(x - radius, rect.left, rect.right), first(y - radius, rect.top, rect.bottom),
                    last(x + radius, rect.left, rect.right), last(y + radius, rect.top, rect.bottom)};
        }
    };

    // How much of a move is left where it is cut. Of a map nobody knows where it is longest: each way is kept to its part.
    bool moves_vary() const { return move_x.varies() || move_y.varies(); }
    double share_of_move() const {
        if (moves_vary()) return 1;
        const double length =
            std::sqrt(move_x.everywhere() * move_x.everywhere() + move_y.everywhere() * move_y.everywhere());
        return length > longest_move * radius ? longest_move * radius / length : 1;
    }
    double cut_move(double metres) const {
        if (!moves_vary()) return metres * share_of_move();
        const double most = longest_move * radius / std::sqrt(2.0);
        return std::clamp(metres, -most, most);
    }

    Circle circle(const Grid& grid) const {
        auto most = [](const Number& number, double range) {
            const Interval bounds = number.bounds({-range, range});
            return std::max(std::fabs(bounds.low), std::fabs(bounds.high));
        };
        return {grid.metres_to_cells(x),
                grid.metres_to_cells(y),
                grid.metres_to_cells(radius),
                grid.metres_to_cells(cut_move(most(move_x, 100000))),
                grid.metres_to_cells(cut_move(most(move_y, 100000))),
                most(pinch, 1),
                most(twirl, 360) * (pi / 180)};
    }

    Reach reach(const Grid& grid) const { return Reach::area(circle(grid).reach()); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Grid grid = terrain.grid();
        const Circle circle = this->circle(grid);
        if (share_of_move() < 1)
            work.warn(fmt::format("a move of more than {} m would fold the land; it is cut to that",
                                  longest_move * radius));
        const Rect changed = circle.nothing() ? Rect{} : circle.among(rect);
        const Rect needed = changed.expanded(circle.reach()).intersected(rect);
        work.progress().expect(rect.cells() + 2 * changed.cells() + (changed.empty() ? 0 : needed.cells()));

        const Field before = terrain.field(field);
        Field result(rect);
        work.launch(kernel::copy, rect, {.part = before, .result = result});
        if (!changed.empty()) {
            // A patch of its own: only that much has to fit into a device's memory at once.
            Field around(needed);
            work.launch(kernel::copy, needed, {.part = before, .result = around});
            Field warped(changed);
            auto cells_moved = [&](double metres) { return float(grid.metres_to_cells(cut_move(metres))); };
            double middle_x = std::floor(circle.x);
            double middle_y = std::floor(circle.y);
            work.launch(kernel::warp, changed,
                        {.patch = around,
                         .result = warped,
                         .middle_x = int(middle_x),
                         .middle_y = int(middle_y),
                         .part_x = float(circle.x - middle_x),
                         .part_y = float(circle.y - middle_y),
                         .radius = float(circle.radius),
                         .move_x = work.varying("move-x", move_x, cells_moved),
                         .move_y = work.varying("move-y", move_y, cells_moved),
                         .pinch = work.varying("pinch", pinch, [](double share) { return float(share); }),
                         .twirl = work.varying("twirl", twirl,
                                               [](double degrees) { return float(degrees * (pi / 180)); })});
            work.launch(kernel::copy, changed, {.part = warped, .result = result});
        }
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("warp", "shaping", Warp);

}  // namespace

}  // namespace caprock
