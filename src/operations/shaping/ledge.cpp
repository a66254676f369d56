// Raises what lies below a limit, or lowers what lies above it (Editor, section 8.2).
#include "kernels.h"
#include "operation/operation.h"
#include "operations/field_metres.h"

namespace caprock {

namespace {

struct Ledge {
    Number amount = 100;
    Number limit = 400;
    Number softness = 100;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("raises what lies below a limit, or lowers what lies above it");
        d.source("Editor, section 8.2");
        d.number("amount", amount)
            .range(-100000, 100000)
            .slider(-500, 500)
            .unit("m")
            .help("by which low ground rises; below 0, by which high ground sinks");
        d.number("limit", limit)
            .range(-100000, 100000)
            .slider(0, 1000)
            .unit("m")
            .help("height up to which ground rises in full, or from which on it sinks in full");
        d.number("softness", softness)
            .range(0.01, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("height beyond the limit over which the change fades out; an equal amount makes a shelf");
        d.field("field", field).help("field to change; of other fields than height, shares of their range");
        d.changes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const FieldMetres metres(terrain.grid(), field);
        auto length = [&](double high) { return float(metres.length(high)); };
        auto height = [&](double at) { return float(metres.height(at)); };
        const Field before = terrain.field(field);
        Field result(terrain.rect());
        work.launch(kernel::ledge, terrain.rect(),
                    {.before = before,
                     .result = result,
                     .amount = work.varying("amount", amount, length),
                     .limit = work.varying("limit", limit, height),
                     .softness = work.varying("softness", softness, length)});
        terrain.set(field, std::move(result));
    }

    DabKernel dab_kernel(const Grid& grid) const {
        if (amount.varies() || limit.varies() || softness.varies()) return {};
        const FieldMetres metres(grid, field);
        return {&kernel::ledge_dabs,
                {float(metres.length(amount.everywhere())), float(metres.height(limit.everywhere())),
                 float(metres.length(softness.everywhere()))}};
    }
};

REGISTER_OPERATION("ledge", "shaping", Ledge);

}  // namespace

}  // namespace caprock
