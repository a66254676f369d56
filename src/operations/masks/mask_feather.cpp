// Softens the edges of a mask: to both sides by a Gaussian; to one side by a Gaussian half as wide, after the edge has
// been moved half the way.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

// As kernels/mask_feather.kernel numbers them.
enum class FeatherTo { both, inside, outside };

struct MaskFeather {
    double radius = 50;
    FeatherTo to = FeatherTo::both;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("softens the edges of a mask");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("how far from an edge the mask is softened");
        d.choice("to", to, {"both", "inside", "outside"})
            .help(
                "sides of an edge that are softened; inside: nothing is added to the mask; outside: nothing "
                "is taken away");
        d.field("field", field).help("mask to change");
        d.changes(field);
        d.works_with(5);
    }

    Parts steps() const {
        if (to == FeatherTo::both)
            return parts_of(operation_with("smooth", {{"radius", radius}, {"field", field}}));
        double moved = to == FeatherTo::inside ? -radius / 2 : radius / 2;
        return parts_of(operation_with("mask-grow", {{"radius", moved}, {"field", field}}),
                        operation_with("smooth", {{"radius", radius / 2}, {"field", field}}));
    }
    Reach reach(const Grid& grid) const { return reach_of(steps(), grid); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Field before = terrain.field(field);
        const Parts all = steps();
        work.progress().expect(int64_t(all.size() + 1) * before.rect().cells());
        for (const std::unique_ptr<Operation>& step : all) work.apply(*step, before.rect().cells());
        const Field blurred = terrain.field(field);
        Field result(before.rect());
        work.launch(kernel::mask_feather, before.rect(),
                    {.mask = before, .blurred = blurred, .result = result, .to = int(to)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("mask-feather", "masks", MaskFeather);

}  // namespace

}  // namespace caprock
