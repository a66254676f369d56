// One mask of two.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

// As kernels/mask_combine.kernel numbers them.
enum class CombineBy { multiply, max, min, add, subtract, difference };

struct MaskCombine {
    std::string field = "mask";
    std::string with = "other";
    CombineBy by = CombineBy::multiply;

    void describe(Declaration& d) const {
        d.summary("combines a mask with another one");
        d.field("field", field).help("mask to change");
        d.field("with", with).help("the other mask, which stays as it is");
        d.choice("by", by, {"multiply", "max", "min", "add", "subtract", "difference"})
            .help(
                "multiply, min: where both are; max, add: where either is; subtract: where the other is not; "
                "difference: where only one of them is");
        d.changes(field);
        d.reads(with);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Field result(terrain.rect());
        work.launch(
            kernel::mask_combine, terrain.rect(),
            {.mask = terrain.field(field), .other = terrain.field(with), .result = result, .by = int(by)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("mask-combine", "masks", MaskCombine);

}  // namespace

}  // namespace caprock
