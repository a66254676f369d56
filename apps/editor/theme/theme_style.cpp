#include "theme/theme_style.h"

#include "theme/theme.h"

#include <QPainter>
#include <QStyleOption>
#include <algorithm>

namespace caprock::editor {

namespace {

// A box or a disc: an outline while it is off, full of the accent while it is on.
void draw_indicator(const QStyleOption& option, QPainter& painter, bool round) {
    const QPalette& colours = option.palette;
    bool enabled = option.state & QStyle::State_Enabled;
    bool on = option.state & (QStyle::State_On | QStyle::State_NoChange);
    bool focused =
        (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_KeyboardFocusChange);
    bool hovered = enabled && (option.state & QStyle::State_MouseOver);
    QColor accent = colours.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Highlight);
    QColor ink = colours.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::HighlightedText);
    QColor base = colours.color(QPalette::Active, QPalette::Base);
    QColor outline = between(base, colours.color(QPalette::Active, QPalette::Text), enabled ? 0.45 : 0.2);
    if (on || hovered || focused) outline = accent;

    double side = std::min({option.rect.width(), option.rect.height(), 15});
    QRectF box(0, 0, side - 1, side - 1);
    box.moveCenter(QRectF(option.rect).center());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(outline, 1.2));
    painter.setBrush(on ? accent : base);
    if (round)
        painter.drawEllipse(box);
    else
        painter.drawRoundedRect(box, 3, 3);
    auto place = [&](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    if (option.state & QStyle::State_On) {
        if (round) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink);
            painter.drawEllipse(box.center(), side * 0.19, side * 0.19);
        } else {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(ink, side * 0.13, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPolyline(QPolygonF{place(0.24, 0.53), place(0.43, 0.72), place(0.77, 0.3)});
        }
    } else if (option.state & QStyle::State_NoChange) {
        painter.setPen(QPen(ink, side * 0.13, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(place(0.27, 0.5), place(0.73, 0.5));
    }
    painter.restore();
}

}  // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    switch (element) {
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck:
            return draw_indicator(*option, *painter, false);
        case PE_IndicatorRadioButton:
            return draw_indicator(*option, *painter, true);
        default:
            return QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
    // The icons that come with Qt are made for other windows.
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
}

}  // namespace caprock::editor
