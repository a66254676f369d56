// A mask of the ground that is of some materials.
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

struct MaskMaterial {
    std::vector<double> materials = {0};
    double softness = 0;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("a mask of the ground that is of some materials");
        d.table("materials", materials).range(0, 65535).slider(0, 16).help("their indices, counted from 0");
        d.number("softness", softness)
            .range(0, 100000)
            .slider(0, 500)
            .unit("m")
            .help("how far from an edge the mask is softened, to both sides; 0: a hard edge");
        d.field("field", field).help("mask to make");
        d.reads("material");
        d.makes(field);
        d.works_with(5);
    }

    std::unique_ptr<Operation> feather() const {
        return operation_with("mask-feather", {{"radius", softness}, {"field", field}});
    }
    Reach reach(const Grid& grid) const { return softness > 0 ? feather()->reach(grid) : Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const int64_t cells = terrain.rect().cells();
        work.progress().expect(softness > 0 ? 2 * cells : cells);
        std::vector<float> indices;
        for (double index : materials) indices.push_back(float(std::floor(index + 0.5)));
        int count = int(indices.size());
        indices.resize(std::max(indices.size(), size_t(1)));  // a device wants something to look at
        Field mask(terrain.rect());
        work.launch(
            kernel::mask_material, terrain.rect(),
            {.material = terrain.field("material"), .mask = mask, .indices = indices, .count = count});
        terrain.set(field, std::move(mask));
        if (softness > 0) work.apply(*feather(), cells);
    }
};

REGISTER_OPERATION("mask-material", "masks", MaskMaterial);

}  // namespace

}  // namespace caprock
