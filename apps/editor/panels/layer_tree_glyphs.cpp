#include "panels/layer_tree_glyphs.h"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <QPixmap>
#include <QToolButton>
#include <algorithm>

namespace caprock::editor {

namespace {

class GlyphEngine : public QIconEngine {
  public:
    explicit GlyphEngine(Glyph glyph) : glyph_(glyph) {}

    void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State) override {
        QPalette palette = QGuiApplication::palette();
        QPalette::ColorGroup group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        QPalette::ColorRole role = mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::ButtonText;
        draw_glyph(*painter, place, glyph_, palette.color(group, role));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return picture;
    }
    QIconEngine* clone() const override { return new GlyphEngine(*this); }

  private:
    Glyph glyph_;
};

QPainterPath eye_outline() {
    QPainterPath path;
    path.moveTo(1, 8);
    path.cubicTo(4, 3, 12, 3, 15, 8);
    path.cubicTo(12, 13, 4, 13, 1, 8);
    return path;
}

void draw_lock(QPainter& painter, const QColor& colour, bool open) {
    QPainterPath shackle;
    shackle.moveTo(5, 7.5);
    shackle.lineTo(5, 5);
    shackle.cubicTo(5, 1.2, 11, 1.2, 11, 5);
    if (!open) shackle.lineTo(11, 7.5);
    painter.drawPath(shackle);
    painter.setBrush(open ? QBrush(Qt::NoBrush) : QBrush(colour));
    painter.drawRoundedRect(QRectF(3.5, 7.5, 9, 6.5), 1, 1);
}

void draw_arrow(QPainter& painter, double direction) {
    painter.drawLine(QPointF(8, 8 + 5 * direction), QPointF(8, 8 - 5 * direction));
    painter.drawLine(QPointF(8, 8 - 5 * direction), QPointF(4, 8 - 1 * direction));
    painter.drawLine(QPointF(8, 8 - 5 * direction), QPointF(12, 8 - 1 * direction));
}

// On a square of 16.
void draw_on_square(QPainter& painter, Glyph glyph, const QColor& colour) {
    QColor soft = colour;
    soft.setAlphaF(colour.alphaF() * 0.35f);
    switch (glyph) {
        case Glyph::eye:
            painter.drawPath(eye_outline());
            painter.setBrush(colour);
            painter.drawEllipse(QPointF(8, 8), 1.9, 1.9);
            break;
        case Glyph::eye_closed: {
            QPainterPath lid;
            lid.moveTo(1.5, 7);
            lid.cubicTo(4.5, 11.5, 11.5, 11.5, 14.5, 7);
            painter.drawPath(lid);
            painter.drawLine(QPointF(8, 10.5), QPointF(8, 12.8));
            painter.drawLine(QPointF(4, 9.7), QPointF(2.9, 11.6));
            painter.drawLine(QPointF(12, 9.7), QPointF(13.1, 11.6));
            break;
        }
        case Glyph::lock:
            draw_lock(painter, colour, false);
            break;
        case Glyph::lock_open:
            draw_lock(painter, colour, true);
            break;
        case Glyph::generated: {
            QPainterPath hills;
            hills.moveTo(1, 13);
            hills.lineTo(6, 4);
            hills.lineTo(9, 9);
            hills.lineTo(10.8, 6.5);
            hills.lineTo(15, 13);
            hills.closeSubpath();
            painter.setBrush(soft);
            painter.drawPath(hills);
            break;
        }
        case Glyph::painted: {
            painter.drawLine(QPointF(14, 2), QPointF(8.2, 8.2));
            QPainterPath tip;
            tip.moveTo(9.2, 9);
            tip.cubicTo(9, 13.5, 5, 14, 2, 13.6);
            tip.cubicTo(4, 12.5, 3.4, 8.8, 7.2, 7.2);
            tip.closeSubpath();
            painter.setBrush(colour);
            painter.drawPath(tip);
            break;
        }
        case Glyph::imported:
            painter.drawPolyline(
                QPolygonF({{9, 1.8}, {3.2, 1.8}, {3.2, 14.2}, {12.8, 14.2}, {12.8, 5.6}, {9, 1.8}}));
            painter.drawLine(QPointF(8, 6), QPointF(8, 11.5));
            painter.drawLine(QPointF(8, 11.5), QPointF(5.8, 9.3));
            painter.drawLine(QPointF(8, 11.5), QPointF(10.2, 9.3));
            break;
        case Glyph::adjustment:
            painter.drawEllipse(QPointF(8, 8), 6, 6);
            painter.setBrush(colour);
            painter.setPen(Qt::NoPen);
            painter.drawChord(QRectF(2, 2, 12, 12), 90 * 16, 180 * 16);
            break;
        case Glyph::group: {
            QPainterPath folder;
            folder.moveTo(1.5, 13);
            folder.lineTo(1.5, 3);
            folder.lineTo(6, 3);
            folder.lineTo(7.5, 5);
            folder.lineTo(14.5, 5);
            folder.lineTo(14.5, 13);
            folder.closeSubpath();
            painter.setBrush(soft);
            painter.drawPath(folder);
            break;
        }
        case Glyph::unknown:
            painter.drawRoundedRect(QRectF(2, 2, 12, 12), 2, 2);
            painter.drawLine(QPointF(5.5, 8), QPointF(10.5, 8));
            break;
        case Glyph::mask:
            painter.drawRect(QRectF(1.5, 2.5, 13, 11));
            painter.setBrush(colour);
            painter.drawEllipse(QPointF(8, 8), 2.8, 2.8);
            break;
        case Glyph::add:
            painter.drawLine(QPointF(8, 2.5), QPointF(8, 13.5));
            painter.drawLine(QPointF(2.5, 8), QPointF(13.5, 8));
            break;
        case Glyph::duplicate:
            painter.drawPolyline(QPolygonF({{4.5, 11}, {2, 11}, {2, 2}, {11, 2}, {11, 4.5}}));
            painter.drawRect(QRectF(5, 5, 9, 9));
            break;
        case Glyph::remove:
            painter.drawLine(QPointF(2, 4), QPointF(14, 4));
            painter.drawLine(QPointF(6, 4), QPointF(6, 2));
            painter.drawLine(QPointF(6, 2), QPointF(10, 2));
            painter.drawLine(QPointF(10, 2), QPointF(10, 4));
            painter.drawPolyline(QPolygonF({{3.5, 4}, {4.3, 14}, {11.7, 14}, {12.5, 4}}));
            painter.drawLine(QPointF(6.7, 6.8), QPointF(6.9, 11.5));
            painter.drawLine(QPointF(9.3, 6.8), QPointF(9.1, 11.5));
            break;
        case Glyph::up:
            draw_arrow(painter, 1);
            break;
        case Glyph::down:
            draw_arrow(painter, -1);
            break;
        case Glyph::warning: {
            QPainterPath triangle;
            triangle.moveTo(8, 1.8);
            triangle.lineTo(15, 14);
            triangle.lineTo(1, 14);
            triangle.closeSubpath();
            painter.drawPath(triangle);
            painter.drawLine(QPointF(8, 6), QPointF(8, 9.8));
            painter.setBrush(colour);
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(QPointF(8, 11.9), 0.9, 0.9);
            break;
        }
        case Glyph::load:
            painter.drawPolyline(QPolygonF({{1.5, 13}, {1.5, 3}, {6, 3}, {7.5, 5}, {12.5, 5}, {12.5, 7}}));
            painter.drawPolygon(QPolygonF({{1.5, 13}, {4, 7.2}, {15, 7.2}, {12.5, 13}}));
            break;
        case Glyph::save:
            painter.drawPolyline(QPolygonF({{2, 10}, {2, 13.8}, {14, 13.8}, {14, 10}}));
            painter.drawLine(QPointF(8, 2), QPointF(8, 10.2));
            painter.drawLine(QPointF(8, 10.2), QPointF(4.8, 7));
            painter.drawLine(QPointF(8, 10.2), QPointF(11.2, 7));
            break;
    }
}

}  // namespace

void draw_glyph(QPainter& painter, const QRectF& place, Glyph glyph, const QColor& colour) {
    double side = std::min(place.width(), place.height());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(place.center() - QPointF(side / 2, side / 2));
    painter.scale(side / 16, side / 16);
    painter.setPen(QPen(colour, 1.25, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    draw_on_square(painter, glyph, colour);
    painter.restore();
}

QIcon glyph_icon(Glyph glyph) { return QIcon(new GlyphEngine(glyph)); }

QToolButton* glyph_button(const QString& name, Glyph glyph, const QString& help) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(glyph_icon(glyph));
    button->setIconSize(QSize(16, 16));
    button->setAutoRaise(true);
    button->setToolTip(help);
    button->setAccessibleName(help);
    return button;
}

}  // namespace caprock::editor
