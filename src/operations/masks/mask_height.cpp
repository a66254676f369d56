// A mask of the ground between two heights.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

struct MaskHeight {
    static constexpr int version = 2;  // shift

    Interval between = {500, 100000};
    Number shift = 0;
    Number softness = 100;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("a mask of the ground between two heights");
        d.interval("between", between)
            .range(-100000, 100000)
            .slider(-1000, 5000)
            .unit("m")
            .help("heights that are in the mask in full");
        d.number("shift", shift)
            .range(-100000, 100000)
            .slider(-1000, 1000)
            .unit("m")
            .help("how far up both ends are moved: by a map, a snow line that is not the same everywhere");
        d.number("softness", softness)
            .range(0, 100000)
            .slider(0, 500)
            .unit("m")
            .help("how far below and above the mask fades out; 0: a hard edge");
        d.field("field", field).help("mask to make");
        d.reads("height");
        d.makes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Field mask(terrain.rect());
        work.launch(
            kernel::mask_height, terrain.rect(),
            {.height = terrain.height(),
             .mask = mask,
             .low = work.varying("shift", shift, [&](double up) { return float(between.low + up); }),
             .high = work.varying("shift", shift, [&](double up) { return float(between.high + up); }),
             .softness = work.varying("softness", softness, [](double high) { return float(high); })});
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-height", "masks", MaskHeight);

}  // namespace

}  // namespace caprock
