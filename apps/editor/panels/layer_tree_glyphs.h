// Small signs, drawn: sharp at every size, and in the colours of the theme whatever it is.
#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

class QPainter;
class QToolButton;

namespace caprock::editor {

enum class Glyph {
    eye,
    eye_closed,
    lock,
    lock_open,
    generated,
    painted,
    imported,
    adjustment,
    group,
    unknown,
    mask,
    add,
    duplicate,
    remove,
    up,
    down,
    warning,
    load,
    save,
};

void draw_glyph(QPainter& painter, const QRectF& place, Glyph glyph, const QColor& colour);
// Takes the application's colours whenever it is drawn.
QIcon glyph_icon(Glyph glyph);
// A flat button of a panel.
QToolButton* glyph_button(const QString& name, Glyph glyph, const QString& help);

}  // namespace caprock::editor
