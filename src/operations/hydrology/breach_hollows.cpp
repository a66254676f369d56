// Hollows drained by cutting through what holds their water back.
#include "hydrology/hollows.h"
#include "operation/operation.h"
#include "operations/hydrology/flow_settings.h"

#include <utility>

namespace caprock {

namespace {

enum class BreachWay { least_cut, valley };

struct BreachHollows {
    BreachWay way = BreachWay::least_cut;
    double longest = 0;
    double deepest = 0;
    bool fill = true;
    FlowSettings flow;

    void describe(Declaration& d) const {
        d.summary("drains every hollow that water cannot leave by a trench through what holds it back");
        d.choice("way", way, {"least-cut", "valley"})
            .help(
                "least-cut: from the bottom by the way that takes the least digging, as through a road's "
                "dam; valley: "
                "along the bottom to the lowest place of the rim");
        d.number("longest", longest)
            .range(0, 1e6)
            .slider(0, 1000)
            .unit("m")
            .help("trenches of the least cut are no longer; 0: as long as it takes");
        d.number("deepest", deepest)
            .range(0, 1e5)
            .slider(0, 100)
            .unit("m")
            .help("nor do they lie deeper below the ground; 0: as deep as it takes");
        d.flag("fill", fill).help("hollows that no such trench drains are filled");
        flow.describe(d);
        d.changes("height");
        d.works_with(10);  // ways, basins and passes; the order of cells; heights; where searches have been
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const FlowRules rules = flow.rules();
        work.progress().expect((2 * FlowGraph::units_to_make + 2) * work.rect().cells());
        Field breached;
        work.on_host([&] {
            const double cell = terrain.grid().cell;
            {
                const FlowGraph graph(terrain.height(), rules, work.progress());
                breached = way == BreachWay::valley
                               ? carved_hollows(graph)
                               : breached_hollows(graph, rules, cell, {longest, deepest}, work.progress());
            }
            if (fill && way == BreachWay::least_cut && (longest > 0 || deepest > 0))
                breached = FlowGraph(breached, rules, work.progress()).filled();
        });
        terrain.set("height", std::move(breached));
    }
};

REGISTER_OPERATION("breach-hollows", "hydrology", BreachHollows);

}  // namespace

}  // namespace caprock
