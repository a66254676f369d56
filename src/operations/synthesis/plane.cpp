// A tilted plane: level ground, a ramp, or what another field is compared with.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/anchor_cell.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

struct TiltedPlane {
    double height = 0;
    double x = 0;
    double y = 0;
    double grade_x = 0;
    double grade_y = 0;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("level or evenly sloping ground");
        d.number("height", height)
            .range(-1e6, 1e6)
            .slider(0, 1000)
            .unit("m")
            .help("of the plane at the anchor; for other fields than height, their value there");
        d.number("x", x).range(-1e7, 1e7).slider(0, 10000).unit("m").help(
            "of the anchor, eastwards from cell 0");
        d.number("y", y).range(-1e7, 1e7).slider(0, 10000).unit("m").help(
            "of the anchor, southwards from cell 0");
        d.number("grade-x", grade_x)
            .range(-1000, 1000)
            .slider(-1, 1)
            .help("rise for every metre to the east; 1 is a slope of 45 degrees");
        d.number("grade-y", grade_y)
            .range(-1000, 1000)
            .slider(-1, 1)
            .help("rise for every metre to the south");
        d.field("field", field).help("field to write");
        d.makes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Grid& grid = terrain.grid();
        auto [column, row] = AnchorCell(grid, x, y);
        // In doubles: an anchor far away makes large numbers whose difference is what counts.
        double base = height + grade_x * (column * grid.cell - x) + grade_y * (row * grid.cell - y);
        Field result(terrain.rect());
        work.launch(kernel::plane, terrain.rect(),
                    {.field = result,
                     .column = column,
                     .row = row,
                     .base = float(base),
                     .across = float(grade_x * grid.cell),
                     .down = float(grade_y * grid.cell)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("plane", "synthesis", TiltedPlane);

}  // namespace

}  // namespace caprock
