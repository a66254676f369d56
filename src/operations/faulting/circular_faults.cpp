// Circular fault formation (Table mountains, eq. 1-4).
#include "base/error.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/faulting/fault_places.h"

#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

// Squares of distances up to this, and of a block more, are whole numbers below 2^31.
constexpr double largest_radius = 30000;

// A block's columns are as many as cells of a launch that surely share their first lane's block.
constexpr int block_width = 64;
constexpr int block_height = 16;
// Lists for more than this many faults are made and used band by band.
constexpr int64_t most_listed = 1 << 24;

// For each block of cells, in rows of blocks, the faults that reach into it.
struct BlockLists {
    int columns = 0;
    std::vector<int> begins;
    std::vector<int> faults;

    BlockLists(const Rect& cells, const std::vector<CircularFault>& all) {
        columns = (cells.width() + block_width - 1) / block_width;
        int rows = (cells.height() + block_height - 1) / block_height;
        std::vector<int> ends(size_t(columns) * size_t(rows) + 1, 0);
        // Twice over the same walk: first for the lengths of the lists, then for the lists, each in order.
        walk(cells, rows, all, [&](size_t block, int) { ends[block + 1]++; });
        for (size_t block = 1; block < ends.size(); block++) ends[block] += ends[block - 1];
        begins = ends;
        faults.resize(size_t(begins.back()));
        walk(cells, rows, all, [&](size_t block, int fault) { faults[size_t(ends[block]++)] = fault; });
    }

    template <typename Visit>
    void walk(const Rect& cells, int rows, const std::vector<CircularFault>& all, const Visit& visit) const {
        for (size_t i = 0; i < all.size(); i++) {
            const CircularFault& fault = all[i];
            int first = std::max(0, row_of(fault.y - fault.radius - cells.top));
            int last = std::min(rows - 1, row_of(fault.y + fault.radius - cells.top));
            for (int row = first; row <= last; row++) {
                // The widest the circle gets within these rows of cells.
                int top = cells.top + row * block_height;
                int nearest = std::clamp(fault.y, top, top + block_height - 1) - fault.y;
                double rest = fault.radius * fault.radius - double(nearest) * nearest;
                if (rest <= 0) continue;
                double half = std::sqrt(rest);
                int from = std::max(0, column_of(fault.x - half - cells.left));
                int to = std::min(columns - 1, column_of(fault.x + half - cells.left));
                for (int column = from; column <= to; column++)
                    visit(size_t(row) * size_t(columns) + size_t(column), int(i));
            }
        }
    }

    static int row_of(double y) { return int(std::floor(y / block_height)); }
    static int column_of(double x) { return int(std::floor(x / block_width)); }
};

struct CircularFaults {
    int faults = 1000;
    Interval radius = {0, 0};
    Axis along = Axis::none;
    double band = 0;
    double around_centre = 0;
    double step = 1;
    bool normalise = true;
    uint32_t seed = 1;
    std::string field = "height";

    void describe(Declaration& d) {
        d.summary("smooth, swelling ground: domes on top of each other");
        d.source("Table mountains, equations 1 to 4");
        d.integer("faults", faults).range(0, 1000000).slider(1, 10000).help("how many domes");
        d.interval("radius", radius)
            .range(0, 100000)
            .slider(0, 5000)
            .unit("m")
            .help("of the domes, one for all or a range; 0: a quarter of the terrain's shorter side");
        d.choice("along", along, {"none", "x", "y"})
            .help("keep the domes' middles to the middle line from west to east (x) or north to south (y)");
        d.number("band", band)
            .range(0, 100000)
            .slider(0, 5000)
            .unit("m")
            .help("with --along, the width within which the middles stray from that line");
        d.number("around-centre", around_centre)
            .range(0, 100000)
            .slider(0, 5000)
            .unit("m")
            .help("keep the domes' middles within this distance of the terrain's centre; 0: anywhere");
        d.number("step", step)
            .range(0, 10000)
            .slider(0, 10)
            .unit("m")
            .help("height of a dome; matters only with --no-normalise");
        d.flag("normalise", normalise).help("stretch the result over the field's whole range");
        d.seed("seed", seed).help("another seed gives other domes");
        d.field("field", field).help("field to write");
        d.makes(field);
        d.works_with(normalise ? 2 : 1);
    }

    void check(const Grid& grid) const {
        if (along != Axis::none && around_centre > 0)
            throw Error("--along and --around-centre exclude each other; give one of them");
        if (grid.metres_to_cells(radius.high) > largest_radius)
            throw Error(fmt::format("radius {} m is more than {} cells of {} m", radius.high, largest_radius,
                                    grid.cell));
    }

    Reach reach(const Grid&) const { return normalise ? Reach::whole() : Reach::point(); }

    void run(Work& work) const {
        Terrain& terrain = work.terrain();
        int64_t cells = terrain.rect().cells();
        work.progress().expect(cells * (normalise ? 2 : 1));
        Interval range = terrain.range_of(field);
        terrain.set(field, raised(work, normalise ? 0 : float(range.low), normalise ? 1 : float(step)));
        if (normalise) work.apply(*operation_with("normalise", {{"field", field}}), cells);
    }

    std::vector<CircularFault> drawn(const Grid& grid) const {
        double quarter = std::min(grid.extent.width(), grid.extent.height()) * grid.cell / 4;
        Interval metres = radius.high > 0 ? radius : Interval{quarter, quarter};
        return draw_circular_faults(grid, faults, seed, metres, {along, band, around_centre});
    }

    Field raised(Work& work, float base, float scale) const {
        std::vector<CircularFault> domes = drawn(work.terrain().grid());
        std::vector<int> x, y, square;
        std::vector<float> square_fraction, share;
        double listed = 0;  // blocks times faults, roughly
        for (const CircularFault& dome : domes) {
            x.push_back(dome.x);
            y.push_back(dome.y);
            double squared = dome.radius * dome.radius;
            square.push_back(int(std::floor(squared)));
            square_fraction.push_back(float(squared - std::floor(squared)));
            share.push_back(dome.radius > 0 ? float(1 / dome.radius) : 0.0f);
            listed += (2 * dome.radius / block_width + 2);
        }
        const Rect& rect = work.rect();
        Field height(rect);
        int64_t rows = int64_t(std::max(1.0, double(most_listed) / std::max(listed, 1.0))) * block_height;
        Rect band_of_rows = rect;
        for (band_of_rows.top = rect.top; band_of_rows.top < rect.bottom;
             band_of_rows.top = band_of_rows.bottom) {
            band_of_rows.bottom = int(std::min<int64_t>(band_of_rows.top + rows, rect.bottom));
            BlockLists lists(band_of_rows, domes);
            work.launch(kernel::circular_faults, band_of_rows, height, lists.begins, lists.faults, x, y,
                        square, square_fraction, share, band_of_rows.left, band_of_rows.top, lists.columns,
                        block_height, base, scale);
        }
        return height;
    }
};

REGISTER_OPERATION("circular-faults", "faulting", CircularFaults);

}  // namespace

}  // namespace caprock
