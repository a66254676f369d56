// A mask of where water gathers: of streams and rivers, by the ground that drains through each cell.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/erosion/scales.h"
#include "operations/hydrology/flow_settings.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace caprock {

namespace {

struct MaskFlow {
    static constexpr int version = 2;

    Interval area = {1, 50};
    double scale = 8;
    FlowSharing sharing = FlowSharing::multiple;
    std::string field = "mask";

    void describe(Declaration& d) const {
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
                "one cell wide");
        d.number("scale", scale)
            .range(0, 100000)
            .slider(0, 100)
            .unit("m")
            .help(
                "how wide a stream is: on finer land water is looked for in cells of about this size, and "
                "streams are the same at any resolution; 0: in the terrain's own cells");
        d.field("field", field).help("mask to make");
        d.reads("height");
        d.makes(field);
        d.works_with(8);  // areas in doubles and as a field, the order of cells, their queue, the mask
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    // Version 1 knew the terrain's own cells alone.
    void from_version(int written) {
        if (written < 2) scale = 0;
    }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        int doublings = doublings_to(scale, terrain.grid());
        work.progress().expect((FlowGraph::units_to_make + 2) * (rect.cells() >> (2 * doublings)) +
                               (doublings > 0 ? 6 : 1) * (rect.cells() / 4));
        SimulationFields finest(rect, terrain.grid().cell);
        finest.set("height", terrain.height());
        const std::vector<SimulationFields> grounds = doubled_grounds(work, std::move(finest), doublings);
        const SimulationFields& coarsest = grounds.back();
        Field drained;
        work.on_host([&] {
            const FlowGraph graph(coarsest.at("height"), {}, work.progress());
            drained = drained_area(graph, sharing, coarsest.cell(), work.progress());
        });
        // No area is nothing; a thousandth of a square millimetre is.
        double from = std::max(area.low * square_metres_of_hectare, 1e-9);
        double factor = std::max(area.high * square_metres_of_hectare, 1e-9) / from;
        float to_shares = factor > 1 ? float(natural_logarithm(2.0) / natural_logarithm(factor)) : 0.0f;
        Field mask(coarsest.rect());
        work.launch(kernel::mask_flow, coarsest.rect(),
                    {.area = drained,
                     .mask = mask,
                     .from = float(from),
                     .scale = to_shares,
                     .between = grounds.size() > 1});
        for (size_t i = grounds.size() - 1; i-- > 0;) {
            const Field coarse = std::move(mask);
            mask = Field(grounds[i].rect());
            work.launch_around(1, kernel::mask_flow_between, grounds[i].rect(),
                               {.height = grounds[i].at("height"),
                                .coarse = coarse,
                                .mask = mask,
                                .own = float(grounds[i].cell() * grounds[i].cell()),
                                .from = float(from),
                                .scale = to_shares,
                                .between = i > 0});
        }
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-flow", "masks", MaskFlow);

}  // namespace

}  // namespace caprock
