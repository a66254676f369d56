// Dab after dab, each on what the one before has left (classes 2 and 3 of Editor 8.1). The cells around a portion of dabs
// are brought together from the tiles, worked on as one field, and put back: no tile sees another half done.
#include "kernels.h"
#include "painting/application.h"

#include <algorithm>

namespace caprock {

namespace {

// Dabs are taken together while what they need is not larger.
constexpr int64_t most_cells = 4 << 20;

class OneByOne : public Application {
  public:
    OneByOne(const Brush& brush, PaintSurface& surface, RunContext& context, const PenSample& start,
             uint32_t seed)
        : Application(brush, surface, context, start, seed) {
        for (const std::string& name : operation_->fields().outputs)
            if (name != surface.field()) others_.push_back(name);
    }

    void apply(std::span<const Dab> dabs, const std::vector<PenSample>& line) override {
        if (!surface_.whole_only() && operation_->reach(surface_.grid()).kind() == Reach::Kind::point &&
            operation_->dab_kernel(surface_.grid()).kernel) {
            cell_by_cell(dabs, line);
            return;
        }
        size_t first = 0;
        while (first < dabs.size()) {
            size_t last = first;
            Rect window;
            while (last < dabs.size()) {
                Rect with = window.united(window_of(dabs[last]));
                if (last > first && with.cells() > most_cells) break;
                window = with;
                last++;
            }
            if (!window.empty()) work_on(dabs.subspan(first, last - first), window, line);
            first = last;
        }
    }

  private:
    // Class 2: no cell looks at another, so that a tile takes all its dabs in one launch.
    void cell_by_cell(std::span<const Dab> dabs, const std::vector<PenSample>& line) {
        std::map<uint32_t, DabKernel> kernels;
        for (const Dab& dab : dabs) kernels[dab.number] = bound(&dab, line)->dab_kernel(surface_.grid());
        for (const Share& share : shares(dabs)) {
            StrokeTile& here = tile(share.index);
            Field& now = ground(share.index, here);
            std::vector<float> values;
            for (const Dab& dab : share.dabs) {
                const std::vector<float>& own = kernels.at(dab.number).values;
                values.insert(values.end(), own.begin(), own.end());
            }
            const LaidDabs laid = laid_dabs(share.cells, share.dabs);
            const Argument tip = laid.tip ? Argument(laid.tip->plane()) : Argument(nullptr);
            // Whose kernel it is is known only now; they all have these parameters (DabKernel).
            const Argument arguments[] = {now.plane(),   laid.table,    curve_, tip,
                                          laid.origin_x, laid.origin_y, values};
            work_.launch_with(arguments, 0, *kernels.at(share.dabs.front().number).kernel, share.cells);
            show(share.index, here, share.cells);
        }
    }

    // What the operation sees of the ground: as far as it reaches, but simulations and what sees everything no further than
    // the dab's own size beyond its rim.
    Rect window_of(const Dab& dab) const {
        Rect cells = dab.cells().intersected(surface_.extent());
        if (cells.empty()) return {};
        bool bounded = operation_->reach(surface_.grid()).kind() == Reach::Kind::area;
        int most = bounded ? largest_side : std::max(8, int(dab.radius));
        // A bound parameter may reach further than the operation's own.
        if (brush_.bound() && bounded) most = std::max(8, int(dab.radius) + 4);
        int halo = operation_->reach(surface_.grid()).halo().value_or(most);
        if (brush_.bound() && bounded) halo = std::max(halo, most);
        return cells.expanded(std::min(halo, most)).intersected(surface_.extent());
    }

    void work_on(std::span<const Dab> dabs, const Rect& window, const std::vector<PenSample>& line) {
        Field whole(window);
        for (const TileIndex& index : tiles_over(window)) {
            StrokeTile& here = tile(index);
            const Field& now = here.ground.empty() ? before(index, here) : here.ground;
            work_.launch(kernel::copy, part(index).intersected(window), {.part = now, .result = whole});
        }
        std::map<std::string, Field> others;
        for (const std::string& name : others_) others[name] = gathered(name, window);
        Rect touched;
        for (const Dab& dab : dabs) {
            Rect cells = dab.cells().intersected(surface_.extent());
            if (cells.empty()) continue;
            std::unique_ptr<Operation> operation = bound(&dab, line);
            Rect needed = window_of(dab);
            const Terrain result = made(*operation, cells, needed, whole, others);
            mix(dab, cells, result.field(surface_.field()), whole, surface_.whole_only());
            for (auto& [name, field] : others)
                if (result.has(name)) mix(dab, cells, result.field(name), field, false);
            touched = touched.united(cells);
        }
        for (const TileIndex& index : tiles_over(touched)) {
            StrokeTile& here = tile(index);
            Rect cells = part(index).intersected(touched);
            work_.launch(kernel::copy, cells, {.part = whole, .result = ground(index, here)});
            show(index, here, cells);
        }
        for (auto& [name, field] : others) scatter(name, field, touched);
    }

    void mix(const Dab& dab, const Rect& cells, const Field& target, Field& into, bool whole_only) {
        const LaidDabs laid = laid_dabs(cells, {&dab, 1});
        work_.launch(kernel::brush_mix, cells,
                     {.ground = into,
                      .target = target,
                      .dabs = laid.table,
                      .curve = curve_,
                      .tip = laid.tip,
                      .origin_x = laid.origin_x,
                      .origin_y = laid.origin_y,
                      .whole_only = whole_only});
    }

    // ---- fields that live as long as the stroke does: water and what it carries ----
    Field gathered(const std::string& name, const Rect& window) {
        Field all = blank(window, 0);
        for (const TileIndex& index : tiles_over(window)) {
            auto found = passing_.find({name, index});
            Rect cells = part(index).intersected(window);
            if (found != passing_.end()) {
                const Field& there = found->second;
                work_.launch(kernel::copy, cells, {.part = there, .result = all});
            }
        }
        return all;
    }
    void scatter(const std::string& name, const Field& field, const Rect& touched) {
        for (const TileIndex& index : tiles_over(touched)) {
            Field& there = passing_[{name, index}];
            if (there.empty()) there = blank(part(index), 0);
            work_.launch(kernel::copy, part(index).intersected(touched), {.part = field, .result = there});
        }
    }

    std::vector<std::string> others_;
    std::map<std::pair<std::string, TileIndex>, Field> passing_;
};

}  // namespace

std::unique_ptr<Application> make_one_by_one(const Brush& brush, PaintSurface& surface, RunContext& context,
                                             const PenSample& start, uint32_t seed) {
    return std::make_unique<OneByOne>(brush, surface, context, start, seed);
}

}  // namespace caprock
