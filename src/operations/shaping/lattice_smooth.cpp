// Smoothing by few samples (Editor §8.4): a smooth surface through the neighbourhood of heights on a lattice.
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// LATTICE_BASE of the kernel.
constexpr int digit_base = 8;

struct LatticeSmooth {
    double spacing = 56;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("a smooth surface made of heights on a coarse lattice; all between them is forgotten");
        d.source("Editor, section 8.4");
        d.number("spacing", spacing)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help(
                "from one point of the lattice to the next, rounded to whole cells; no more than the "
                "terrain's "
                "side");
        d.field("field", field).help("field to smooth");
        d.changes(field);
        d.works_with(3);  // two that are carried, one from the other, and the result
    }

    int spacing_in_cells(const Grid& grid) const {
        double most = std::max(grid.extent.width(), grid.extent.height());
        return std::max(1, int(std::floor(std::min(grid.metres_to_cells(spacing), most) + 0.5)));
    }

    // Of the four points each way the farthest is two spacings ahead, and one and not quite another behind.
    Reach reach(const Grid& grid) const { return Reach::area(2 * spacing_in_cells(grid)); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const int cells = spacing_in_cells(terrain.grid());
        const Field before = terrain.field(field);
        int passes = 0;
        for (int unit = 1; unit < cells || unit == 1; unit *= digit_base) passes++;
        work.progress().expect((passes + 1) * rect.cells());

        Field carried = before;
        for (int unit = 1; unit < cells || unit == 1; unit *= digit_base) {
            const Field from = std::move(carried);
            carried = Field(rect);
            int farthest = std::min((digit_base - 1) * unit, cells);
            work.launch_around(farthest, kernel::lattice_carry, rect,
                               {.height = from, .carried = carried, .spacing = cells, .unit = unit});
        }
        Field result(rect);
        work.launch_around(2 * cells, kernel::lattice_spline, rect,
                           {.before = before,
                            .carried = carried,
                            .result = result,
                            .spacing = cells,
                            .last = rect.right - 1});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("lattice-smooth", "shaping", LatticeSmooth);

}  // namespace

}  // namespace caprock
