// From the hand to strokes: which brush, on which layer, with which seed.
#pragma once

#include "core/brush_kit.h"
#include "core/selection.h"
#include "core/workshop.h"
#include "dialogs/chosen_settings.h"
#include "views/hand.h"

#include <QObject>
#include <vector>

namespace caprock::editor {

class PaintTool : public QObject {
    Q_OBJECT

  public:
    PaintTool(Workshop& workshop, BrushKit& kit, Selection& selection, QObject* parent);

    // A view's hand paints through this from now on.
    void guide(Hand& hand);
    void set_document(const DocumentViewPointer& view) { view_ = view; }
    // Without a brush in the hand the left button moves the view.
    void set_active(bool active);
    bool active() const { return active_; }
    void set_pen(const PenSettings& pen) { pen_ = pen; }
    void cancel();

  Q_SIGNALS:
    void active_changed(bool active);
    // A place was picked for a brush that copies.
    void told(const QString& message);

  private:
    PenSample felt(PenSample sample) const;
    void begin(const PenSample& sample, bool eraser, Qt::KeyboardModifiers modifiers);
    std::optional<PaintTarget> target_for_brush(const Brush& brush) const;

    Workshop& workshop_;
    BrushKit& kit_;
    Selection& selection_;
    DocumentViewPointer view_;
    std::vector<Hand*> hands_;
    bool active_ = true;
    PenSettings pen_;
    uint32_t strokes_ = 0;
};

}  // namespace caprock::editor
