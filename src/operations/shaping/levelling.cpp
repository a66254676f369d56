// Levelling (Table mountains, eq. 9): each cell moves half way to the mean of its neighbours.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"

#include <cmath>

namespace caprock {

namespace {

enum class Shape { square, disc };

// A neighbourhood as rectangles around a cell: half widths that fall while half heights rise. So a disc of up to
// about twenty-five cells is exact. A larger one has its rim drawn in as many steps, each as wide as the disc is on the
// average of its rows.
struct Neighbourhood {
    static constexpr int most_rectangles = 16;

    std::vector<int> widths;
    std::vector<int> heights;

    Neighbourhood(Shape shape, double radius, int cells) {
        if (shape == Shape::square) {
            add(cells, cells);
            return;
        }
        auto half_width = [&](int row) { return int(std::sqrt(radius * radius - double(row) * row)); };
        for (int row = 0; row <= cells; row++) {
            if (row > 0 && half_width(row) == widths.back()) {
                heights.back() = row;
            } else {
                add(half_width(row), row);
            }
        }
        if (int(widths.size()) <= most_rectangles) return;
        widths.clear();
        heights.clear();
        int row = 0;
        for (int step = 1; step <= most_rectangles; step++) {
            // Rows end where equal steps of angle do: flat steps at the poles, tall ones at the sides.
            double angle = pi / 2 * step / most_rectangles;
            int last = step == most_rectangles ? cells : int(radius * sine(angle));
            double sum = 0;
            int first = row;
            for (; row <= last; row++) sum += half_width(row);
            if (row > first) add(int(sum / (row - first) + 0.5), last);
        }
    }

    void add(int width, int height) {
        if (!widths.empty() && widths.back() == width) {
            heights.back() = height;
            return;
        }
        widths.push_back(width);
        heights.push_back(height);
    }
};

struct Levelling {
    double radius = 10;
    Shape shape = Shape::square;
    std::string field = "height";

    void describe(Declaration& d) {
        d.summary("takes the edges off: each cell moves half way to the mean of its neighbours");
        d.source("Table mountains, equation 9");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("how far neighbours are looked for, at least to the next cells; 0 changes nothing");
        d.choice("shape", shape, {"square", "disc"})
            .help("of the neighbourhood; the rim of a disc of more than 25 cells is drawn in steps");
        d.field("field", field).help("field to level");
        d.changes(field);
        d.works_with(4);  // sums in two halves, counts, and the result
    }

    double radius_in_cells(const Grid& grid) const {
        // What should be a whole number of cells is not one less for a rounding.
        return radius > 0 ? std::max(1.0, grid.metres_to_cells(radius) * (1 + 1e-9)) : 0;
    }
    int cells(const Grid& grid) const { return int(std::min(radius_in_cells(grid), double(1 << 17))); }

    Reach reach(const Grid& grid) const { return Reach::area(cells(grid)); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        // What lies beyond the border everywhere need not be looked for.
        double width = terrain.grid().extent.width();
        double height = terrain.grid().extent.height();
        double widest = std::sqrt(width * width + height * height);
        double reach = std::min(radius_in_cells(terrain.grid()), widest);
        if (reach < 1) return;
        const Field before = terrain.field(field);
        work.progress().expect(4 * rect.cells());
        bool holes = work.fold(kernel::count_missing, rect, before)[0].sum > 0;
        Neighbourhood neighbourhood(shape, reach, int(reach));

        // Parts as fine as a float is at the upper end of the range. They are cut off so far away from the range
        // that no sum of a neighbourhood overflows: 2^28 ranges away for a thousand neighbours, 64 for all cells of
        // the largest grid. In the narrowest of ranges there are fewer, so that both numbers are normal floats.
        Interval range = terrain.range_of(field);
        float low = float(range.low);
        float parts = float(std::min(0x1p24 / range.span(), 0x1p126));
        float part = float(std::max(range.span() / 0x1p24, 0x1p-126));
        double neighbours = (2 * std::floor(reach) + 1) * (2 * std::floor(reach) + 1);
        float most = 0x1p62f;
        for (double sum = 1; sum < std::min(neighbours, 0x1p32); sum *= 2) most /= 2;

        Field low_sum(rect);
        Field high_sum(rect);
        work.launch(kernel::levelling_sums, rect, before, low_sum, high_sum, low, parts, most);
        work.launch(kernel::levelling_sums_down, rect, low_sum, high_sum);
        Field count;
        if (holes) {
            count = Field(rect);
            work.launch(kernel::levelling_counts, rect, before, count);
            work.launch(kernel::levelling_counts_down, rect, count);
        }
        const Field& low_sums = low_sum;
        const Field& high_sums = high_sum;
        const Field* counts = holes ? &count : nullptr;
        Field result(rect);
        work.launch_around(int(reach) + 1, kernel::levelling, rect, before, low_sums, high_sums, counts,
                           result, neighbourhood.widths, neighbourhood.heights,
                           int(neighbourhood.widths.size()), rect.left, rect.top, rect.right, rect.bottom,
                           low, parts, part, most);
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("levelling", "shaping", Levelling);

}  // namespace

}  // namespace caprock
