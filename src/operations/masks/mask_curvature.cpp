// A mask of ridges or hollows: of the ground that lies above or below its own smoothed shape.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

// As kernels/mask_curvature.kernel numbers them.
enum class CurvatureKind { convex, concave, both };

struct MaskCurvature {
    CurvatureKind kind = CurvatureKind::convex;
    double radius = 300;
    double height = 40;
    std::string field = "mask";

    void describe(Declaration& d) {
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

    std::unique_ptr<Operation> smooth() const {
        return operation_with("smooth", {{"radius", radius}, {"field", field}});
    }
    // The slope of the smoothed ground takes one cell more.
    Reach reach(const Grid& grid) const { return smooth()->reach(grid).then(Reach::area(1)); }

    void run(Work& work) const {
        Terrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field ground = terrain.height();
        work.progress().expect(5 * rect.cells());
        Field place_x(rect);
        Field place_y(rect);
        work.launch(kernel::mask_places, rect, ground, place_x, place_y);
        const Field level = smoothed(work, ground);
        const Field from_x = smoothed(work, std::move(place_x));
        const Field from_y = smoothed(work, std::move(place_y));
        Field mask(rect);
        work.launch_around(1, kernel::mask_curvature, rect, ground, level, from_x, from_y, mask,
                           float(height), int(kind));
        terrain.set(field, std::move(mask));
    }

    // Under the name of the mask, which is made last.
    Field smoothed(Work& work, Field what) const {
        work.terrain().set(field, std::move(what));
        work.apply(*smooth(), work.rect().cells());
        return work.terrain().field(field);
    }
};

REGISTER_OPERATION("mask-curvature", "masks", MaskCurvature);

}  // namespace

}  // namespace caprock
