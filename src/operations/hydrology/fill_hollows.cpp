// Hollows filled up to where water would run over.
#include "hydrology/hollows.h"
#include "operation/operation.h"
#include "operations/hydrology/flow_settings.h"

#include <utility>

namespace caprock {

namespace {

struct FillHollows {
    double slope = 0;
    FlowSettings flow;

    void describe(Declaration& d) const {
        d.summary("fills every hollow that water cannot leave, up to the lowest place of its rim");
        d.number("slope", slope)
            .range(0, 1)
            .slider(0, 0.01)
            .help("how much its new ground rises a metre, away from where water leaves; 0: it is level");
        flow.describe(d);
        d.changes("height");
        d.works_with(8);  // ways, basins and passes; the order of cells; the heights
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        work.progress().expect((FlowGraph::units_to_make + 1) * work.rect().cells());
        Field filled;
        work.on_host([&] {
            const FlowGraph graph(terrain.height(), flow.rules(), work.progress());
            filled = filled_hollows(graph, terrain.grid().cell, slope);
        });
        terrain.set("height", std::move(filled));
    }
};

REGISTER_OPERATION("fill-hollows", "hydrology", FillHollows);

}  // namespace

}  // namespace caprock
