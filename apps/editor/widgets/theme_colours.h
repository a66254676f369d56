// Colours that a palette has no role for, made from those it has: they read on dark ground and on light.
#pragma once

#include <QColor>
#include <QPalette>

namespace caprock::editor {

// The share of `to` is 0 to 1.
QColor mixed(const QColor& from, const QColor& to, double share);

QColor accent_colour(const QPalette& palette);   // of what was changed, as text
QColor refusal_colour(const QPalette& palette);  // of what is wrong, as text
QColor muted_colour(const QPalette& palette);    // of remarks
QColor line_colour(const QPalette& palette);     // of frames and grooves

}  // namespace caprock::editor
