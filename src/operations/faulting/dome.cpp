// One dome: a single circular fault (Table mountains, eq. 1-4), where the user puts it.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/anchor_cell.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

struct SingleDome {
    double x = 2000;
    double y = 2000;
    double radius = 1500;
    double height = 300;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("one dome, and 0 around it");
        d.source("Table mountains, equations 1 to 4");
        d.number("x", x).range(-1e7, 1e7).slider(0, 10000).unit("m").help(
            "of its middle, eastwards from cell 0");
        d.number("y", y).range(-1e7, 1e7).slider(0, 10000).unit("m").help(
            "of its middle, southwards from cell 0");
        d.number("radius", radius)
            .range(0.01, 1e7)
            .slider(10, 5000)
            .logarithmic()
            .unit("m")
            .help("of the circle it covers");
        d.number("height", height)
            .range(-1e6, 1e6)
            .slider(-1000, 1000)
            .unit("m")
            .help("of its middle; below 0, a bowl. For other fields than height, their value there");
        d.field("field", field).help("field to write");
        d.makes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Grid& grid = terrain.grid();
        auto [column, row] = AnchorCell(grid, x, y);
        Field result(terrain.rect());
        work.launch(kernel::dome, terrain.rect(),
                    {.field = result,
                     .column = column,
                     .row = row,
                     .rest_x = float(grid.metres_to_cells(x) - column),
                     .rest_y = float(grid.metres_to_cells(y) - row),
                     .scale = float(grid.cell / radius),
                     .height = float(height)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("dome", "faulting", SingleDome);

}  // namespace

}  // namespace caprock
