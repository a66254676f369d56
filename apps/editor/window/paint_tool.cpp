#include "window/paint_tool.h"

#include "painting/brush_text.h"

#include <algorithm>

namespace caprock::editor {

namespace {

// The other way: what would be raised is dug, and what would be revealed is hidden.
void turn_round(Brush& brush, const Grid& grid, bool on_mask) {
    if (brush.apply(grid) == BrushSettings::Apply::add) {
        brush.settings.strength = -brush.settings.strength;
        return;
    }
    // Shares of 0 to 1, such as masks and hardness, have an opposite; other targets have none.
    bool share = on_mask || quantity_of(brush.settings.field).is_share();
    if (!share || !brush.operation || brush.operation->name() != "plane") return;
    std::unique_ptr<Operation> other = brush.operation->clone();
    other->set("height", 1 - other->get<double>("height"));
    brush.operation = std::move(other);
}

}  // namespace

PaintTool::PaintTool(Workshop& workshop, BrushKit& kit, Selection& selection, QObject* parent)
    : QObject(parent), workshop_(workshop), kit_(kit), selection_(selection) {}

void PaintTool::guide(Hand& hand) {
    hands_.push_back(&hand);
    hand.set_painting(active_);
    hand.set_radius(kit_.brush().settings.radius);
    connect(&hand, &Hand::pen_down, this, &PaintTool::begin);
    connect(&hand, &Hand::pen_at, this,
            [this](const PenSample& sample) { workshop_.extend_stroke(felt(sample)); });
    connect(&hand, &Hand::pen_up, this, [this] { workshop_.finish_stroke(); });
    connect(&hand, &Hand::sized, this, [this](double radius) {
        kit_.change([&](Brush& brush) { brush.settings.radius = std::clamp(radius, 0.01, 100000.0); });
    });
    connect(&kit_, &BrushKit::changed, &hand,
            [this, &hand] { hand.set_radius(kit_.brush().settings.radius); });
}

void PaintTool::set_active(bool active) {
    if (active == active_) return;
    active_ = active;
    for (Hand* hand : hands_) hand->set_painting(active);
    Q_EMIT active_changed(active);
}

PenSample PaintTool::felt(PenSample sample) const {
    sample.pressure = felt_pressure(pen_, sample.pressure);
    return sample;
}

void PaintTool::cancel() { workshop_.cancel_stroke(); }

std::optional<PaintTarget> PaintTool::target_for_brush(const Brush& brush) const {
    const Layer* layer = view_ ? find_layer(view_->state().layers, selection_.layer()) : nullptr;
    if (!layer) return std::nullopt;
    if (selection_.mask() && layer->mask.kind == LayerMask::Kind::painted)
        return PaintTarget{layer->id, "mask", true};
    if (layer->kind != LayerKind::painted) return std::nullopt;
    bool has_field = std::ranges::any_of(
        layer->canvases, [&](const LayerCanvas& canvas) { return canvas.field == brush.settings.field; });
    if (!has_field) return std::nullopt;
    return PaintTarget{layer->id, brush.settings.field, false};
}

void PaintTool::begin(const PenSample& sample, bool eraser, Qt::KeyboardModifiers modifiers) {
    if (!view_) return;
    if (view_->read_only) {
        Q_EMIT told(tr("The document is open for reading only: it cannot be painted on."));
        return;
    }
    Brush brush = kit_.brush();
    bool copies = brush.settings.towards == BrushSettings::Towards::copy && !brush.copied;
    if (copies && (modifiers & Qt::ControlModifier)) {
        kit_.change([&](Brush& kept) { kept.settings.from = {sample.x, sample.y}; });
        Q_EMIT told(tr("Copies from %1, %2 m.").arg(sample.x, 0, 'f', 1).arg(sample.y, 0, 'f', 1));
        return;
    }
    if (copies && brush.settings.from.empty()) {
        Q_EMIT told(tr("Hold Ctrl and click where this brush shall copy from."));
        return;
    }
    std::optional<PaintTarget> target = target_for_brush(brush);
    if (eraser && pen_.eraser) {
        Brush rubber = brush_named("erase");
        rubber.settings.radius = brush.settings.radius;
        rubber.settings.falloff = brush.settings.falloff;
        rubber.settings.field = brush.settings.field;
        brush = std::move(rubber);
    } else if (modifiers & Qt::ControlModifier) {
        turn_round(brush, view_->state().grid, target && target->mask);
    }
    workshop_.begin_stroke({std::move(brush), target, ++strokes_});
    workshop_.extend_stroke(felt(sample));
}

}  // namespace caprock::editor
