// What a stroke is painted on: a field of a painted layer, or the mask of any layer, with what lies below it.
#pragma once

#include "document/plan.h"
#include "graph/evaluator.h"

#include <functional>
#include <string>
#include <vector>

namespace caprock {

struct PaintTarget {
    int layer = 0;
    std::string field = "height";  // of a painted layer
    bool mask = false;             // the layer's mask instead
    // Adds the layer where there is none yet, as a part of the stroke: it has the number from above then.
    std::function<void(Edit&)> prepare = {};
};

// As it was when the stroke began: strokes do not look at their own results here.
class PaintSurface {
  public:
    // Throws Error where there is nothing to paint on, and says what would be right.
    PaintSurface(const Snapshot& snapshot, const PaintTarget& target, RunContext& context);

    int canvas() const { return canvas_.info.id; }
    int layer() const { return target_.layer; }
    // As operations know it; "mask" for a mask.
    const std::string& field() const { return field_; }
    const Grid& grid() const { return plan_.grid(); }
    const Rect& extent() const { return plan_.grid().extent; }
    bool mask() const { return target_.mask; }
    // Painted cells are added to what lies below; otherwise they stand in its place.
    bool adds() const { return adds_; }
    // Values between two values mean nothing: indices.
    bool whole_only() const { return whole_only_; }
    const Interval& limits() const { return limits_; }
    bool limited() const;

    bool has_tile(const TileIndex& index) const { return canvas_.tiles->find(index) != nullptr; }
    float blank() const { return canvas_.info.blank; }
    // Regions lie inside the extent.
    Field painted(const Rect& region) const { return canvas_.read(region); }
    Field below(const Rect& region);
    Field seen(const Rect& region, const Field& painted, const Field& below);
    Field seen(const Rect& region);
    bool has(const std::string& field) const;
    // Another field, as it is above the layer, or on top of all where only layers above make it: rock that was hardened
    // after the layer was painted on.
    Field other(const std::string& field, const Rect& region);

  private:
    const NodeField* maker_of(const std::string& field) const;

    PaintTarget target_;
    std::string field_;
    Plan plan_;
    RunContext& context_;
    Evaluator evaluator_;
    Canvas canvas_;
    bool adds_ = false;
    bool whole_only_ = false;
    Interval limits_;
};

}  // namespace caprock
