// What a hand does over a view, with the mouse or a pen: it paints, moves the view, sizes the brush, turns the light. The view
// says what lies where; whoever paints is told in metres.
#pragma once

#include "painting/stroke_path.h"

#include <QObject>
#include <QPointF>
#include <QString>
#include <optional>

class QWidget;
class QMouseEvent;
class QTabletEvent;

namespace caprock::editor {

enum class Move { none, paint, orbit, pan, zoom, look, size, light };

// Which button moves what, as users of other programs have it in their fingers.
enum class NavigationStyle { caprock, blender, unreal };
Move move_for(NavigationStyle style, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);

// Metres in the world frame (terrain/grid.h), and the height of the ground there.
struct GroundPoint {
    double x = 0;
    double y = 0;
    double height = 0;
};

// A view under the hand.
class HandledView {
  public:
    virtual ~HandledView() = default;
    // The ground that is seen at a place of the view; nothing beside the terrain.
    virtual std::optional<GroundPoint> ground_at(const QPointF& pixel) = 0;
    // The hand moves from one place to another; `begin`: it has just been put down at `from`.
    virtual void move_view(Move move, const QPointF& from, const QPointF& to, bool begin) = 0;
    // Turns of a wheel, towards what is under the pointer where positive.
    virtual void scroll_view(const QPointF& pixel, double steps) = 0;
};

class Hand : public QObject {
    Q_OBJECT

  public:
    Hand(QWidget* widget, HandledView& view);

    void set_style(NavigationStyle style) { style_ = style; }
    // Without a brush the left button moves the view.
    void set_painting(bool painting) { painting_ = painting; }
    void set_radius(double metres) { radius_ = metres; }
    bool busy() const { return move_ != Move::none; }
    // The stroke is over, whatever the pen does.
    void let_go();

  Q_SIGNALS:
    void pen_down(const caprock::PenSample& sample, bool eraser, Qt::KeyboardModifiers modifiers);
    void pen_at(const caprock::PenSample& sample);
    void pen_up();
    void hovered(double x, double y);
    void left();  // the terrain
    void sized(double radius);
    void light_turned(double azimuth, double elevation);  // by so many degrees
    void menu_wanted(const QPointF& pixel);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    bool pressed(const QPointF& at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers, double pressure);
    bool moved(const QPointF& at, Qt::KeyboardModifiers modifiers);
    bool released(const QPointF& at);
    bool tablet(QTabletEvent* event);
    std::optional<PenSample> sample(const QPointF& at);
    void hover(const QPointF& at);
    void watch_light_key(QObject* watched, QEvent* event);

    QWidget* widget_;
    HandledView& view_;
    NavigationStyle style_ = NavigationStyle::caprock;
    bool painting_ = true;
    double radius_ = 100;
    Move move_ = Move::none;
    Qt::MouseButton button_ = Qt::NoButton;
    bool by_pen_ = false;
    bool eraser_ = false;
    bool light_key_ = false;
    QPointF from_;
    QPointF pressed_at_;
    bool began_ = false;
    double start_radius_ = 0;
    double pressure_ = 1;
    double tilt_x_ = 0, tilt_y_ = 0;
    double start_time_ = 0;
};

}  // namespace caprock::editor
