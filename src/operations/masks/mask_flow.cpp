// A mask of where water gathers: of streams and rivers, by the ground that drains through each cell.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/masks/drainage.h"

#include <algorithm>

namespace caprock {

namespace {

constexpr double square_metres_of_hectare = 10000;

struct MaskFlow {
    Interval area = {1, 50};
    FlowSharing sharing = FlowSharing::multiple;
    std::string field = "mask";

    void describe(Declaration& d) {
        d.summary("a mask of streams and rivers: where water gathers from a wide area");
        d.interval("area", area)
            .range(0, 1e9)
            .slider(0, 1000)
            .unit("ha")
            .help(
                "ground that drains through a cell: up to the lower end there is no stream, from the upper "
                "on it is in full");
        d.choice("sharing", sharing, {"multiple", "single"})
            .help(
                "multiple: a cell drains to all lower neighbours; single: to the steepest alone, streams are "
                "one "
                "cell wide");
        d.field("field", field).help("mask to make");
        d.reads("height");
        d.makes(field);
        d.works_with(8);  // areas in doubles and as a field, the order of cells, their queue, the mask
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field height = terrain.height();
        work.progress().expect(3 * rect.cells());
        Field drained;
        work.on_host(
            [&] { drained = Drainage(height, terrain.grid().cell, sharing, work.progress()).areas(); });
        // No area is nothing; a thousandth of a square millimetre is.
        double from = std::max(area.low * square_metres_of_hectare, 1e-9);
        double factor = std::max(area.high * square_metres_of_hectare, 1e-9) / from;
        float scale = factor > 1 ? float(natural_logarithm(2.0) / natural_logarithm(factor)) : 0.0f;
        const Field& drained_areas = drained;
        Field mask(rect);
        work.launch(kernel::mask_flow, rect, drained_areas, mask, float(from), scale);
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-flow", "masks", MaskFlow);

}  // namespace

}  // namespace caprock
