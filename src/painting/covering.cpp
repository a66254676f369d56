// All dabs together, as one mask, through which a target comes in: an operation's result on the ground as it was before the
// stroke, what lies below the layer, or a copy of another place. The causes between dabs collapse (Editor 8.4), so
// that the dearest operation runs once for a tile.
#include "base/error.h"
#include "kernels.h"
#include "operation/evaluate.h"
#include "painting/application.h"

#include <cmath>

namespace caprock {

namespace {

class Covering : public Application {
  public:
    using Towards = BrushSettings::Towards;

    Covering(const Brush& brush, PaintSurface& surface, RunContext& context, const PenSample& start,
             uint32_t seed)
        : Application(brush, surface, context, start, seed) {
        const BrushSettings& settings = brush.settings;
        if (settings.towards == Towards::copy) {
            double cell = surface.grid().cell;
            copy_x_ = int(std::lround((settings.from[0] - start.x) / cell));
            copy_y_ = int(std::lround((settings.from[1] - start.y) / cell));
        }
        bool sees_all = settings.towards == Towards::operation &&
                        operation_->reach(surface.grid()).kind() == Reach::Kind::whole;
        if (brush.blend) {
            blend_ = operation_on(*brush.blend, surface.field());
            blend_halo_ = blend_->reach(surface.grid()).halo().value_or(0);
        }
        whole_stroke_ = sees_all || brush.bound_to(BrushSource::path) || blend_;
    }

    void apply(std::span<const Dab> dabs, const std::vector<PenSample>& line) override {
        if (whole_stroke_) {
            cover_all(dabs, line);
            return;
        }
        for (const Share& share : shares(dabs)) {
            StrokeTile& here = tile(share.index);
            Field& dosed = dose(share.index, here);
            const LaidDabs laid = laid_dabs(share.cells, share.dabs);
            if (brush_.settings.towards == Towards::below && !surface_.mask()) {
                work_.launch(kernel::brush_erase, share.cells,
                             {.dose = dosed,
                              .canvas = here.canvas,
                              .below = below(share.index, here),
                              .result = result(here),
                              .dabs = laid.table,
                              .curve = curve_,
                              .tip = laid.tip,
                              .origin_x = laid.origin_x,
                              .origin_y = laid.origin_y,
                              .adds = surface_.adds(),
                              .whole_only = surface_.whole_only()});
                changed(share.cells);
                continue;
            }
            const Field& seen = before(share.index, here);
            if (here.target.empty()) here.target = target(part(share.index), line);
            Field& now = ground(share.index, here);
            work_.launch(kernel::brush_cover, share.cells,
                         {.dose = dosed,
                          .before = seen,
                          .target = here.target,
                          .after = now,
                          .dabs = laid.table,
                          .curve = curve_,
                          .tip = laid.tip,
                          .origin_x = laid.origin_x,
                          .origin_y = laid.origin_y,
                          .whole_only = surface_.whole_only()});
            show(share.index, here, share.cells);
        }
    }

  private:
    // In cells whose target does not depend on how far the stroke has come.
    Field target(const Rect& cells, const std::vector<PenSample>& line) {
        switch (brush_.settings.towards) {
            case Towards::below:
                return surface_.below(cells);
            case Towards::copy:
                return copy_of(cells);
            case Towards::operation:
                break;
        }
        std::unique_ptr<Operation> operation = bound(nullptr, line);
        int halo = operation->reach(surface_.grid()).halo().value_or(0);
        Rect window = cells.expanded(halo).intersected(surface_.extent());
        return made(*operation, cells, window, surface_.seen(window)).field(surface_.field());
    }

    Field copy_of(const Rect& cells) {
        if (brush_.copied) return brush_.copied(cells.moved(copy_x_, copy_y_)).moved(-copy_x_, -copy_y_);
        Rect from = cells.moved(copy_x_, copy_y_);
        Rect there = from.intersected(surface_.extent());
        Field made = blank(from, missing);
        if (!there.empty()) {
            const Field source = surface_.seen(there);
            work_.launch(kernel::copy, there, {.part = source, .result = made});
        }
        return made.moved(-copy_x_, -copy_y_);
    }

    // Every portion makes all of it anew: the end of a road decides its beginning.
    void cover_all(std::span<const Dab> dabs, const std::vector<PenSample>& line) {
        for (const Share& share : shares(dabs)) {
            StrokeTile& here = tile(share.index);
            const LaidDabs laid = laid_dabs(share.cells, share.dabs);
            work_.launch(kernel::brush_dose, share.cells,
                         {.dose = dose(share.index, here),
                          .dabs = laid.table,
                          .curve = curve_,
                          .tip = laid.tip,
                          .origin_x = laid.origin_x,
                          .origin_y = laid.origin_y});
        }
        for (const Dab& dab : dabs) {
            Rect cells = dab.cells().intersected(surface_.extent());
            touched_ = touched_.united(cells);
        }
        // A click has no path, but it is a dab.
        if (touched_.empty() || (line.size() < 2 && brush_.bound_to(BrushSource::path))) return;
        Rect cells = touched_.expanded(blend_halo_).intersected(surface_.extent());
        // What sees everything sees a little more than the stroke.
        int margin = std::max(8, int(brush_.settings.radius / surface_.grid().cell));
        Rect window = cells.expanded(margin + blend_halo_).intersected(surface_.extent());
        const Field seen = surface_.seen(window);
        Field wanted = brush_.settings.towards == Towards::operation
                           ? made(*bound(nullptr, line), window, window, seen).field(surface_.field())
                           : target(window, line);
        Field mask = blank(window, 0);
        for (auto& [index, here] : tiles_) {
            if (here.dose.empty()) continue;
            work_.launch(kernel::brush_mask, here.dose.rect().intersected(window),
                         {.dose = here.dose, .mask = mask});
        }
        Terrain all(surface_.grid(), window);
        all.set(surface_.field(), seen);
        all.set(blend_source_name, wanted);
        all.set(blend_mask_name, mask);
        std::unique_ptr<Operation> blend =
            blend_ ? blend_->clone() : operation_on(*operation_with("blend"), surface_.field());
        blend->set("mask", std::string(blend_mask_name));
        blend->set("source", std::string(blend_source_name));
        if (!blend_ && surface_.whole_only()) blend->set_text("mode", "replace");
        const Field after = evaluate(*blend, all, cells, context_).field(surface_.field());
        for (const TileIndex& index : tiles_over(cells)) {
            StrokeTile& here = tile(index);
            Rect touched = cells.intersected(part(index));
            work_.launch(kernel::copy, touched, {.part = after, .result = ground(index, here)});
            show(index, here, touched);
        }
    }

    int copy_x_ = 0;  // from the place that is painted to the one that is copied
    int copy_y_ = 0;
    bool whole_stroke_ = false;
    std::unique_ptr<Operation> blend_;
    int blend_halo_ = 0;
    Rect touched_;
};

}  // namespace

std::unique_ptr<Application> make_covering(const Brush& brush, PaintSurface& surface, RunContext& context,
                                           const PenSample& start, uint32_t seed) {
    return std::make_unique<Covering>(brush, surface, context, start, seed);
}

}  // namespace caprock
