// Unsharp masking: adds what a field has above its own Gaussian.
#include "kernels.h"
#include "operation/operation.h"

namespace caprock {

namespace {

// Smoothing moves the place of a mean by less than this share of its radius.
constexpr double own_moves = 0.025;

struct Sharpen {
    double radius = 50;
    double amount = 1;
    std::string field = "height";

    void describe(Declaration& d) {
        d.summary("makes ridges, edges and hollows stand out: the opposite of smoothing");
        d.source("Editor, section 6.1");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("features smaller than this stand out; as the radius of smooth");
        d.number("amount", amount)
            .range(0, 10)
            .slider(0, 4)
            .help("of what a cell has above its smoothed surroundings, that is added to it");
        d.field("field", field).help("field to sharpen");
        d.changes(field);
        d.works_with(7);
    }

    std::unique_ptr<Operation> smooth() const {
        return operation_with("smooth", {{"radius", radius}, {"field", field}});
    }
    // The slope of the smoothed field takes one cell more.
    Reach reach(const Grid& grid) const { return smooth()->reach(grid).then(Reach::area(1)); }

    void run(Work& work) const {
        Terrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field before = terrain.field(field);
        work.progress().expect(5 * rect.cells());
        Field place_x(rect);
        Field place_y(rect);
        work.launch(kernel::sharpen_places, rect, before, place_x, place_y);
        const Field smoothed = smoothed_of(work, before);
        const Field from_x = smoothed_of(work, std::move(place_x));
        const Field from_y = smoothed_of(work, std::move(place_y));
        Field result(rect);
        double still = std::max(own_moves * terrain.grid().metres_to_cells(radius), 0.01);
        work.launch_around(1, kernel::sharpen, rect, before, smoothed, from_x, from_y, result, float(amount),
                           float(still));
        terrain.set(field, std::move(result));
    }

    Field smoothed_of(Work& work, Field what) const {
        work.terrain().set(field, std::move(what));
        work.apply(*smooth(), work.rect().cells());
        return work.terrain().field(field);
    }
};

REGISTER_OPERATION("sharpen", "shaping", Sharpen);

}  // namespace

}  // namespace caprock
