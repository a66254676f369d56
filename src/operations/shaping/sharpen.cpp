// Unsharp masking: adds what a field has above its own Gaussian.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/surroundings.h"

namespace caprock {

namespace {

// Smoothing moves the place of a mean by less than this share of its radius.
constexpr double own_moves = 0.025;

struct Sharpen {
    double radius = 50;
    Number amount = 1;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("makes ridges, edges and hollows stand out: the opposite of smoothing");
        d.source("Editor, section 6.1");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("features smaller than this stand out; as the radius of smooth");
        d.number("amount", amount)
            .range(0, 10)
            .slider(0, 4)
            .help("of what a cell has above its smoothed surroundings, that is added to it");
        d.field("field", field).help("field to sharpen");
        d.changes(field);
        d.works_with(7);
    }

    Reach reach(const Grid& grid) const { return Surroundings::reach(radius, field, grid); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field before = terrain.field(field);
        work.progress().expect(5 * rect.cells());
        const Surroundings around = Surroundings::of(before, work, radius, field);
        Field result(rect);
        double still = std::max(own_moves * terrain.grid().metres_to_cells(radius), 0.01);
        work.launch_around(
            1, kernel::sharpen, rect,
            {.before = before,
             .smoothed = around.level,
             .place_x = around.from_x,
             .place_y = around.from_y,
             .result = result,
             .amount = work.varying("amount", amount, [](double share) { return float(share); }),
             .still = float(still)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("sharpen", "shaping", Sharpen);

}  // namespace

}  // namespace caprock
