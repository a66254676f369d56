// Lakes: where the water of a rain stands in the end.
#include "hydrology/lakes.h"

#include "operation/operation.h"
#include "operations/hydrology/flow_settings.h"

#include <utility>

namespace caprock {

namespace {

constexpr double metres_of_millimetre = 0.001;

struct LakesOfRain {
    Number rain = 1000;
    bool surface = false;
    FlowSettings flow;

    void describe(Declaration& d) const {
        d.summary("fills hollows with the water of a rain: lakes that are level, spill over and become one");
        d.number("rain", rain)
            .range(0, 1e7)
            .slider(0, 10000)
            .unit("mm")
            .help("water that runs off every place, in all; what no hollow holds has left the land");
        d.flag("surface", surface)
            .help("the height of the water, and of the ground where there is none, as the field water-level");
        flow.describe(d);
        d.reads("height");
        d.makes("water");
        if (surface) d.makes("water-level");
        d.works_with(12);  // ways, basins and passes, twice; the water; beds of lakes that are not full
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        work.progress().expect((FlowGraph::units_to_make + 2) * rect.cells());
        const Varying falls = work.varying(
            "rain", rain, [](double millimetres) { return float(millimetres * metres_of_millimetre); });
        const Field height = terrain.height();
        Lakes lakes;
        work.on_host([&] {
            const FlowRules rules = flow.rules();
            const FlowGraph graph(height, rules, work.progress());
            lakes = lakes_after_rain(graph, height, rules, double(falls.everywhere()), falls.cells(),
                                     work.progress());
        });
        if (surface) {
            Field level(rect);
            const Field::Rows ground = height.rows(), water = lakes.depth.rows();
            const Field::WritableRows to = level.writable_rows();
            for (int y = rect.top; y < rect.bottom; y++)
                for (int x = 0; x < rect.width(); x++) to[y][x] = ground[y][x] + water[y][x];
            terrain.set("water-level", std::move(level));
        }
        terrain.set("water", std::move(lakes.depth));
        work.progress().advance(rect.cells());
    }
};

REGISTER_OPERATION("lakes", "hydrology", LakesOfRain);

}  // namespace

}  // namespace caprock
