// Steps in a landscape: level treads at even heights, and risers between them.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/field_metres.h"

#include <cmath>

namespace caprock {

namespace {

struct Terrace {
    Number step = 60;
    Number sharpness = 0.9;
    Number offset = 0;
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
        const FieldMetres metres(terrain.grid(), field);
        const Field before = terrain.field(field);
        Field result(terrain.rect());
        work.launch(
            kernel::terrace, terrain.rect(),
            {.before = before,
             .result = result,
             .step = work.varying("step", step, [&](double high) { return float(metres.length(high)); }),
             .sharpness = work.varying("sharpness", sharpness, [](double share) { return float(share); }),
             .offset = work.varying("offset", offset, [&](double at) { return tread(metres, at); })});
        terrain.set(field, std::move(result));
    }

    DabKernel dab_kernel(const Grid& grid) const {
        if (step.varies() || sharpness.varies() || offset.varies()) return {};
        const FieldMetres metres(grid, field);
        return {&kernel::terrace_dabs,
                {float(metres.length(step.everywhere())), float(sharpness.everywhere()),
                 tread(metres, offset.everywhere())}};
    }

    // The tread nearest to 0: from one far away, heights would lose digits. Where steps vary, there is none for all.
    float tread(const FieldMetres& metres, double at) const {
        if (step.varies()) return float(metres.height(at));
        return float(std::remainder(metres.height(at), metres.length(step.everywhere())));
    }
};

REGISTER_OPERATION("terrace", "shaping", Terrace);

}  // namespace

}  // namespace caprock
