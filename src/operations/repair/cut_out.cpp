// Makes holes where a mask says so: for what shall be filled anew, or for the outline of a map.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

struct CutOut {
    std::string mask = "cut";
    double threshold = 0.5;

    void describe(Declaration& d) const {
        d.summary("makes holes where a mask says so: heights there become missing");
        d.field("mask", mask).help("field that says where; its missing cells cut nothing");
        d.number("threshold", threshold)
            .range(0, 1)
            .help("value of the mask from which on cells are cut out");
        d.changes("height");
        d.reads(mask);
        d.makes_missing();
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        Field result(terrain.rect());
        work.launch(kernel::cut_out, terrain.rect(),
                    {.height = terrain.height(),
                     .mask = terrain.field(mask),
                     .result = result,
                     .threshold = float(threshold)});
        terrain.set("height", std::move(result));
    }
};

REGISTER_OPERATION("cut-out", "repair", CutOut);

}  // namespace

}  // namespace caprock
