// One linear fault (Hardness, eq. 3-5), where the user puts it, with a ramp between its two sides.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/anchor_cell.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

// The cosine of a right angle is not quite 0, and along a row even that would tip cells on the line to a side.
double exact_zero(double value) { return std::abs(value) < 1e-12 ? 0 : value; }

struct SingleFault {
    double x = 2000;
    double y = 2000;
    double angle = 135;
    double height = 200;
    double width = 400;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("one fault: a line across the land, high ground to the right of it and 0 to the left");
        d.source("Hardness, equations 3 to 5");
        d.number("x", x).range(-1e7, 1e7).slider(0, 10000).unit("m").help(
            "of a place on the line, eastwards from cell 0");
        d.number("y", y).range(-1e7, 1e7).slider(0, 10000).unit("m").help(
            "of that place, southwards from cell 0");
        d.number("angle", angle)
            .range(-360, 360)
            .slider(0, 360)
            .unit("degrees")
            .help("where the line leads to, as on a compass: 0 is north, 90 east");
        d.number("height", height)
            .range(-1e6, 1e6)
            .slider(-1000, 1000)
            .unit("m")
            .help("of the ground on the right-hand side; for other fields than height, their value there");
        d.number("width", width)
            .range(0, 1e6)
            .slider(0, 5000)
            .unit("m")
            .help("of the ramp between the sides, half of it on either; 0: an upright step");
        d.field("field", field).help("field to write");
        d.makes(field);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Grid& grid = terrain.grid();
        auto [column, row] = AnchorCell(grid, x, y);
        // North is up and y grows downwards, so that the right of somebody going north is east.
        double right_x = exact_zero(cosine(angle * (pi / 180)));
        double right_y = exact_zero(sine(angle * (pi / 180)));
        double base =
            right_x * (column - grid.metres_to_cells(x)) + right_y * (row - grid.metres_to_cells(y));
        // A ramp that no cell can lie on is none; in its widths, distances would not be numbers any more.
        double width_in_cells = grid.metres_to_cells(width);
        bool upright = width_in_cells < 1e-6;
        double unit = upright ? 1 : width_in_cells;
        Field result(terrain.rect());
        work.launch(kernel::fault, terrain.rect(),
                    {.field = result,
                     .column = column,
                     .row = row,
                     .base = float(base / unit),
                     .across = float(right_x / unit),
                     .down = float(right_y / unit),
                     .upright = int(upright),
                     .height = float(height)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("fault", "faulting", SingleFault);

}  // namespace

}  // namespace caprock
