// The opposite of a mask.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

struct MaskInvert {
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("turns a mask into its opposite: 1 less what it was");
        d.field("field", field).help("mask to invert");
        d.changes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Field result(terrain.rect());
        work.launch(kernel::mask_invert, terrain.rect(), {.mask = terrain.field(field), .result = result});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("mask-invert", "masks", MaskInvert);

}  // namespace

}  // namespace caprock
