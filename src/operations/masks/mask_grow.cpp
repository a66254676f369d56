// Grows or shrinks a mask by so many metres: the most, or the least, of what lies in a disc around each cell.
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
#include <cmath>

namespace caprock {

namespace {

struct MaskGrow {
    double radius = 50;
    std::string field = "mask";

    void describe(Declaration& d) const {
        d.summary("grows a mask on all sides, or shrinks it");
        d.number("radius", radius)
            .range(-100000, 100000)
            .slider(-500, 500)
            .unit("m")
            .help("how far its edges move out; below 0 they move in. Less than a cell changes nothing");
        d.field("field", field).help("mask to change");
        d.changes(field);
        d.works_with(4);  // rows of one length and of the next, the most so far, and the result
    }

    double radius_in_cells(const Grid& grid) const {
        double width = grid.extent.width();
        double height = grid.extent.height();
        // What lies beyond the border everywhere need not be looked for.
        double widest = std::sqrt(width * width + height * height);
        // What should be a whole number of cells is not one less for a rounding.
        return std::min(grid.metres_to_cells(std::fabs(radius)) * (1 + 1e-9), widest);
    }

    Reach reach(const Grid& grid) const { return Reach::area(int(radius_in_cells(grid))); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const Field before = terrain.field(field);
        const float sign = radius < 0 ? -1.0f : 1.0f;
        const double reach = radius_in_cells(terrain.grid());
        // How far the rows of the disc reach to each side, from the middle one on.
        std::vector<int> half_widths;
        for (int row = 0; row <= int(reach); row++)
            half_widths.push_back(int(std::sqrt(reach * reach - double(row) * row)));
        int lengths = 1;
        for (int half = 1; half <= half_widths[0]; half *= 2) lengths++;
        work.progress().expect((2 + 2 * lengths) * rect.cells());

        Field row(rect);
        Field most(rect);
        work.launch(kernel::mask_grow_begin, rect, {.mask = before, .row = row, .most = most, .sign = sign});
        // Rows of 1, 3, 5, 9, 17 ... cells, and the rows of the disc that are made of each.
        for (int half = 0; half <= half_widths[0]; half = half == 0 ? 1 : 2 * half) {
            if (half > 0) {
                int by = std::max(half / 2, 1);
                Field longer(rect);
                work.launch_around(by, kernel::mask_grow_longer, rect,
                                   {.row = row, .longer = longer, .by = by});
                row = std::move(longer);
            }
            std::vector<int> offsets;
            std::vector<int> longer_by;
            int around = 0;
            for (int y = 0; y < int(half_widths.size()); y++) {
                int width = half_widths[size_t(y)];
                if (width < half || width >= std::max(2 * half, 1)) continue;
                offsets.push_back(y);
                longer_by.push_back(width - half);
                around = std::max({around, y, width - half});
            }
            if (offsets.empty()) continue;
            work.launch_around(around, kernel::mask_grow_rows, rect,
                               {.row = row,
                                .most = most,
                                .offsets = offsets,
                                .longer = longer_by,
                                .count = int(offsets.size())});
        }
        Field result(rect);
        work.launch(kernel::mask_grow_end, rect,
                    {.mask = before, .most = most, .result = result, .sign = sign});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("mask-grow", "masks", MaskGrow);

}  // namespace

}  // namespace caprock
