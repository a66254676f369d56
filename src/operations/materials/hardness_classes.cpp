// Hardness in classes (Hardness, eq. 3-7): faulting, normalising, and as many steps as there are kinds of rock.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

struct HardnessClasses {
    int classes = 5;
    std::string from;
    int faults = 1000;
    uint32_t seed = 1;

    void describe(Declaration& d) const {
        d.summary("clusters of harder and softer rock: hardness in so many classes");
        d.source("Hardness, equations 3 to 7");
        d.integer("classes", classes)
            .range(1, 65536)
            .slider(1, 16)
            .help("how many: n classes are of hardness 0, 1/n, ... (n-1)/n");
        d.field("from", from).help("field to classify; without one, linear faults are made for it");
        d.integer("faults", faults)
            .range(0, 1000000)
            .slider(1, 10000)
            .logarithmic()
            .help("without a field, how many lines: fewer of them give crisper clusters");
        d.seed("seed", seed).help("without a field, another seed gives other lines");
        if (!from.empty()) d.reads(from);
        d.makes("hardness");
        d.works_with(3);
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        work.progress().expect((from.empty() ? 5 : 2) * rect.cells());
        if (from.empty()) {
            std::unique_ptr<Operation> faulting =
                operation_with("linear-faults", {{"faults", faults}, {"seed", seed}, {"field", "hardness"}});
            work.apply(*faulting, 3 * rect.cells());
        }
        const Field source = terrain.field(from.empty() ? "hardness" : from);
        kernel::ExtentFolds extent = work.fold(kernel::extent, rect, {.field = source});
        float low = extent.low;
        float high = extent.high;
        bool known = low <= high;
        Field hardness(rect);
        work.launch(kernel::hardness_classes, rect,
                    {.field = source,
                     .hardness = hardness,
                     .from = known ? low : 0,
                     .span = known ? high - low : 0,
                     .classes = float(classes)});
        terrain.set("hardness", std::move(hardness));
    }
};

REGISTER_OPERATION("hardness-classes", "materials", HardnessClasses);

}  // namespace

}  // namespace caprock
