// Fills missing cells with the smoothest surface that fits the known ones.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/repair/sheet.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace caprock {

namespace {

enum class Method { harmonic, biharmonic };

// A plate alone does not know how to lie on a single row of known cells. A skin a hundred million times weaker makes it
// level then, and changes nothing where there is more to go by.
constexpr SheetEnergy energies[] = {{0, 1}, {1, 1e-8}};
constexpr int most_cycles[] = {30, 60};
// Of the first cycle's energy, as a length: what is left of an error.
constexpr double tolerance = 1e-7;

// The known cells, told in one look.
struct Known {
    int64_t count = 0;
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    Rect holes;  // around all missing cells

    explicit Known(const Field& field) {
        const Rect& rect = field.rect();
        holes = {rect.right, rect.bottom, rect.left, rect.top};
        Field::Rows rows = field.rows();
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) {
                float value = rows[y][x - rect.left];
                if (is_missing(value)) {
                    holes = {std::min(holes.left, x), std::min(holes.top, y), std::max(holes.right, x + 1),
                             std::max(holes.bottom, y + 1)};
                } else if (std::isfinite(value)) {
                    count++;
                    low = std::min(low, double(value));
                    high = std::max(high, double(value));
                }
            }
    }
};

struct FillHoles {
    Method method = Method::biharmonic;
    std::string field = "all";

    void describe(Declaration& d) {
        d.summary("fills missing cells with the smoothest surface that fits the known ones");
        d.choice("method", method, {"harmonic", "biharmonic"})
            .help(
                "harmonic: like a skin across the hole, never above or below its rim; biharmonic: like a "
                "bent plate, "
                "slopes go on across the rim");
        d.field("field", field).help("field to fill; all: every field");
        d.changes(field == "all" ? "height" : field);
        d.fills_missing();
        d.works_with(15);  // the surface in doubles, and what its solver keeps
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        Terrain& terrain = work.terrain();
        const std::vector<std::string> names =
            field == "all" ? terrain.names() : std::vector<std::string>{field};
        work.progress().expect(int64_t(names.size()) * terrain.rect().cells() *
                               (2 + most_cycles[int(method)]));
        for (const std::string& name : names) {
            const Field before = terrain.field(name);
            uint64_t holes = work.fold(kernel::count_missing, before.rect(), before)[0].sum;
            if (holes == 0) continue;
            if (holes == uint64_t(before.rect().cells())) {
                work.warn(fmt::format("fill-holes: '{}' has no known cell to go by and stays missing", name));
                continue;
            }
            terrain.set(name, filled(before, work));
        }
    }

    Field filled(const Field& before, Work& work) const {
        const Known known(before);
        // Two known cells on each side are as far as differences reach.
        const Rect box = known.holes.expanded(2).intersected(before.rect());
        const Field filling = surface(before, known, box, work.progress());
        Field result = before;
        work.launch(kernel::fill_holes, box, filling, result);
        return result;
    }

    // Computed with the known heights as 0 to 1: then all numbers are of a size that floats can hold.
    Field surface(const Field& before, const Known& known, const Rect& box, Progress& progress) const {
        double span = known.high - known.low;
        // Nothing but infinite cells is known, or all known cells are the same.
        if (!(span > 0)) return Field(box, known.count > 0 ? float(known.low) : missing);
        size_t width = size_t(box.width());
        std::vector<uint8_t> unknown(size_t(box.cells()));
        std::vector<double> at(size_t(box.cells()), 0.5);
        Field::Rows rows = before.rows();
        for (int y = box.top; y < box.bottom; y++)
            for (int x = box.left; x < box.right; x++) {
                float value = rows[y][x - before.rect().left];
                size_t cell = size_t(y - box.top) * width + size_t(x - box.left);
                if (std::isfinite(value)) {
                    at[cell] = (double(value) - known.low) / span;
                } else {
                    unknown[cell] = 1;
                }
            }
        progress.advance(box.cells());
        settle_sheet(box, energies[int(method)], unknown, at, most_cycles[int(method)], tolerance,
                     [&] { progress.advance(box.cells()); });
        Field result(box);
        Field::WritableRows to = result.writable_rows();
        constexpr double largest = std::numeric_limits<float>::max();
        for (int y = box.top; y < box.bottom; y++)
            for (int x = 0; x < box.width(); x++) {
                double value = known.low + span * at[size_t(y - box.top) * width + size_t(x)];
                to[y][x] = float(std::clamp(value, -largest, largest));
            }
        return result;
    }
};

REGISTER_OPERATION("fill-holes", "repair", FillHoles);

}  // namespace

}  // namespace caprock
