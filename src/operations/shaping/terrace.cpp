// Steps in a landscape: level treads at even heights, and risers between them.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/field_metres.h"

#include <cmath>

namespace caprock {

namespace {

struct Terrace {
    double step = 60;
    double sharpness = 0.9;
    double offset = 0;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("steps in the land: treads at even heights, and risers between them");
        d.number("step", step)
            .range(0.01, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("height from one tread to the next");
        d.number("sharpness", sharpness)
            .range(0, 1)
            .help("0 changes nothing, 1 makes level treads and upright risers");
        d.number("offset", offset)
            .range(-100000, 100000)
            .slider(-500, 500)
            .unit("m")
            .help("height of one of the treads; the others are whole steps above and below it");
        d.field("field", field).help("field to change; of other fields than height, shares of their range");
        d.changes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        std::vector<float> given = values(terrain.grid());
        Field result(terrain.rect());
        work.launch(kernel::terrace, terrain.rect(),
                    {.before = terrain.field(field),
                     .result = result,
                     .step = given[0],
                     .sharpness = given[1],
                     .offset = given[2]});
        terrain.set(field, std::move(result));
    }

    DabKernel dab_kernel(const Grid& grid) const { return {&kernel::terrace_dabs, values(grid)}; }

    std::vector<float> values(const Grid& grid) const {
        FieldMetres metres(grid, field);
        // The tread nearest to 0: from one far away, heights would lose digits.
        double tread = std::remainder(metres.height(offset), metres.length(step));
        return {float(metres.length(step)), float(sharpness), float(tread)};
    }
};

REGISTER_OPERATION("terrace", "shaping", Terrace);

}  // namespace

}  // namespace caprock
