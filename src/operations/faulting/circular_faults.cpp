// Circular fault formation (Table mountains, eq. 1-4).
#include "base/error.h"
#include "base/random.h"
#include "kernels.h"
#include "operation/operation.h"
#include "operations/block_lists.h"
#include "operations/faulting/fault_places.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace caprock {

namespace {

// Squares of distances up to this, and of a block more, are whole numbers below 2^31.
constexpr double largest_dome = 30000;

// The places of cells are whole numbers of 32 bits, and so are distances between them.
constexpr double farthest_middle = 1e9;

// A block's columns are as many as cells of a launch that surely share their first lane's block.
constexpr int dome_block_width = 64;
constexpr int dome_block_height = 16;
// Lists of more than this many entries are made and used in turn: bands of rows, and within a band that cannot be
// lower, some faults after others. That bounds memory, and the time until a cancel is felt.
constexpr double most_listed_domes = 1 << 22;

int block_columns(const Rect& cells) { return (cells.width() + dome_block_width - 1) / dome_block_width; }

// Some faults of all of them.
struct DomeBatch {
    size_t begin = 0;
    size_t end = 0;
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

    static bool fits(double radius) {
        return (radius + 1) * 2 * (radius + dome_block_width + 16) < most_cells;
    }

    explicit DomeTable(double radius) {
        Square square(radius);
        rows = int(radius) + 1;
        middle = int(radius) + dome_block_width;
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

// Faults as the kernel takes them, and how they are cut up.
struct Domes {
    std::vector<CircularFault> faults;
    std::vector<int> x, y;
    // All alike from a table, or each by itself.
    std::optional<DomeTable> table;
    std::vector<int> square;
    std::vector<float> square_fraction, share;
    std::vector<DomeBatch> batches;  // in order, at least one
    int band_height = 0;

    Domes(std::vector<CircularFault> drawn, const Interval& radius, const Rect& cells)
        : faults(std::move(drawn)) {
        // A few domes are made sooner than a table of one.
        if (radius.low == radius.high && DomeTable::fits(radius.low) && faults.size() > 8)
            table.emplace(radius.low);
        double listed = 0;  // in one row of blocks, roughly
        double listed_in_batch = 0;
        batches.emplace_back();
        for (const CircularFault& dome : faults) {
            x.push_back(dome.x);
            y.push_back(dome.y);
            if (!table) {
                Square parts(dome.radius);
                square.push_back(parts.whole);
                square_fraction.push_back(parts.fraction);
                share.push_back(parts.share);
            }
            double blocks = std::min(2 * dome.radius / dome_block_width + 2, double(block_columns(cells)));
            if (listed_in_batch + blocks > most_listed_domes) {
                batches.push_back({batches.back().end, batches.back().end});
                listed_in_batch = 0;
            }
            batches.back().end++;
            listed_in_batch += blocks;
            listed += blocks;
        }
        double block_rows =
            std::clamp(most_listed_domes / std::max(listed, 1.0), 1.0, double(cells.height()));
        band_height = int(block_rows) * dome_block_height;
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

    void describe(Declaration& d) const {
        d.summary("smooth, swelling ground: domes on top of each other");
        d.source("Table mountains, equations 1 to 4");
        d.integer("faults", faults).range(0, 1000000).slider(1, 10000).logarithmic().help("how many domes");
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
        auto require_at_most = [&](const char* name, double metres, double cells) {
            if (grid.metres_to_cells(metres) > cells)
                throw Error(
                    fmt::format("{} {} m is more than {:.0f} cells of {} m", name, metres, cells, grid.cell));
        };
        require_at_most("radius", radius.high, largest_dome);
        require_at_most("band", band, farthest_middle);
        require_at_most("around-centre", around_centre, farthest_middle);
    }

    Reach reach(const Grid&) const { return Reach::point(); }

    Parts parts(const Grid&) const;

    void run(Work& work) const { raise(work, float(work.terrain().range_of(field).low), float(step)); }

    void raise(Work& work, float base, float scale) const {
        WorkTerrain& terrain = work.terrain();
        Interval radii = radius_in_cells(terrain.grid());
        const Domes domes(draw_circular_faults(terrain.grid(), faults, seed_for(seed, field), radii,
                                               {along, band, around_centre}),
                          radii, terrain.rect());
        if (along == Axis::none && band > 0) work.warn("--band changes nothing without --along");
        work.progress().expect(terrain.rect().cells() * int64_t(domes.batches.size()));
        terrain.set(field, raised(work, domes, base, scale));
    }

    Interval radius_in_cells(const Grid& grid) const {
        double quarter = std::min(grid.extent.width(), grid.extent.height()) / 4.0;
        if (radius.high == 0) return {quarter, quarter};
        return {grid.metres_to_cells(radius.low), grid.metres_to_cells(radius.high)};
    }

    static Field raised(Work& work, const Domes& domes, float base, float scale) {
        const Rect& rect = work.rect();
        Field height(rect);
        Field before;  // where faults come in batches
        BlockLists blocks(dome_block_width, dome_block_height);
        std::vector<int> listed;  // faults, block by block
        Rect strip = rect;
        for (; strip.top < rect.bottom; strip.top = strip.bottom) {
            strip.bottom = std::min(strip.top + domes.band_height, rect.bottom);
            for (const DomeBatch& batch : domes.batches) {
                blocks.begin(strip);
                for (size_t i = batch.begin; i < batch.end; i++)
                    blocks.add_circle(i, domes.faults[i].x, domes.faults[i].y, domes.faults[i].radius);
                blocks.close();
                listed.resize(blocks.entries());
                blocks.fill([&](size_t entry, size_t fault, int, int) { listed[entry] = int(fault); });
                const Field* so_far = nullptr;
                if (batch.begin > 0) {
                    if (before.empty()) before = Field(rect);
                    work.launch(kernel::copy, strip, {.part = height, .result = before});
                    so_far = &before;
                }
                // Until the last, sums are left as they are.
                bool last = batch.end == domes.faults.size();
                float from = last ? base : 0;
                float by = last ? scale : 1;
                if (const std::optional<DomeTable>& table = domes.table) {
                    work.launch(kernel::circular_faults_alike, strip,
                                {.before = so_far,
                                 .height = height,
                                 .list_begins = blocks.begins(),
                                 .list = listed,
                                 .fault_x = domes.x,
                                 .fault_y = domes.y,
                                 .dome = table->cells,
                                 .dome_rows = table->rows,
                                 .dome_columns = table->columns,
                                 .dome_middle = table->middle,
                                 .left = strip.left,
                                 .top = strip.top,
                                 .block_columns = blocks.columns(),
                                 .block_rows = dome_block_height,
                                 .base = from,
                                 .scale = by});
                } else {
                    work.launch(kernel::circular_faults, strip,
                                {.before = so_far,
                                 .height = height,
                                 .list_begins = blocks.begins(),
                                 .list = listed,
                                 .fault_x = domes.x,
                                 .fault_y = domes.y,
                                 .square = domes.square,
                                 .square_fraction = domes.square_fraction,
                                 .share = domes.share,
                                 .left = strip.left,
                                 .top = strip.top,
                                 .block_columns = blocks.columns(),
                                 .block_rows = dome_block_height,
                                 .base = from,
                                 .scale = by});
                }
            }
        }
        return height;
    }
};

// Heights in domes, to be stretched: metres would be rounded twice.
struct CountedDomes {
    CircularFaults domes;

    void describe(Declaration& d) const { domes.describe(d); }
    Reach reach(const Grid&) const { return Reach::point(); }
    void check(const Grid& grid) const { domes.check(grid); }
    void run(Work& work) const { domes.raise(work, 0, 1); }
};

Parts CircularFaults::parts(const Grid&) const {
    if (!normalise) return {};
    CircularFaults plain = *this;
    plain.normalise = false;
    return parts_of(std::make_unique<OperationOf<CountedDomes>>("circular-faults (counted)", "faulting",
                                                                CountedDomes{plain}),
                    operation_with("normalise", {{"field", field}}));
}

REGISTER_OPERATION("circular-faults", "faulting", CircularFaults);

}  // namespace

}  // namespace caprock
