// Stretches a field over its range: two passes, the extent of the whole, then every cell.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

struct Normalise {
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("stretches a field over its whole range: heights over the height range, others over 0..1");
        d.field("field", field).help("field to stretch");
        d.changes(field);
    }

    Reach reach(const Grid&) const { return Reach::fold(); }

    FoldedCells fold(Work& work) const {
        work.progress().expect(2 * work.rect().cells());
        return work.folded(kernel::extent, work.rect(), {.field = work.terrain().field(field)});
    }

    void run(Work& work, const FoldedCells& all) const {
        WorkTerrain& terrain = work.terrain();
        const Field& before = terrain.field(field);
        const auto extent = all.as<kernel::ExtentFolds>();
        float low = extent.low;
        float high = extent.high;
        if (low > high) return;  // every cell is missing
        Interval range = terrain.range_of(field);
        Field result(terrain.rect());
        work.launch(kernel::normalise, terrain.rect(),
                    {.field = before,
                     .result = result,
                     .from = low,
                     .span = high - low,
                     .low = float(range.low),
                     .high = float(range.high)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("normalise", "shaping", Normalise);

}  // namespace

}  // namespace caprock
