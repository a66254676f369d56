// A mask of ridges or hollows: of the ground that lies above or below its own smoothed shape.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/surroundings.h"

namespace caprock {

namespace {

// As kernels/mask_curvature.kernel numbers them.
enum class CurvatureKind { convex, concave, both };

struct MaskCurvature {
    CurvatureKind kind = CurvatureKind::convex;
    double radius = 300;
    Number height = 40;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("a mask of ridges or hollows");
        d.choice("kind", kind, {"convex", "concave", "both"})
            .help("convex: ridges and tops; concave: hollows and valley floors");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(5, 1000)
            .logarithmic()
            .unit("m")
            .help("how wide they are; the ground is compared with itself smoothed by this radius");
        d.number("height", height)
            .range(0.001, 100000)
            .slider(1, 100)
            .logarithmic()
            .unit("m")
            .help("how far above or below its smoothed shape ground is in the mask in full");
        d.field("field", field).help("mask to make");
        d.reads("height");
        d.makes(field);
        d.works_with(7);
    }

    Reach reach(const Grid& grid) const { return Surroundings::reach(radius, field, grid); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field ground = terrain.height();
        work.progress().expect(5 * rect.cells());
        // Under the name of the mask, which is made last.
        const Surroundings around = Surroundings::of(ground, work, radius, field);
        Field mask(rect);
        work.launch_around(1, kernel::mask_curvature, rect,
                           {.height = ground,
                            .smoothed = around.level,
                            .place_x = around.from_x,
                            .place_y = around.from_y,
                            .mask = mask,
                            .full = work.varying("height", height, [](double high) { return float(high); }),
                            .kind = int(kind)});
        terrain.set(field, std::move(mask));
    }
};

REGISTER_OPERATION("mask-curvature", "masks", MaskCurvature);

}  // namespace

}  // namespace caprock
