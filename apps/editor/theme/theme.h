// The colours of the window: one dark set, one light, with the orange of sandstone in both.
#pragma once

#include <QColor>
#include <QPalette>

class QWidget;

namespace caprock::editor {

enum class ThemeKind { dark, light };

// For the whole application. Widgets take their colours from the palette, so those that are open change as well.
void apply_theme(ThemeKind kind);
ThemeKind current_theme();
QPalette theme_palette(ThemeKind kind);

// Text that matters less, on the same ground.
QColor muted_text(const QPalette& palette);
// What warns; reads on windows and on lists.
QColor warning_text(const QPalette& palette);
// Lines between things that belong together.
QColor hairline(const QPalette& palette);
// How a widget is meant, which the style sheet turns into colours of whatever theme is shown. Of labels: "muted",
// "warning", "accent", "heading"; of frames: "card", which stands out from the window; "alarm", which nobody overlooks, and of
// the labels on it; of tool buttons: "small". Empty: as all others.
void set_tone(QWidget* widget, const char* tone);
// A colour between two: 0 is the first.
QColor between(const QColor& first, const QColor& second, double share);

}  // namespace caprock::editor
