#include "widgets/glyph_button.h"

#include "widgets/theme_colours.h"

#include <QPainter>
#include <QPainterPath>

namespace caprock::editor {

namespace {

void draw(QPainter& painter, Glyph glyph, const QColor& ink) {
    painter.setPen(QPen(ink, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    auto dot = [&](double x, double y, double radius) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawEllipse(QPointF(x, y), radius, radius);
    };
    switch (glyph) {
        case Glyph::reset: {
            // Back to where it came from.
            QPainterPath path;
            path.arcMoveTo(QRectF(5, 5.5, 10, 10), 150);
            path.arcTo(QRectF(5, 5.5, 10, 10), 150, -290);
            painter.drawPath(path);
            painter.drawPolyline(QPolygonF{{4.6, 4.4}, {5.6, 8.2}, {9.4, 7.4}});
            break;
        }
        case Glyph::dice:
            painter.drawRoundedRect(QRectF(4, 4, 12, 12), 2.5, 2.5);
            for (auto [x, y] : {QPointF(7.2, 7.2), QPointF(12.8, 7.2), QPointF(10, 10), QPointF(7.2, 12.8),
                                QPointF(12.8, 12.8)})
                dot(x, y, 1.15);
            break;
        case Glyph::help: {
            painter.drawEllipse(QRectF(3.5, 3.5, 13, 13));
            QPainterPath path(QPointF(8, 8.4));
            path.cubicTo(8, 5.8, 12, 5.8, 12, 8.3);
            path.cubicTo(12, 9.8, 10, 9.9, 10, 11.4);
            painter.drawPath(path);
            dot(10, 13.7, 0.9);
            break;
        }
        case Glyph::more:
            for (double x : {5.5, 10.0, 14.5}) dot(x, 10, 1.3);
            break;
        case Glyph::folder: {
            QPolygonF shape{{3.5, 15.5}, {3.5, 5}, {8, 5}, {9.5, 7}, {16.5, 7}, {16.5, 15.5}};
            painter.drawPolygon(shape);
            break;
        }
        case Glyph::presets:
            for (double x : {4.0, 11.0})
                for (double y : {4.0, 11.0}) painter.drawRoundedRect(QRectF(x, y, 5, 5), 1, 1);
            break;
        case Glyph::none:
            painter.drawEllipse(QRectF(4.5, 4.5, 11, 11));
            painter.drawLine(QPointF(6.4, 13.6), QPointF(13.6, 6.4));
            break;
    }
}

}  // namespace

GlyphButton::GlyphButton(Glyph glyph, const QString& name, const QString& help, QWidget* parent)
    : QToolButton(parent), glyph_(glyph) {
    setObjectName(name);
    setToolTip(help);
    setAccessibleName(help);
    setAutoRaise(true);
    setFixedSize(side, side);
    setFocusPolicy(Qt::TabFocus);
}

void GlyphButton::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = palette().color(QPalette::Window);
    QColor ink = palette().color(QPalette::WindowText);
    bool pressed = isDown() || isChecked();
    if (isEnabled() && (underMouse() || pressed)) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(mixed(ground, ink, pressed ? 0.22 : 0.12));
        painter.drawRoundedRect(rect().adjusted(1, 1, -1, -1), 3, 3);
    }
    if (hasFocus()) {
        painter.setPen(QPen(accent_colour(palette()), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 3, 3);
    }
    bool lively = isEnabled() && (underMouse() || pressed);
    draw(painter, glyph_, isEnabled() ? (lively ? ink : mixed(ink, ground, 0.25)) : mixed(ink, ground, 0.65));
}

}  // namespace caprock::editor
