#include "widgets/curve_edit.h"

#include "painting/falloff.h"
#include "theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

constexpr double reach = 8;  // pixels from a point that still mean it
constexpr double margin = 5;

double rounded(double value) { return std::round(value * 1000) / 1000; }

// A line through points that lie anywhere, in order.
double along_line(const std::vector<QPointF>& line, double x) {
    size_t after = 1;
    while (after + 1 < line.size() && line[after].x() < x) after++;
    const QPointF& a = line[after - 1];
    const QPointF& b = line[after];
    double share = b.x() > a.x() ? std::clamp((x - a.x()) / (b.x() - a.x()), 0.0, 1.0) : 1;
    return a.y() + (b.y() - a.y()) * share;
}

std::vector<double> evenly(const std::vector<QPointF>& line, int count) {
    std::vector<double> values;
    for (int i = 0; i < count; i++) values.push_back(rounded(along_line(line, double(i) / (count - 1))));
    return values;
}

std::vector<QPointF> line_of(const std::vector<double>& curve) {
    std::vector<QPointF> line;
    for (size_t i = 0; i < curve.size(); i++)
        line.emplace_back(curve.size() > 1 ? double(i) / double(curve.size() - 1) : 0.5, curve[i]);
    return line;
}

}  // namespace

CurveEdit::CurveEdit(const Interval& range, QWidget* parent) : QWidget(parent), range_(range) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::CrossCursor);
}

void CurveEdit::show_curve(const std::vector<double>& curve) {
    if (dragging_ || curve == curve_) return;
    curve_ = curve;
    held_ = std::min(held_, int(curve_.size()) - 1);
    pointed_ = -1;
    update();
}

QRectF CurveEdit::area() const { return QRectF(rect()).adjusted(margin, margin, -margin, -margin); }

QPointF CurveEdit::place_of(double along, double value) const {
    QRectF inside = area();
    double up = range_.high > range_.low ? (value - range_.low) / (range_.high - range_.low) : 0;
    return {inside.left() + along * inside.width(), inside.bottom() - up * inside.height()};
}

QPointF CurveEdit::place_of(int point) const {
    return place_of(curve_.size() > 1 ? double(point) / double(curve_.size() - 1) : 0.5,
                    curve_[size_t(point)]);
}

double CurveEdit::value_at(double y) const {
    QRectF inside = area();
    double up = std::clamp((inside.bottom() - y) / inside.height(), 0.0, 1.0);
    return std::clamp(rounded(range_.low + up * (range_.high - range_.low)), range_.low, range_.high);
}

int CurveEdit::point_near(const QPointF& place) const {
    int nearest = -1;
    double least = reach;
    for (int i = 0; i < int(curve_.size()); i++) {
        QPointF away = place_of(i) - place;
        double distance = std::hypot(away.x(), away.y());
        if (distance > least) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

void CurveEdit::add(const QPointF& place) {
    QRectF inside = area();
    double along = std::clamp((place.x() - inside.left()) / inside.width(), 0.0, 1.0);
    double value = value_at(place.y());
    std::vector<QPointF> line = line_of(curve_);
    if (curve_.empty()) {
        // A straight line to begin with: the rising one, unless the falling one comes nearer to the place.
        double share = (value - range_.low) / std::max(range_.high - range_.low, 1e-300);
        bool falls = std::abs(1 - along - share) + 0.1 < std::abs(along - share);
        line = {{0, falls ? range_.high : range_.low}, {1, falls ? range_.low : range_.high}};
    }
    if (line.size() == 1) line = {{0, line[0].y()}, {1, line[0].y()}};
    int count = std::min(int(line.size()) + 1, most_points);
    auto after = std::ranges::find_if(line, [&](const QPointF& point) { return point.x() > along; });
    line.insert(after, {along, value});
    curve_ = evenly(line, count);
    held_ = int(std::lround(along * (count - 1)));
    curve_[size_t(held_)] = value;
}

void CurveEdit::remove(int point) {
    std::vector<QPointF> line = line_of(curve_);
    if (line.size() <= 2) {
        curve_.clear();
    } else {
        line.erase(line.begin() + point);
        curve_ = evenly(line, int(line.size()));
    }
    held_ = -1;
    pointed_ = -1;
}

void CurveEdit::mousePressEvent(QMouseEvent* event) {
    int point = point_near(event->position());
    if (event->button() == Qt::RightButton) {
        if (point < 0 || dragging_) return;
        remove(point);
        update();
        Q_EMIT moved(curve_, false);
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    dragging_ = true;
    held_ = point;
    if (point < 0) {
        add(event->position());
        Q_EMIT moved(curve_, true);
    }
    update();
}

void CurveEdit::mouseMoveEvent(QMouseEvent* event) {
    if (!dragging_) {
        int point = point_near(event->position());
        if (point == pointed_) return;
        pointed_ = point;
        setCursor(point < 0 ? Qt::CrossCursor : Qt::SizeVerCursor);
        update();
        return;
    }
    double value = value_at(event->position().y());
    if (held_ < 0 || curve_[size_t(held_)] == value) return;
    curve_[size_t(held_)] = value;
    update();
    Q_EMIT moved(curve_, true);
}

void CurveEdit::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !dragging_) return;
    dragging_ = false;
    update();
    Q_EMIT moved(curve_, false);
}

void CurveEdit::keyPressEvent(QKeyEvent* event) {
    int last = int(curve_.size()) - 1;
    int key = event->key();
    if (last < 0 || dragging_) return event->ignore();
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        held_ = held_ < 0 ? 0 : std::clamp(held_ + (key == Qt::Key_Left ? -1 : 1), 0, last);
        return update();
    }
    if (held_ < 0) return event->ignore();
    if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
        remove(held_);
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        double step = (range_.high - range_.low) * (event->modifiers() & Qt::ShiftModifier ? 0.1 : 0.02);
        double& value = curve_[size_t(held_)];
        value = std::clamp(rounded(value + (key == Qt::Key_Up ? step : -step)), range_.low, range_.high);
    } else {
        return event->ignore();
    }
    update();
    Q_EMIT moved(curve_, false);
}

void CurveEdit::leaveEvent(QEvent*) {
    pointed_ = -1;
    update();
}

void CurveEdit::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = palette().color(QPalette::Base);
    QColor ink = palette().color(QPalette::Text);
    QColor line = isEnabled() ? palette().color(QPalette::Highlight) : between(ink, ground, 0.5);
    painter.setPen(QPen(hasFocus() ? line : between(ink, ground, 0.7), 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    QRectF inside = area();
    painter.setPen(QPen(between(ground, ink, 0.14), 1));
    for (double share : {0.25, 0.5, 0.75}) {
        double x = std::round(inside.left() + share * inside.width()) + 0.5;
        double y = std::round(inside.top() + share * inside.height()) + 0.5;
        painter.drawLine(QPointF(x, inside.top()), QPointF(x, inside.bottom()));
        painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y));
    }
    if (curve_.empty()) {
        painter.setPen(between(ink, ground, 0.4));
        painter.drawText(inside, Qt::AlignCenter, tr("none"));
        return;
    }
    QPolygonF shape;
    if (curve_.size() == 1) {
        shape << place_of(0.0, curve_[0]) << place_of(1.0, curve_[0]);
    } else {
        for (int i = 0; i < int(curve_.size()); i++) shape << place_of(i);
    }
    QPolygonF under = shape;
    under << QPointF(shape.last().x(), inside.bottom()) << QPointF(shape.first().x(), inside.bottom());
    QColor shade = line;
    shade.setAlphaF(0.2f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(under);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(line, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(shape);
    for (int i = 0; i < int(curve_.size()); i++) {
        bool marked = i == pointed_ || (i == held_ && (dragging_ || hasFocus()));
        painter.setPen(QPen(ground, 1));
        painter.setBrush(marked ? ink : line);
        painter.drawEllipse(place_of(i), marked ? 4.5 : 3.5, marked ? 4.5 : 3.5);
    }
}

}  // namespace caprock::editor
