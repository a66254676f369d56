#include "widgets/value_slider.h"

#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

constexpr double handle_radius = 5.5;
constexpr int positions = 1000;  // for those who read the slider to the user

}  // namespace

ValueSlider::ValueSlider(const ValueScale& scale, QWidget* parent) : QAbstractSlider(parent), scale_(scale) {
    setOrientation(Qt::Horizontal);
    setRange(0, positions);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueSlider::set_scale(const ValueScale& scale) {
    scale_ = scale;
    show_value(value_);
    update();
}

void ValueSlider::show_value(double value) {
    if (dragging_) return;
    value_ = value;
    place_ = scale_.place_of(value);
    setValue(int(std::lround(place_ * positions)));
    update();
}

void ValueSlider::show_usual(double value) {
    usual_ = scale_.place_of(value);
    update();
}

double ValueSlider::place_at(double x) const {
    double way = std::max(1.0, width() - 2 * handle_radius);
    return std::clamp((x - handle_radius) / way, 0.0, 1.0);
}

void ValueSlider::go_to(double place) {
    place_ = std::clamp(place, 0.0, 1.0);
    setSliderPosition(int(std::lround(place_ * positions)));
    double value = scale_.value_at(place_);
    update();
    if (value == value_) return;
    value_ = value;
    Q_EMIT moved(value_, true);
}

void ValueSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    dragging_ = true;
    setSliderDown(true);
    last_x_ = event->position().x();
    // The handle itself can be taken hold of without moving it.
    double handle = handle_radius + place_ * (width() - 2 * handle_radius);
    if (std::abs(last_x_ - handle) > handle_radius) go_to(place_at(last_x_));
    update();
}

void ValueSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_) return;
    double x = event->position().x();
    bool fine = event->modifiers().testFlag(Qt::ShiftModifier);
    double way = std::max(1.0, width() - 2 * handle_radius);
    if (fine)
        go_to(place_ + (x - last_x_) / way / 10);
    else if (x != last_x_)
        go_to(place_at(x));
    last_x_ = x;
}

void ValueSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return;
    dragging_ = false;
    setSliderDown(false);
    update();
    Q_EMIT moved(value_, false);
}

void ValueSlider::step(double steps) {
    double value = std::clamp(scale_.stepped(value_, steps), std::min(scale_.soft.low, value_),
                              std::max(scale_.soft.high, value_));
    if (value == value_) return;
    show_value(value);
    Q_EMIT moved(value_, false);
}

void ValueSlider::keyPressEvent(QKeyEvent* event) {
    double much = event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1;
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Down:
            return step(-much);
        case Qt::Key_Right:
        case Qt::Key_Up:
            return step(much);
        case Qt::Key_PageDown:
            return step(-10);
        case Qt::Key_PageUp:
            return step(10);
        default:
            // Also Home and End: they are the panel's, to scroll with.
            event->ignore();
    }
}

void ValueSlider::wheelEvent(QWheelEvent* event) {
    // Somebody who scrolls the panel does not mean the slider that comes by.
    if (!hasFocus() || event->angleDelta().y() == 0) return event->ignore();
    step(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void ValueSlider::enterEvent(QEnterEvent*) { update(); }
void ValueSlider::leaveEvent(QEvent*) { update(); }

void ValueSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = palette().color(QPalette::Window);
    QColor ink = palette().color(QPalette::WindowText);
    QColor accent = isEnabled() ? palette().color(QPalette::Highlight) : between(ink, ground, 0.6);
    double middle = height() / 2.0;
    double left = handle_radius;
    double way = std::max(1.0, width() - 2 * handle_radius);
    double at = left + place_ * way;
    painter.setPen(Qt::NoPen);
    painter.setBrush(between(ground, ink, 0.2));
    painter.drawRoundedRect(QRectF(left - 1, middle - 1.5, way + 2, 3), 1.5, 1.5);
    painter.setBrush(accent);
    // From zero, where the slider has it inside.
    double from = scale_.logarithmic || scale_.soft.low >= 0 ? 0 : scale_.place_of(0);
    double begins = left + from * way;
    painter.drawRoundedRect(QRectF(std::min(begins, at), middle - 1.5, std::abs(at - begins), 3), 1.5, 1.5);
    double usual = left + usual_ * way;
    painter.setBrush(between(ground, ink, 0.45));
    painter.drawRect(QRectF(usual - 0.5, middle + 4, 1, 3));
    bool lively = isEnabled() && (underMouse() || dragging_);
    painter.setBrush(isEnabled() ? between(ink, ground, lively ? 0 : 0.18) : between(ink, ground, 0.55));
    painter.setPen(QPen(ground, 1.5));
    painter.drawEllipse(QPointF(at, middle), handle_radius, handle_radius);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
        painter.drawEllipse(QPointF(at, middle), handle_radius + 0.5, handle_radius + 0.5);
    }
}

}  // namespace caprock::editor
