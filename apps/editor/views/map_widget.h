// The terrain from above, as a map.
#pragma once

#include "core/board.h"
#include "core/look.h"
#include "core/photographer.h"
#include "view/map.h"
#include "view/scene_look.h"
#include "views/framing.h"
#include "views/hand.h"

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <optional>

namespace caprock::editor {

class MapWidget : public QWidget, public HandledView {
    Q_OBJECT

  public:
    MapWidget(Board& board, Look& look, QWidget* parent = nullptr);

    Hand& hand() { return hand_; }
    void set_ring(std::optional<BrushRing> ring);
    void frame_all();
    void frame(double x, double y, double radius);
    const MapView& view() const { return view_; }
    // What it shows now, to be kept: on paper, whatever the theme. Not of an empty board.
    Shot shot() const;

    std::optional<GroundPoint> ground_at(const QPointF& pixel) override;
    void move_view(Move move, const QPointF& from, const QPointF& to, bool begin) override;
    void scroll_view(const QPointF& pixel, double steps) override;

  Q_SIGNALS:
    void moved();
    void drawn(double seconds);
    void failed(const QString& message);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    MapOptions options() const;
    // Draws what has changed since it was drawn last.
    void draw();
    void forget();
    void rewrite(const Rect& cells);
    Size pixels() const;
    void replace();
    void set_view(const MapView& view);

    Board& board_;
    Look& look_;
    Hand hand_;
    MapView view_;
    bool placed_ = false;
    bool fits_ = false;  // nobody has moved it since all of the terrain was put into it
    Framing framing_;
    Picture land_;  // empty where all of it has changed
    Rect stale_;    // cells that have changed since it was drawn
    QTimer rested_;
    QImage drawn_;  // the land and what lies on it; null where something has changed
    std::optional<BrushRing> ring_;
};

}  // namespace caprock::editor
