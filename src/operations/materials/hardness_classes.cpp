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

    Reach reach(const Grid&) const { return Reach::fold(); }

    Parts parts(const Grid&) const {
        if (!from.empty()) return {};
        HardnessClasses classes_of_faults = *this;
        classes_of_faults.from = "hardness";
        return parts_of(
            operation_with("linear-faults", {{"faults", faults}, {"seed", seed}, {"field", "hardness"}}),
            std::make_unique<OperationOf<HardnessClasses>>("hardness-classes", "materials",
                                                           classes_of_faults));
    }

    FoldedCells fold(Work& work) const {
        work.progress().expect(2 * work.rect().cells());
        return work.folded(kernel::extent, work.rect(), {.field = work.terrain().field(from)});
    }

    void run(Work& work, const FoldedCells& all) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field source = terrain.field(from);
        const auto [low, high] = all.as<kernel::ExtentFolds>();
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
