// Levelling (Table mountains, eq. 9): each cell moves half way to the mean of its neighbours.
#include "base/mathematics.h"
#include "kernels.h"
#include "operation/operation.h"

#include <algorithm>
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

    Neighbourhood(int width, int height) { add(width, height); }
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

    // How many cells there are, and the sum of the squares of how far away they lie along an axis, the mean of both.
    struct Moments {
        double cells = 0;
        double squares = 0;
    };
    Moments moments() const {
        Moments all;
        int above = -1;  // the last row of the rectangle before
        for (size_t i = 0; i < widths.size(); i++) {
            double row = 2.0 * widths[i] + 1;
            // Rows on one side, the middle one as half a row.
            double rows = heights[i] - above - (above < 0 ? 0.5 : 0);
            all.cells += 2 * rows * row;
            all.squares += rows * row * (row * row - 1) / 12;
            all.squares += row * (squares_to(heights[i]) - squares_to(above));
            above = heights[i];
        }
        return all;
    }

  private:
    static double squares_to(double last) { return last > 0 ? last * (last + 1) * (2 * last + 1) / 6 : 0; }
};

// What stands for a neighbourhood of that many metres in cells of any size. Where land is smooth, the mean of neighbours
// differs from a height by how widely they are spread, and that is what must not depend on cells: a neighbourhood of whole
// cells, which may be the cell alone, and as much of the next larger one as it takes. Of a square this is so along each
// axis by itself, since the mean over a square is a mean of means: then it holds for land of any direction. Where
// neighbours are missing, cells move less far, or land would be drawn away from the border by as much as cells are large.
struct Window {
    std::vector<int> widths;    // of all rectangles
    std::vector<int> heights;   // likewise
    std::vector<int> ends;      // behind the last rectangle of each neighbourhood
    std::vector<float> shares;  // how much each neighbourhood counts
    double cells = 0;  // counted by their shares; 0: all but the one in the middle, as many as there are

    static Window of_whole_cells(Shape shape, double radius) {
        Window window;
        window.add(Neighbourhood(shape, radius, int(radius)), 1);
        window.cells = 0;
        return window;
    }

    static Window of(Shape shape, double radius) {
        // The mean square of distances along an axis, over all places of a square and of a disc.
        double wanted = shape == Shape::square ? radius * radius / 3 : radius * radius / 4;
        auto whole = [&](int cells) { return Neighbourhood(shape, cells, cells); };
        auto too_much = [&](int cells) {
            Neighbourhood::Moments m = whole(cells).moments();
            // A square counts by its row, since each axis has its own share of the larger one.
            return (m.squares - wanted * m.cells) / (shape == Shape::square ? 2.0 * cells + 1 : 1);
        };
        int cells = int(radius) + 1;
        while (cells > 0 && too_much(cells) > 0) cells--;
        double inner = too_much(cells);
        double outer = too_much(cells + 1);
        // In few digits, so that sums of level ground are hardly rounded.
        double of_outer = outer > inner
                              ? std::floor(std::clamp(-inner / (outer - inner), 0.0, 1.0) * 4096 + 0.5) / 4096
                              : 0;
        double of_inner = 1 - of_outer;
        Window window;
        if (shape == Shape::disc) {
            window.add(whole(cells), of_inner);
            window.add(whole(cells + 1), of_outer);
            return window;
        }
        window.add(Neighbourhood(cells, cells), of_inner * of_inner);
        window.add(Neighbourhood(cells + 1, cells), of_outer * of_inner);
        window.add(Neighbourhood(cells, cells + 1), of_inner * of_outer);
        window.add(Neighbourhood(cells + 1, cells + 1), of_outer * of_outer);
        return window;
    }

    int reach() const { return std::max(std::ranges::max(widths), std::ranges::max(heights)); }

  private:
    void add(const Neighbourhood& neighbourhood, double share) {
        if (share == 0) return;
        widths.insert(widths.end(), neighbourhood.widths.begin(), neighbourhood.widths.end());
        heights.insert(heights.end(), neighbourhood.heights.begin(), neighbourhood.heights.end());
        ends.push_back(int(widths.size()));
        shares.push_back(float(share));
        cells += share * neighbourhood.moments().cells;
    }
};

struct Levelling {
    static constexpr int version = 2;

    double radius = 10;
    Shape shape = Shape::square;
    bool whole_cells = false;
    std::string field = "height";

    void describe(Declaration& d) const {
        d.summary("takes the edges off: each cell moves half way to the mean of its neighbours");
        d.source("Table mountains, equation 9");
        d.number("radius", radius)
            .range(0, 100000)
            .slider(1, 500)
            .logarithmic()
            .unit("m")
            .help("how far neighbours are looked for; 0 changes nothing");
        d.choice("shape", shape, {"square", "disc"})
            .help("of the neighbourhood; the rim of a disc of more than 25 cells is drawn in steps");
        d.flag("whole-cells", whole_cells)
            .help(
                "neighbours are all cells within the radius and at least the next ones, as in the paper: "
                "what "
                "becomes of the land then depends on how large cells are");
        d.field("field", field).help("field to level");
        d.changes(field);
        d.works_with(4);  // sums in two halves, counts, and the result
    }

    // Version 1 knew whole cells alone.
    void from_version(int written) { whole_cells = written < 2; }

    double radius_in_cells(const Grid& grid) const {
        if (!whole_cells) return grid.metres_to_cells(radius);
        // What should be a whole number of cells is not one less for a rounding.
        return radius > 0 ? std::max(1.0, grid.metres_to_cells(radius) * (1 + 1e-9)) : 0;
    }

    // Part of the cells in the row or column after the last whole one may count as well.
    Reach reach(const Grid& grid) const {
        double cells = std::min(radius_in_cells(grid), double(1 << 17));
        return Reach::area(whole_cells ? int(cells) : cells > 0 ? int(cells) + 2 : 0);
    }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        // What lies beyond the border everywhere need not be looked for.
        double width = terrain.grid().extent.width();
        double height = terrain.grid().extent.height();
        double widest = std::sqrt(width * width + height * height);
        double cells = std::min(radius_in_cells(terrain.grid()), widest);
        if (cells <= 0) return;
        const Field before = terrain.field(field);
        work.progress().expect(4 * rect.cells());
        bool holes = work.fold(kernel::count_missing, rect, {.field = before}).cells > 0;
        Window window = whole_cells ? Window::of_whole_cells(shape, cells) : Window::of(shape, cells);
        int reach = window.reach();

        // Parts as fine as a float is at the upper end of the range. They are cut off so far away from the range
        // that no sum of a neighbourhood overflows: 2^28 ranges away for a thousand neighbours, 64 for all cells of
        // the largest grid. In the narrowest of ranges there are fewer, so that both numbers are normal floats.
        Interval range = terrain.range_of(field);
        float low = float(range.low);
        float parts = float(std::min(0x1p24 / range.span(), 0x1p126));
        float part = float(std::max(range.span() / 0x1p24, 0x1p-126));
        double neighbours = (2.0 * reach + 1) * (2.0 * reach + 1);
        float most = 0x1p62f;
        for (double sum = 1; sum < std::min(neighbours, 0x1p32); sum *= 2) most /= 2;

        Field low_sum(rect);
        Field high_sum(rect);
        work.launch(kernel::levelling_sums, rect,
                    {.field = before,
                     .low_sum = low_sum,
                     .high_sum = high_sum,
                     .low = low,
                     .parts = parts,
                     .most = most});
        work.launch(kernel::levelling_sums_down, rect, {.low_sum = low_sum, .high_sum = high_sum});
        Field count;
        if (holes) {
            count = Field(rect);
            work.launch(kernel::levelling_counts, rect, {.field = before, .count = count});
            work.launch(kernel::levelling_counts_down, rect, {.count = count});
        }
        const Field* counts = holes ? &count : nullptr;
        Field result(rect);
        work.launch_around(reach + 1, kernel::levelling, rect,
                           {.field = before,
                            .low_sum = low_sum,
                            .high_sum = high_sum,
                            .count = counts,
                            .result = result,
                            .widths = window.widths,
                            .heights = window.heights,
                            .ends = window.ends,
                            .shares = window.shares,
                            .neighbourhoods = int(window.ends.size()),
                            .left = rect.left,
                            .top = rect.top,
                            .right = rect.right,
                            .bottom = rect.bottom,
                            .low = low,
                            .parts = parts,
                            .part = part,
                            .most = most,
                            .whole = float(window.cells)});
        terrain.set(field, std::move(result));
    }
};

REGISTER_OPERATION("levelling", "shaping", Levelling);

}  // namespace

}  // namespace caprock
