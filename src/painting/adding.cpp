// Dabs that add up (class 1 of Editor 8.1): what a generator makes, times what the dabs have laid down. The dose of a
// stroke is kept by itself, and the result made of it and of what was there before the stroke: no order, portion or tile
// has a part in it.
#include "kernels.h"
#include "painting/application.h"

#include <cfloat>
#include <cmath>

namespace caprock {

namespace {

class Adding : public Application {
  public:
    Adding(const Brush& brush, PaintSurface& surface, RunContext& context, const PenSample& start,
           uint32_t seed)
        : Application(brush, surface, context, start, seed),
          by_dab_(differs_by_dab() || operation_->reach(surface.grid()).kind() == Reach::Kind::whole) {}

    void apply(std::span<const Dab> dabs, const std::vector<PenSample>& line) override {
        if (by_dab_) {
            add_own(dabs, line);
            return;
        }
        for (const Share& share : shares(dabs)) {
            StrokeTile& here = tile(share.index);
            if (here.target.empty()) here.target = target(share.index, line);
            add(share, here, &here.target, share.dabs);
        }
    }

  private:
    Field target(const TileIndex& index, const std::vector<PenSample>& line) {
        auto [origin_x, origin_y] = origin(nullptr);
        return generated(*bound(nullptr, line), part(index), brush_.settings.range, origin_x, origin_y,
                         surface_.extent());
    }

    // The cell that the operation takes for (0, 0).
    std::pair<int, int> origin(const Dab* dab) const {
        double cell = surface_.grid().cell;
        switch (brush_.settings.coordinates) {
            case BrushSettings::Coordinates::world:
                break;
            case BrushSettings::Coordinates::stroke:
                return {int(std::lround(start_.x / cell)), int(std::lround(start_.y / cell))};
            case BrushSettings::Coordinates::dab:
                if (dab) return {int(std::lround(dab->x)), int(std::lround(dab->y))};
        }
        return {0, 0};
    }

    // Every dab has a field of its own: its share of the dose is weighed by it at once.
    void add_own(std::span<const Dab> dabs, const std::vector<PenSample>& line) {
        for (const Dab& dab : dabs) {
            Rect cells = dab.cells().intersected(surface_.extent());
            if (cells.empty()) continue;
            auto [origin_x, origin_y] = origin(&dab);
            const Field own =
                generated(*bound(&dab, line), cells, brush_.settings.range, origin_x, origin_y, dab.cells());
            for (const Share& share : shares({&dab, 1})) {
                StrokeTile& here = tile(share.index);
                const LaidDabs laid = laid_dabs(share.cells, share.dabs);
                work_.launch(kernel::brush_add_own, share.cells,
                             {.dose = dose(share.index, here),
                              .added = own,
                              .dabs = laid.table,
                              .curve = curve_,
                              .tip = laid.tip,
                              .origin_x = laid.origin_x,
                              .origin_y = laid.origin_y});
            }
        }
        for (const Share& share : shares(dabs)) add(share, tile(share.index), nullptr, {});
    }

    void add(const Share& share, StrokeTile& here, const Field* added, std::span<const Dab> dabs) {
        Field& dosed = dose(share.index, here);
        const LaidDabs laid = laid_dabs(share.cells, dabs);
        auto scale = float(brush_.settings.strength);
        // What is added to what lies below needs no look at it.
        if (surface_.adds() && !surface_.limited()) {
            work_.launch(kernel::brush_add, share.cells,
                         {.dose = dosed,
                          .before = here.canvas,
                          .added = added,
                          .after = result(here),
                          .dabs = laid.table,
                          .curve = curve_,
                          .tip = laid.tip,
                          .origin_x = laid.origin_x,
                          .origin_y = laid.origin_y,
                          .scale = scale,
                          .blank_is_zero = true,
                          .low = -FLT_MAX,
                          .high = FLT_MAX});
            changed(share.cells);
            return;
        }
        const Field& seen = before(share.index, here);
        Field& now = ground(share.index, here);
        Interval limits = surface_.limits();
        work_.launch(kernel::brush_add, share.cells,
                     {.dose = dosed,
                      .before = seen,
                      .added = added,
                      .after = now,
                      .dabs = laid.table,
                      .curve = curve_,
                      .tip = laid.tip,
                      .origin_x = laid.origin_x,
                      .origin_y = laid.origin_y,
                      .scale = scale,
                      .blank_is_zero = false,
                      .low = float(limits.low),
                      .high = float(limits.high)});
        show(share.index, here, share.cells);
    }

    bool by_dab_;
};

}  // namespace

std::unique_ptr<Application> make_adding(const Brush& brush, PaintSurface& surface, RunContext& context,
                                         const PenSample& start, uint32_t seed) {
    return std::make_unique<Adding>(brush, surface, context, start, seed);
}

}  // namespace caprock
