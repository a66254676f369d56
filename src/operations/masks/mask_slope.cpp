// A mask of the ground that is so steep.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/masks/slope_scale.h"

namespace caprock {

namespace {

struct MaskSlope {
    static constexpr int version = 3;  // shift

    Interval between = {30, 90};
    Number shift = 0;
    Number softness = 10;
    SlopeScale scale;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("a mask of the ground that is so steep");
        d.interval("between", between)
            .range(0, 90)
            .unit("degrees")
            .help("slopes that are in the mask; 0: level, 90: no end");
        d.number("shift", shift)
            .range(-90, 90)
            .slider(-45, 45)
            .unit("degrees")
            .help("by how much steeper slopes both ends are moved");
        d.number("softness", softness)
            .range(0, 90)
            .slider(0, 30)
            .unit("degrees")
            .help("over how many more or fewer degrees the mask fades out; 0: a hard edge");
        scale.describe(d);
        d.field("field", field).help("mask to make");
        d.reads("height");
        d.makes(field);
    }

    void from_version(int written) { scale.from_version(written); }

    Reach reach(const Grid& grid) const { return Reach::area(scale.cells(grid)); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Field mask(terrain.rect());
        const int cells = scale.cells(terrain.grid());
        work.launch_around(
            cells, kernel::mask_slope, terrain.rect(),
            {.height = terrain.height(),
             .mask = mask,
             .cells = cells,
             .distance = scale.distance(terrain.grid()),
             .low = work.varying("shift", shift, [&](double by) { return float(between.low + by); }),
             .high = work.varying("shift", shift, [&](double by) { return float(between.high + by); }),
             .softness = work.varying("softness", softness, [](double degrees) { return float(degrees); })});
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-slope", "masks", MaskSlope);

}  // namespace

}  // namespace caprock
