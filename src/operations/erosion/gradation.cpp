// The erosion of ages in one step (Table mountains §3.1): every rock wears away by as much as it is soft.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

struct Gradation {
    Number erosion = 0.5;
    bool caprock = false;

    void describe(Declaration& d) const {
        d.summary("wears rock away by as much as it is soft, which leaves steps, cliffs and table mountains");
        d.source("Table mountains, section 3.1");
        d.number("erosion", erosion)
            .range(0, 1)
            .help(
                "force of all weathering over the ages: what rock of hardness 0 loses, as a share of the "
                "height range");
        d.flag("caprock", caprock)
            .help("rock of hardness 1 becomes a flat top at the upper end of the height range");
        d.changes("height");
        d.reads("hardness");
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    // Soft ground may end up below the height range; that is kept, `normalise` brings it back.
    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Interval range = terrain.range_of("height");
        const Field& before = terrain.height();
        Field height(terrain.rect());
        work.launch(kernel::gradation, terrain.rect(),
                    {.height = before,
                     .hardness = terrain.field("hardness"),
                     .result = height,
                     .depth = work.varying("erosion", erosion,
                                           [&](double force) { return float(force * range.span()); }),
                     .top = float(range.high),
                     .caprock = caprock});
        terrain.set("height", std::move(height));
    }
};

REGISTER_OPERATION("gradation", "erosion", Gradation);

}  // namespace

}  // namespace caprock
