// Which rock every cell is of: the height, or another surface, cut into levels (Table mountains §2.2).
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <limits>

namespace caprock {

namespace {

struct Materials {
    int count = 5;
    std::string from = "height";

    void describe(Declaration& d) const {
        d.summary("divides the terrain into materials, level above level");
        d.source("Table mountains, section 2.2");
        d.integer("count", count)
            .range(1, 65536)
            .slider(1, 16)
            .help("how many materials there are; their indices count from 0, the lowest");
        d.field("from", from)
            .help(
                "field that decides the material; another fractal surface gives materials that do not follow "
                "the height");
        d.reads(from);
        d.makes("material");
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Field& source = terrain.field(from);
        Interval range = terrain.range_of(from);
        // The narrowest of ranges is nothing in floats.
        float span = std::max(float(range.span()), std::numeric_limits<float>::min());
        Field material(terrain.rect());
        work.launch(kernel::materials, terrain.rect(),
                    {.source = source,
                     .material = material,
                     .low = float(range.low),
                     .span = span,
                     .last = float(count - 1)});
        terrain.set("material", std::move(material));
    }
};

REGISTER_OPERATION("materials", "materials", Materials);

}  // namespace

}  // namespace caprock
