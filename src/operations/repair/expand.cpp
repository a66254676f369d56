// Expansion (Frontier §5.2): spreads points apart, for what lies between to be filled in.
#include "base/error.h"
#include "kernels.h"
#include "operation/operation.h"

#include <fmt/format.h>

namespace caprock {

namespace {

struct Expand {
    int power = 2;
    bool keep_area = false;

    void describe(Declaration& d) const {
        d.summary("spreads the points of all fields apart; the cells between are missing");
        d.source("Frontier, section 5.2");
        d.integer("power", power)
            .range(1, 6)
            .slider(1, 3)
            .help("n: neighbours come to lie 2^n cells from each other");
        d.flag("keep-area", keep_area)
            .help("make cells finer and leave the land as large as it is, instead of making it larger");
        d.changes("height");
        d.changes_every_field();
        d.makes_missing();
        d.works_with(2);  // a field on its way to the result, and the result
    }

    int factor() const { return 1 << power; }

    static Rect doubled(const Rect& r) { return {2 * r.left, 2 * r.top, 2 * r.right - 1, 2 * r.bottom - 1}; }

    Grid grid_after(const Grid& grid) const {
        Grid larger = grid;
        for (int i = 0; i < power; i++) larger.extent = doubled(larger.extent);
        if (keep_area) larger.cell /= factor();
        return larger;
    }

    void check(const Grid& grid) const {
        auto after = [&](int side) { return int64_t(side - 1) * factor() + 1; };
        int64_t width = after(grid.extent.width());
        int64_t height = after(grid.extent.height());
        if (width > largest_side || height > largest_side)
            throw Error(fmt::format("power {}: {}x{} cells would become {}x{}, more than {} a side", power,
                                    grid.extent.width(), grid.extent.height(), width, height, largest_side));
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        const WorkTerrain& before = work.terrain();
        Terrain after(grid_after(before.grid()));
        const std::vector<std::string> names = before.names();
        // Each doubling writes four times what the one before it wrote.
        work.progress().expect(int64_t(double(after.rect().cells()) * double(names.size()) * 4 / 3));
        for (const std::string& name : names) {
            Field field = before.field(name);
            for (int i = 0; i < power; i++) {
                const Field coarser = std::move(field);
                field = Field(doubled(coarser.rect()));
                work.launch_around(1, kernel::expand_double, field.rect(),
                                   {.field = coarser, .result = field});
            }
            after.set(name, std::move(field));
        }
        work.replace_terrain(std::move(after));
    }

    // The middle of the first cell stays where it is, and with finer cells that of every other point too.
    Georeference georeference_after(Georeference georeference) const {
        if (!keep_area) return georeference;
        auto& t = georeference.transform;
        double lost = (1 - 1.0 / factor()) / 2;
        t[0] += lost * (t[1] + t[2]);
        t[3] += lost * (t[4] + t[5]);
        for (int i : {1, 2, 4, 5}) t[i] /= factor();
        return georeference;
    }
};

REGISTER_OPERATION("expand", "repair", Expand);

}  // namespace

}  // namespace caprock
