#include "views/hand.h"

#include "base/seconds.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointingDevice>
#include <QTabletEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

// Degrees that the sun turns by for every pixel.
constexpr double light_per_pixel = 0.4;
// Every pixel to the right makes the brush so many times as wide.
constexpr double size_per_pixel = 1.01;

}  // namespace

Move move_for(NavigationStyle style, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
    bool shift = modifiers & Qt::ShiftModifier;
    bool control = modifiers & Qt::ControlModifier;
    bool alt = modifiers & Qt::AltModifier;
    switch (style) {
        case NavigationStyle::caprock:
            if (button == Qt::LeftButton) return alt ? Move::orbit : shift ? Move::size : Move::paint;
            if (button == Qt::MiddleButton) return shift ? Move::pan : control ? Move::zoom : Move::orbit;
            if (button == Qt::RightButton) return alt ? Move::zoom : Move::pan;
            break;
        case NavigationStyle::blender:
            if (button == Qt::LeftButton) return shift ? Move::size : Move::paint;
            if (button == Qt::MiddleButton) return shift ? Move::pan : control ? Move::zoom : Move::orbit;
            break;
        case NavigationStyle::unreal:
            if (button == Qt::LeftButton) return alt ? Move::orbit : shift ? Move::size : Move::paint;
            if (button == Qt::MiddleButton) return Move::pan;
            if (button == Qt::RightButton) return alt ? Move::zoom : Move::look;
            break;
    }
    return Move::none;
}

Hand::Hand(QWidget* widget, HandledView& view) : QObject(widget), widget_(widget), view_(view) {
    // All events, since the key for the light is held wherever the keyboard's focus is: often in a panel.
    QCoreApplication::instance()->installEventFilter(this);
    widget->setMouseTracking(true);
    widget->setTabletTracking(true);
    widget->setFocusPolicy(Qt::StrongFocus);
}

void Hand::let_go() {
    if (move_ == Move::paint) Q_EMIT pen_up();
    move_ = Move::none;
    button_ = Qt::NoButton;
    by_pen_ = false;
}

std::optional<PenSample> Hand::sample(const QPointF& at) {
    std::optional<GroundPoint> ground = view_.ground_at(at);
    if (!ground) return std::nullopt;
    return PenSample{ground->x, ground->y, pressure_, tilt_x_, tilt_y_, seconds_now() - start_time_};
}

void Hand::hover(const QPointF& at) {
    if (std::optional<GroundPoint> ground = view_.ground_at(at))
        Q_EMIT hovered(ground->x, ground->y);
    else
        Q_EMIT left();
}

bool Hand::pressed(const QPointF& at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers,
                   double pressure) {
    if (move_ != Move::none) return true;
    Move move = light_key_ && button == Qt::LeftButton ? Move::light : move_for(style_, button, modifiers);
    if (!painting_ && (move == Move::paint || move == Move::size)) move = Move::orbit;
    if (move == Move::none) return false;
    pressure_ = pressure;
    if (move == Move::paint) {
        start_time_ = seconds_now();
        std::optional<PenSample> first = sample(at);
        // Beside the terrain there is nothing to paint on, but much to turn.
        if (first) {
            Q_EMIT pen_down(*first, eraser_, modifiers);
        } else {
            move = Move::orbit;
        }
    }
    move_ = move;
    button_ = button;
    from_ = pressed_at_ = at;
    began_ = false;
    start_radius_ = radius_;
    return true;
}

bool Hand::moved(const QPointF& at, Qt::KeyboardModifiers) {
    switch (move_) {
        case Move::none:
            hover(at);
            return false;
        case Move::paint:
            if (std::optional<PenSample> next = sample(at)) {
                Q_EMIT pen_at(*next);
                Q_EMIT hovered(next->x, next->y);
            }
            return true;
        case Move::size:
            Q_EMIT sized(start_radius_ * std::pow(size_per_pixel, at.x() - pressed_at_.x()));
            return true;
        case Move::light:
            Q_EMIT light_turned((at.x() - from_.x()) * light_per_pixel,
                                (from_.y() - at.y()) * light_per_pixel);
            break;
        default:
            view_.move_view(move_, from_, at, !began_);
            began_ = true;
            break;
    }
    from_ = at;
    return true;
}

bool Hand::released(const QPointF& at) {
    if (move_ == Move::none) return false;
    if (move_ == Move::paint) Q_EMIT pen_up();
    bool clicked = !began_ && (at - pressed_at_).manhattanLength() < 4;
    if (clicked && button_ == Qt::RightButton) Q_EMIT menu_wanted(at);
    move_ = Move::none;
    button_ = Qt::NoButton;
    by_pen_ = false;
    return true;
}

bool Hand::tablet(QTabletEvent* event) {
    eraser_ = event->pointerType() == QPointingDevice::PointerType::Eraser;
    tilt_x_ = event->xTilt();
    tilt_y_ = event->yTilt();
    QPointF at = event->position();
    switch (event->type()) {
        case QEvent::TabletPress:
            by_pen_ = pressed(at, event->button(), event->modifiers(), event->pressure());
            break;
        case QEvent::TabletMove:
            if (by_pen_) pressure_ = event->pressure();
            moved(at, event->modifiers());
            break;
        case QEvent::TabletRelease:
            if (by_pen_) released(at);
            eraser_ = false;
            break;
        default:
            return false;
    }
    // A pen that is not taken here would come again as a mouse.
    event->accept();
    return true;
}

void Hand::watch_light_key(QObject* watched, QEvent* event) {
    bool pressed = event->type() == QEvent::KeyPress;
    if (pressed || event->type() == QEvent::KeyRelease) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->isAutoRepeat() || key->key() != Qt::Key_L) return;
        light_key_ = pressed && key->modifiers() == Qt::NoModifier;
    } else if (event->type() == QEvent::WindowDeactivate && watched == widget_->window()) {
        light_key_ = false;
    } else {
        return;
    }
    if (!light_key_ && move_ == Move::light) move_ = Move::none;
}

bool Hand::eventFilter(QObject* watched, QEvent* event) {
    watch_light_key(watched, event);
    if (watched != widget_) return false;
    switch (event->type()) {
        case QEvent::MouseButtonPress:
        case QEvent::MouseButtonDblClick: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            tilt_x_ = tilt_y_ = 0;
            eraser_ = false;
            widget_->setFocus(Qt::MouseFocusReason);
            return pressed(mouse->position(), mouse->button(), mouse->modifiers(), 1);
        }
        case QEvent::MouseMove: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            if (by_pen_) return true;
            return moved(mouse->position(), mouse->modifiers());
        }
        case QEvent::MouseButtonRelease: {
            auto* mouse = static_cast<QMouseEvent*>(event);
            if (by_pen_ || mouse->button() != button_) return move_ != Move::none;
            return released(mouse->position());
        }
        case QEvent::TabletPress:
        case QEvent::TabletMove:
        case QEvent::TabletRelease:
            return tablet(static_cast<QTabletEvent*>(event));
        case QEvent::Wheel: {
            auto* wheel = static_cast<QWheelEvent*>(event);
            view_.scroll_view(wheel->position(), wheel->angleDelta().y() / 120.0);
            return true;
        }
        case QEvent::Leave:
            if (move_ == Move::none) Q_EMIT left();
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace caprock::editor
