// Line icons, drawn and not loaded: sharp at every size, in the colour of the text beside them.
#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>
#include <QString>
#include <QStringList>

class QPainter;

namespace caprock::editor {

// Drawn anew whenever it is shown, so that it follows the theme. Empty where there is none of that name.
QIcon icon(const QString& name);
QStringList icon_names();
// The same as part of a picture, in a colour of its own.
void draw_icon(QPainter& painter, const QRectF& place, const QString& name, const QColor& colour);
// A square of a colour.
QIcon swatch(const QColor& colour);

}  // namespace caprock::editor
