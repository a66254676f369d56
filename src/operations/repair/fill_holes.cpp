// Fills missing cells with the smoothest surface that fits the known ones.
#include "kernels.h"
#include "operation/operation.h"
#include "operations/repair/sheet.h"
#include "operations/repair/slope_length.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <tbb/parallel_for.h>

namespace caprock {

namespace {

enum class Method { harmonic, biharmonic };

// A plate alone does not know how to lie on a single row of known cells. A skin a hundred million times weaker makes it
// level then, and changes nothing where there is more to go by.
constexpr double weakest_skin = 1e-8;
constexpr int most_cycles[] = {30, 60};
// What it usually takes, for progress.
constexpr int usual_cycles[] = {12, 24};
// Of the first cycle's energy, as a length: what is left of an error.
constexpr double tolerance = 1e-7;

// What a field looks like: how high its known cells are, and its holes. Cells that are infinite are no use to go by, so
// they count as part of a hole, but stay.
class Holes {
  public:
    explicit Holes(const Field& field) : rect_(field.rect()) {
        across_ = (rect_.width() + side - 1) / side;
        int down = (rect_.height() + side - 1) / side;
        std::vector<Rect> unknown(size_t(across_) * size_t(down), nothing());
        Field::Rows rows = field.rows();
        for (int y = rect_.top; y < rect_.bottom; y++)
            for (int x = rect_.left; x < rect_.right; x++) {
                float value = rows[y][x - rect_.left];
                if (std::isfinite(value)) {
                    low_ = std::min(low_, double(value));
                    high_ = std::max(high_, double(value));
                } else {
                    Rect& box = unknown[block(x, y)];
                    box = united(box, {x, y, x + 1, y + 1});
                }
            }
        find_holes(unknown, down);
    }

    double low() const { return low_; }
    double span() const { return high_ - low_; }
    bool any_known() const { return low_ <= high_; }
    int count() const { return int(boxes_.size()); }
    // The unknown cells of a hole lie inside its box; those of others may too.
    const Rect& box(int hole) const { return boxes_[size_t(hole)]; }
    bool contains(int hole, int x, int y) const { return hole_of_[block(x, y)] == hole; }

  private:
    // Holes are told apart by blocks of so many cells: two that are further than a block from each other know nothing of
    // each other.
    static constexpr int side = 64;
    static constexpr int none = -1;

    static Rect nothing() { return {1 << 30, 1 << 30, -(1 << 30), -(1 << 30)}; }
    static Rect united(const Rect& a, const Rect& b) {
        return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
                std::max(a.bottom, b.bottom)};
    }
    size_t block(int x, int y) const {
        return size_t((y - rect_.top) / side) * size_t(across_) + size_t((x - rect_.left) / side);
    }

    void find_holes(const std::vector<Rect>& unknown, int down) {
        hole_of_.assign(unknown.size(), none);
        std::vector<size_t> open;
        for (size_t first = 0; first < unknown.size(); first++) {
            auto take = [&](size_t block) {
                if (unknown[block].empty() || hole_of_[block] != none) return;
                hole_of_[block] = count() - 1;
                boxes_.back() = united(boxes_.back(), unknown[block]);
                open.push_back(block);
            };
            if (unknown[first].empty() || hole_of_[first] != none) continue;
            boxes_.push_back(nothing());
            take(first);
            while (!open.empty()) {
                int x = int(open.back() % size_t(across_));
                int y = int(open.back() / size_t(across_));
                open.pop_back();
                for (int v = std::max(y - 1, 0); v <= std::min(y + 1, down - 1); v++)
                    for (int u = std::max(x - 1, 0); u <= std::min(x + 1, across_ - 1); u++)
                        take(size_t(v) * size_t(across_) + size_t(u));
            }
        }
    }

    Rect rect_;
    int across_ = 0;
    double low_ = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
    std::vector<int> hole_of_;  // which one each block has a part of
    std::vector<Rect> boxes_;
};

struct FillHoles {
    Method method = Method::biharmonic;
    double tension = 0.5;
    std::string field = "all";

    void describe(Declaration& d) const {
        d.summary("fills missing cells with the smoothest surface that fits the known ones");
        d.choice("method", method, {"harmonic", "biharmonic"})
            .help(
                "harmonic: like a skin across the hole, within the heights of its rim; biharmonic: like a "
                "bent plate, slopes go on");
        d.number("tension", tension)
            .range(0, 1)
            .help(
                "biharmonic: how hard the plate is pulled at its rims; 0: slopes go on however far; 1: as "
                "harmonic");
        d.field("field", field).help("field to fill; all: every field");
        d.changes(field == "all" ? "height" : field);
        if (field == "all") d.changes_every_field();
        d.fills_missing();
        d.works_with(15);  // the surface in doubles, and what its solver keeps
    }

    Reach reach(const Grid&) const { return Reach::whole(); }

    void run(Work& work) const {
        WorkTerrain& terrain = work.terrain();
        const std::vector<std::string> names =
            field == "all" ? terrain.names() : std::vector<std::string>{field};
        work.progress().expect(int64_t(names.size()) * terrain.rect().cells() *
                               (2 + usual_cycles[int(method)]));
        for (const std::string& name : names) {
            const Field before = terrain.field(name);
            uint64_t holes = work.fold(kernel::count_missing, before.rect(), {.field = before}).cells;
            if (holes == 0) continue;
            if (holes == uint64_t(before.rect().cells())) {
                work.warn(fmt::format("fill-holes: '{}' has no known cell to go by and stays missing", name));
                continue;
            }
            terrain.set(name, filled(before, work));
        }
    }

    Field filled(const Field& before, Work& work) const {
        Field filling;
        work.on_host([&] { filling = surface(before, Holes(before), work.progress()); });
        Field result = before;
        work.launch(kernel::fill_holes, before.rect(), {.filling = filling, .field = result});
        return result;
    }

    Field surface(const Field& before, const Holes& holes, Progress& progress) const {
        // All known cells are the same, or nothing but infinite ones are known.
        if (!(holes.span() > 0))
            return Field(before.rect(), holes.any_known() ? float(holes.low()) : missing);
        const SheetEnergy energy = energy_for(before, holes);
        Field result = before.copied();
        Field::WritableRows to = result.writable_rows();
        Field::Rows from = before.rows();
        tbb::parallel_for(0, holes.count(), [&](int hole) {
            // Two known cells on each side are as far as differences reach.
            Rect box = holes.box(hole).expanded(2).intersected(before.rect());
            settle(holes, hole, energy, box, before.rect(), from, to, progress);
        });
        return result;
    }

    // Half the tension makes a plate over ways shorter than the land's slopes, a skin over longer ones: a slope goes on
    // for as long as slopes do on this land, whatever its cells and its heights.
    SheetEnergy energy_for(const Field& before, const Holes& holes) const {
        if (method == Method::harmonic || tension == 1) return {0, 1};
        double length = tension > 0 ? slope_length(before, holes.low()) : 1;
        return {1 - tension, std::max(tension / (length * length), (1 - tension) * weakest_skin)};
    }

    // Computed with the known heights as 0 to 1: then all numbers are of a size that floats can hold.
    void settle(const Holes& holes, int hole, const SheetEnergy& energy, const Rect& box, const Rect& rect,
                const Field::Rows& from, const Field::WritableRows& to, Progress& progress) const {
        size_t width = size_t(box.width());
        auto cell = [&](int x, int y) { return size_t(y - box.top) * width + size_t(x - box.left); };
        std::vector<uint8_t> unknown(size_t(box.cells()));
        std::vector<double> at(size_t(box.cells()), 0.5);
        for (int y = box.top; y < box.bottom; y++)
            for (int x = box.left; x < box.right; x++) {
                float value = from[y][x - rect.left];
                if (std::isfinite(value)) {
                    at[cell(x, y)] = (double(value) - holes.low()) / holes.span();
                } else {
                    unknown[cell(x, y)] = holes.contains(hole, x, y) ? 1 : 0;
                }
            }
        progress.advance(box.cells());
        settle_sheet(
            box, energy, unknown, at, most_cycles[int(method)], tolerance,
            [&] { progress.advance(box.cells()); }, [&] { progress.check(); });
        constexpr double largest = std::numeric_limits<float>::max();
        for (int y = box.top; y < box.bottom; y++)
            for (int x = box.left; x < box.right; x++)
                if (unknown[cell(x, y)] != 0) {
                    double value = holes.low() + holes.span() * at[cell(x, y)];
                    to[y][x - rect.left] = float(std::clamp(value, -largest, largest));
                }
    }
};

REGISTER_OPERATION("fill-holes", "repair", FillHoles);

}  // namespace

}  // namespace caprock
