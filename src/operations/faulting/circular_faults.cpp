// Circular fault formation (Table mountains, eq. 1-4).
#include "base/error.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/faulting/fault_places.h"

#include <cmath>
#include <fmt/format.h>
#include <optional>

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

// The squared radius of a dome in a whole number and a fraction, as the kernel takes it apart.
struct Square {
    int whole;
    float fraction;
    float share;  // what a root is multiplied by

    explicit Square(double radius) {
        double squared = radius * radius;
        whole = int(std::floor(squared));
        fraction = float(squared - std::floor(squared));
        share = radius > 0 ? float(1 / radius) : 0.0f;
    }
};

// Half of a dome, for many that are alike.
struct DomeTable {
    // More than this many cells of it would not stay in a cache.
    static constexpr double most_cells = 1 << 22;

    int rows, columns, middle;
    std::vector<float> cells;

    static bool fits(double radius) { return (radius + 1) * 2 * (radius + block_width + 16) < most_cells; }

    explicit DomeTable(double radius) {
        Square square(radius);
        rows = int(radius) + 1;
        middle = int(radius) + block_width;
        columns = 2 * middle + 16;
        cells.assign(size_t(rows) * size_t(columns), 0.0f);
        for (int y = 0; y < rows; y++)
            for (int x = 1 - rows; x < rows; x++) {
                float s = float(square.whole - y * y - x * x) + square.fraction;
                cells[size_t(y) * size_t(columns) + size_t(middle + x)] =
                    std::sqrt(std::max(s, 0.0f)) * square.share;
            }
    }
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

    Interval radius_in_cells(const Grid& grid) const {
        double quarter = std::min(grid.extent.width(), grid.extent.height()) / 4.0;
        if (radius.high == 0) return {quarter, quarter};
        return {grid.metres_to_cells(radius.low), grid.metres_to_cells(radius.high)};
    }

    Field raised(Work& work, float base, float scale) const {
        const Grid& grid = work.terrain().grid();
        Interval cells = radius_in_cells(grid);
        std::vector<CircularFault> domes =
            draw_circular_faults(grid, faults, seed, cells, {along, band, around_centre});
        std::vector<int> x, y;
        double listed = 0;  // of one row of blocks, at the most
        for (const CircularFault& dome : domes) {
            x.push_back(dome.x);
            y.push_back(dome.y);
            listed += 2 * dome.radius / block_width + 2;
        }
        // A few domes are made sooner than a table of one.
        bool alike = cells.low == cells.high && DomeTable::fits(cells.low) && faults > 8;
        std::optional<DomeTable> table;
        std::vector<int> square;
        std::vector<float> fraction, share;
        if (alike) table.emplace(cells.low);
        for (const CircularFault& dome : domes) {
            if (alike) break;
            Square parts(dome.radius);
            square.push_back(parts.whole);
            fraction.push_back(parts.fraction);
            share.push_back(parts.share);
        }

        Field height(work.rect());
        int64_t rows = int64_t(std::max(1.0, double(most_listed) / std::max(listed, 1.0))) * block_height;
        for (Rect strip = work.rect(); strip.top < work.rect().bottom; strip.top = strip.bottom) {
            strip.bottom = int(std::min<int64_t>(strip.top + rows, work.rect().bottom));
            BlockLists lists(strip, domes);
            work.progress().check();
            if (alike) {
                work.launch(kernel::circular_faults_alike, strip, height, lists.begins, lists.faults, x, y,
                            table->cells, table->rows, table->columns, table->middle, strip.left, strip.top,
                            lists.columns, block_height, base, scale);
            } else {
                work.launch(kernel::circular_faults, strip, height, lists.begins, lists.faults, x, y, square,
                            fraction, share, strip.left, strip.top, lists.columns, block_height, base, scale);
            }
        }
        return height;
    }
};

REGISTER_OPERATION("circular-faults", "faulting", CircularFaults);

}  // namespace

}  // namespace caprock
