// Decimation (Frontier §5.1): takes points away, as gaps in real data do.
#include "kernels.h"
#include "operation/operation.h"

#include <bit>
#include <cmath>

namespace caprock {

namespace {

// The cells in the order of their rank, cells of one rank row by row, up to and with this one.
struct Last {
    uint32_t rank = 0;
    int x = 0;
    int y = 0;
};

struct Decimate {
    double fraction = 0.5;
    bool keep_edges = false;
    uint32_t seed = 1;

    void describe(Declaration& d) const {
        d.summary("takes points away from all fields, so that something is left to be filled in");
        d.source("Frontier, section 5.1");
        d.number("fraction", fraction).range(0, 1).help("of the points with a known height: how many go");
        d.flag("keep-edges", keep_edges)
            .help("rather keep points with a strong Sobel response: cliffs, ridges, banks");
        d.seed("seed", seed).help("another seed, other points");
        d.changes("height");
        d.changes_every_field();
        d.makes_missing();
        d.works_with(2);  // the ranks, and the result
    }

    // Which cells go depends on the ranks of all.
    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const Rect& rect = terrain.rect();
        const std::vector<std::string> names = terrain.names();
        work.progress().expect(rect.cells() * int64_t(4 + names.size()));
        const Field height = terrain.height();
        int64_t known =
            rect.cells() - int64_t(work.fold(kernel::count_missing, rect, {.field = height}).cells);
        int64_t count = int64_t(std::floor(fraction * double(known) + 0.5));
        if (count == 0) return;
        Field ranks(rect);
        work.launch_around(1, kernel::decimate_rank, rect,
                           {.height = height, .rank = ranks, .seed = seed, .keep_edges = int(keep_edges)});
        Last last = last_of(count, ranks, height, work.progress());
        for (const std::string& name : names) {
            const Field& field = terrain.field(name);
            Field result(rect);
            work.launch(kernel::decimate_remove, rect,
                        {.field = field,
                         .height = height,
                         .rank = ranks,
                         .result = result,
                         .last_rank = last.rank,
                         .last_x = last.x,
                         .last_y = last.y});
            terrain.set(name, std::move(result));
        }
    }

    // Where the first `count` known cells end: by counting upper halves of ranks, then lower halves, then the cells of
    // the one rank that is left.
    static Last last_of(int64_t count, const Field& rank, const Field& height, Progress& progress) {
        std::vector<int64_t> cells(1 << 16);
        visit(rank, height, [&](uint32_t r, int, int) { cells[r >> 16]++; });
        progress.advance(rank.rect().cells());
        uint32_t upper = bin_of(count, cells);

        cells.assign(1 << 16, 0);
        visit(rank, height, [&](uint32_t r, int, int) {
            if (r >> 16 == upper) cells[r & 0xffff]++;
        });
        progress.advance(rank.rect().cells());
        Last last;
        last.rank = upper << 16 | bin_of(count, cells);

        visit(rank, height, [&](uint32_t r, int x, int y) {
            if (r != last.rank || count-- != 1) return;
            last.x = x;
            last.y = y;
        });
        return last;
    }

    // The bin in which the cell number `count` lies; what is left is its number there.
    static uint32_t bin_of(int64_t& count, const std::vector<int64_t>& cells) {
        uint32_t bin = 0;
        while (count > cells[bin]) count -= cells[bin++];
        return bin;
    }

    template <typename Visit>
    static void visit(const Field& rank, const Field& height, const Visit& visit) {
        const Rect& rect = rank.rect();
        Field::Rows ranks = rank.rows();
        Field::Rows heights = height.rows();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int i = 0; i < rect.width(); i++)
                if (!is_missing(heights[y][i])) visit(std::bit_cast<uint32_t>(ranks[y][i]), rect.left + i, y);
    }
};

REGISTER_OPERATION("decimate", "repair", Decimate);

}  // namespace

}  // namespace caprock
