#include "widgets/falloff_preview.h"

#include "base/text.h"
#include "theme/theme.h"

#include <QLocale>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

QImage dab_picture(const Falloff& falloff, const Field& tip, int side, const QColor& ink) {
    QImage image(side, side, QImage::Format_ARGB32);
    const Rect& cells = tip.rect();
    bool has_tip = !cells.empty();
    for (int y = 0; y < side; y++) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < side; x++) {
            double across = (x + 0.5) / side * 2 - 1;
            double down = (y + 0.5) / side * 2 - 1;
            double weight = falloff.at(std::hypot(across, down));
            if (has_tip && weight > 0) {
                int column = cells.left + std::min(int((across + 1) / 2 * cells.width()), cells.width() - 1);
                int row = cells.top + std::min(int((down + 1) / 2 * cells.height()), cells.height() - 1);
                weight *= std::clamp(double(tip.at(column, row)), 0.0, 1.0);
            }
            line[x] = qRgba(ink.red(), ink.green(), ink.blue(), int(std::lround(weight * 255)));
        }
    }
    return image;
}

FalloffPreview::FalloffPreview(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FalloffPreview::show_dab(const Falloff& falloff, const Field& tip, double radius) {
    falloff_ = falloff;
    tip_ = tip;
    radius_ = radius;
    setAccessibleName(tr("A dab of %1 m radius").arg(radius));
    update();
}

void FalloffPreview::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    QColor ground = palette().color(QPalette::Base);
    QColor ink = palette().color(QPalette::Text);
    QColor line = palette().color(QPalette::Highlight);
    painter.setPen(QPen(between(ink, ground, 0.75), 1));
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);

    double side = height() - 12;
    QRectF above(width() - side - 6, 6, side, side);
    int pixels = std::max(1, int(std::lround(side * devicePixelRatioF())));
    painter.drawImage(above, dab_picture(falloff_, tip_, pixels, ink));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(between(ink, ground, 0.6), 1, Qt::DotLine));
    painter.drawEllipse(above.adjusted(0.5, 0.5, -0.5, -0.5));

    QRectF beside(10, 8, above.left() - 20, height() - 28);
    painter.setPen(QPen(between(ground, ink, 0.2), 1));
    painter.drawLine(beside.bottomLeft(), beside.bottomRight());
    double middle = beside.center().x();
    painter.drawLine(QPointF(middle, beside.top()), QPointF(middle, beside.bottom()));
    QPolygonF shape;
    int steps = std::max(2, int(beside.width() * 2));
    for (int i = 0; i <= steps; i++) {
        double along = double(i) / steps;
        // The rim itself is outside.
        double distance = std::min(std::abs(along * 2 - 1), 0.9999);
        shape << QPointF(beside.left() + along * beside.width(),
                         beside.bottom() - falloff_.at(distance) * beside.height());
    }
    QPolygonF filled = shape;
    filled << beside.bottomRight() << beside.bottomLeft();
    QColor shade = line;
    shade.setAlphaF(0.25f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(filled);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(line, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(shape);
    // How wide that is.
    QRectF below(beside.left() - 4, beside.bottom() + 3, beside.width() + 8, height() - beside.bottom() - 5);
    painter.setPen(between(ink, ground, 0.35));
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    painter.setFont(small);
    QString wide =
        tr("%1 m across").arg(QString::fromStdString(number_text(std::round(radius_ * 2 * 100) / 100)));
    painter.drawText(below, Qt::AlignCenter, wide);
}

}  // namespace caprock::editor
