#include "painting/surface.h"

#include "base/error.h"
#include "base/text.h"
#include "document/commands.h"
#include "kernels.h"
#include "operation/work.h"

#include <fmt/format.h>

namespace caprock {

namespace {

// Ground that is missing cannot be painted on; that nothing is known of its rock does not keep anybody from painting some.
Field zero_where_missing(Field cells) {
    if (statistics(cells).missing == 0) return cells;
    const Rect rect = cells.rect();
    Field::WritableRows rows = cells.writable_rows();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = 0; x < rect.width(); x++)
            if (is_missing(rows[y][x])) rows[y][x] = 0;
    return cells;
}

const Layer& paintable(const DocumentState& state, const PaintTarget& target) {
    const Layer& layer = layer_of(state, target.layer);
    if (layer.locked) throw Error(fmt::format("layer {} ('{}') is locked", layer.id, layer.name));
    if (target.mask) return layer;
    if (layer.kind != LayerKind::painted)
        throw Error(fmt::format(
            "layer {} ('{}') is {} and cannot be painted on; paint on its mask, or add a painted layer",
            layer.id, layer.name, kind_word(layer.kind)));
    if (layer.placement.moves())
        throw Error(fmt::format(
            "layer {} ('{}') has been moved, turned or scaled; rasterise it before it is painted on",
            layer.id, layer.name));
    std::string mode = blend_mode(layer);
    if (mode != "add" && mode != "lerp" && mode != "replace" && mode != "min" && mode != "max" &&
        mode != "smooth-min" && mode != "smooth-max" && mode != "multi-resolution")
        throw Error(
            fmt::format("layer {} ('{}') has the mode {}; painting needs add, lerp, replace, min or max",
                        layer.id, layer.name, mode));
    return layer;
}

}  // namespace

PaintSurface::PaintSurface(const Snapshot& snapshot, const PaintTarget& target, RunContext& context)
    : target_(target),
      field_(target.mask ? "mask" : target.field),
      plan_(snapshot),
      context_(context),
      evaluator_(context) {
    const DocumentState& state = *snapshot.state;
    const Layer& layer = paintable(state, target);
    int id = target.mask ? mask_canvas_of(state, target.layer) : canvas_of(state, target.layer, target.field);
    canvas_ = snapshot.canvas(id);
    if (canvas_.info.cell != state.grid.cell || canvas_.info.origin_x != 0 || canvas_.info.origin_y != 0)
        throw Error(
            fmt::format("layer {} ('{}') has cells of another size than the document; rasterise it first",
                        layer.id, layer.name));
    adds_ = !target.mask && blend_mode(layer) == "add";
    whole_only_ = is_index(field_);
    limits_ = quantity_of(field_).limits;
}

bool PaintSurface::limited() const { return !is_ground(field_); }

Field PaintSurface::below(const Rect& region) {
    const NodeField* there = plan_.below(target_.layer).find(field_);
    // What nobody has made yet is 0 everywhere.
    if (target_.mask || !there) return Field(region, 0.0f);
    Field cells = evaluator_.field(plan_, *there, region);
    return is_ground(field_) ? cells : zero_where_missing(std::move(cells));
}

Field PaintSurface::seen(const Rect& region, const Field& painted, const Field& below) {
    if (target_.mask) return painted;
    Terrain nothing(grid(), region);
    Progress unwatched;
    Field ground(region);
    Work(nothing, context_, unwatched)
        .launch(kernel::brush_ground, region,
                {.canvas = painted, .below = below, .ground = ground, .adds = adds_});
    return ground;
}

Field PaintSurface::seen(const Rect& region) {
    if (target_.mask) return painted(region);
    return seen(region, painted(region), below(region));
}

const NodeField* PaintSurface::maker_of(const std::string& field) const {
    const Scope& here = target_.mask ? plan_.below(target_.layer) : plan_.after(target_.layer);
    const NodeField* found = here.find(field);
    return found ? found : plan_.top().find(field);
}

bool PaintSurface::has(const std::string& field) const { return maker_of(field) != nullptr; }

Field PaintSurface::other(const std::string& field, const Rect& region) {
    return evaluator_.field(plan_, *maker_of(field), region);
}

}  // namespace caprock
