#include "theme/theme.h"

#include "theme/theme_style.h"

#include <QApplication>
#include <QFont>
#include <QFontDatabase>
#include <QString>
#include <QStyle>
#include <QWidget>
#include <utility>

namespace caprock::editor {

namespace {

ThemeKind shown = ThemeKind::dark;

struct Colours {
    QColor window, base, alternate, raised, text, line, accent, on_accent, tip;
};

Colours colours_of(ThemeKind kind) {
    if (kind == ThemeKind::dark)
        return {QColor("#282a2d"), QColor("#1e2022"), QColor("#232528"), QColor("#383b3f"), QColor("#e6e3de"),
                QColor("#15171a"), QColor("#e0955a"), QColor("#1c130b"), QColor("#3b3e42")};
    return {QColor("#f2f0ed"), QColor("#ffffff"), QColor("#f7f5f2"), QColor("#e6e2dd"), QColor("#2b2826"),
            QColor("#cbc5be"), QColor("#a8530f"), QColor("#ffffff"), QColor("#fffaf3")};
}

QColor warning_on(const QColor& ground) {
    return ground.lightness() < 128 ? QColor("#ff8f7a") : QColor("#b3261e");
}

// Only what Fusion does not draw as it should be. A rule for a spin box or a combo box would take its arrows away.
constexpr const char* style_text = R"(
QToolTip { color: %text; background: %tip; border: 1px solid %edge; padding: 4px 6px; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; }
QDockWidget::title { background: %window; padding: 6px 8px; border-bottom: 1px solid %edge; text-align: left; }
QMainWindow::separator { background: %line; width: 3px; height: 3px; }
QMainWindow::separator:hover { background: %accent; }
QSplitter::handle { background: %line; }
QSplitter::handle:hover { background: %accent; }
QToolBar { background: %window; border: 0; padding: 3px; spacing: 3px; }
QToolBar::separator:horizontal { width: 9px; background: qlineargradient(x1:0, y1:0, x2:1, y2:0, stop:0.44 transparent, stop:0.45 %edge, stop:0.55 %edge, stop:0.56 transparent); margin: 4px 0; }
QToolBar::separator:vertical { height: 9px; background: qlineargradient(x1:0, y1:0, x2:0, y2:1, stop:0.44 transparent, stop:0.45 %edge, stop:0.55 %edge, stop:0.56 transparent); margin: 0 4px; }
QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px; background: transparent; }
QToolButton:hover { background: %raised; }
QToolButton:pressed { background: %edge; }
QToolButton:checked { background: %chosen; border-color: %accent; }
QToolButton:focus { border-color: %accent; }
QToolButton[tone="small"] { padding: 1px; }
QToolButton[popupMode="1"] { padding-right: 16px; }
QToolButton::menu-indicator { width: 0px; image: none; }
QStatusBar { background: %window; border-top: 1px solid %line; }
QStatusBar::item { border: 0; }
QMenuBar { background: %window; }
QMenuBar::item { padding: 5px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: %raised; }
QMenu { background: %base; border: 1px solid %edge; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 24px; border-radius: 3px; }
QMenu::item:selected { background: %accent; color: %on_accent; }
QMenu::item:disabled { color: %faint; }
QMenu::item:disabled:selected { background: %raised; color: %faint; }
QMenu::separator { height: 1px; background: %edge; margin: 4px 8px; }
QMenu::icon { padding-left: 6px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: %edge; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: %accent; }
QSlider::handle:horizontal { width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; background: %handle; }
QSlider::groove:vertical { width: 4px; border-radius: 2px; background: %edge; }
QSlider::add-page:vertical { width: 4px; border-radius: 2px; background: %accent; }
QSlider::handle:vertical { width: 12px; height: 12px; margin: 0 -4px; border-radius: 6px; background: %handle; }
QSlider::handle:hover { background: %accent; }
QSlider::sub-page:horizontal:disabled, QSlider::add-page:vertical:disabled { background: %edge; }
QSlider::handle:disabled { background: %faint; }
QTabWidget::pane { border: 0; border-top: 1px solid %edge; }
QTabBar { background: transparent; }
QTabBar::tab { padding: 6px 12px; border: 0; border-bottom: 2px solid transparent; color: %muted; background: transparent; }
QTabBar::tab:hover { color: %text; }
QTabBar::tab:selected { color: %text; border-bottom-color: %accent; }
QTabBar::tab:disabled { color: %faint; }
QScrollBar { background: transparent; border: 0; margin: 0; }
QScrollBar:vertical { width: 11px; }
QScrollBar:horizontal { height: 11px; }
QScrollBar::handle { background: %bar; border-radius: 3px; }
QScrollBar::handle:vertical { min-height: 28px; margin: 2px 2px 2px 3px; }
QScrollBar::handle:horizontal { min-width: 28px; margin: 3px 2px 2px 2px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: %muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QHeaderView::section { background: %window; border: 0; border-bottom: 1px solid %edge; padding: 5px 4px; color: %muted; }
QLabel[tone="muted"] { color: %muted; }
QLabel[tone="warning"] { color: %warning; }
QLabel[tone="accent"] { color: %accent; }
QLabel[tone]:disabled { color: %faint; }
QLabel[tone="heading"] { font-size: 13pt; font-weight: bold; }
QFrame[tone="alarm"] { background: %alarm; border: 0; border-bottom: 1px solid %warning; }
QLabel[tone="alarm"] { color: %text; background: transparent; border: 0; }
QFrame[tone="card"] { background: %base; border: 1px solid %edge; border-radius: 6px; }
)";

QString style_for(const Colours& c) {
    QString text = QString::fromLatin1(style_text);
    // Longer words before those they begin with.
    const std::pair<const char*, QColor> words[] = {
        {"%on_accent", c.on_accent},
        {"%accent", c.accent},
        {"%warning", warning_on(c.window)},
        {"%alarm", between(c.window, warning_on(c.window), 0.3)},
        {"%window", c.window},
        {"%base", c.base},
        {"%raised", c.raised},
        {"%text", c.text},
        {"%line", c.line},
        {"%tip", c.tip},
        {"%edge", between(c.window, c.text, 0.2)},
        {"%chosen", between(c.window, c.accent, 0.25)},
        {"%handle", between(c.window, c.text, 0.85)},
        {"%faint", between(c.window, c.text, 0.4)},
        {"%muted", between(c.window, c.text, 0.68)},
        {"%bar", between(c.window, c.text, 0.3)},
    };
    for (const auto& [word, colour] : words) text.replace(QLatin1String(word), colour.name());
    return text;
}

}  // namespace

QColor between(const QColor& first, const QColor& second, double share) {
    auto mixed = [share](int from, int to) { return int(from + (to - from) * share + 0.5); };
    return {mixed(first.red(), second.red()), mixed(first.green(), second.green()),
            mixed(first.blue(), second.blue())};
}

QPalette theme_palette(ThemeKind kind) {
    const Colours c = colours_of(kind);
    QPalette palette;
    palette.setColor(QPalette::Window, c.window);
    palette.setColor(QPalette::WindowText, c.text);
    palette.setColor(QPalette::Base, c.base);
    palette.setColor(QPalette::AlternateBase, c.alternate);
    palette.setColor(QPalette::Text, c.text);
    palette.setColor(QPalette::Button, c.raised);
    palette.setColor(QPalette::ButtonText, c.text);
    palette.setColor(QPalette::BrightText, c.accent);
    palette.setColor(QPalette::ToolTipBase, c.tip);
    palette.setColor(QPalette::ToolTipText, c.text);
    palette.setColor(QPalette::PlaceholderText, between(c.base, c.text, 0.5));
    palette.setColor(QPalette::Highlight, c.accent);
    palette.setColor(QPalette::HighlightedText, c.on_accent);
    palette.setColor(QPalette::Link, c.accent);
    palette.setColor(QPalette::LinkVisited, c.accent);
    palette.setColor(QPalette::Light,
                     between(c.raised, QColor(Qt::white), kind == ThemeKind::dark ? 0.1 : 0.8));
    palette.setColor(QPalette::Midlight,
                     between(c.raised, QColor(Qt::white), kind == ThemeKind::dark ? 0.05 : 0.4));
    palette.setColor(QPalette::Mid, between(c.window, c.text, 0.2));
    palette.setColor(QPalette::Dark, c.line);
    palette.setColor(QPalette::Shadow, kind == ThemeKind::dark ? QColor("#0c0d0e") : QColor("#8d867e"));
    for (QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
        palette.setColor(QPalette::Disabled, role, between(c.window, c.text, 0.4));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, between(c.window, c.text, 0.25));
    palette.setColor(QPalette::Disabled, QPalette::HighlightedText, between(c.window, c.text, 0.6));
    return palette;
}

void apply_theme(ThemeKind kind) {
    // Each of these goes to every widget there is.
    bool first = qApp->styleSheet().isEmpty();
    if (!first && kind == shown) return;
    shown = kind;
    if (first) {
        QApplication::setStyle(new ThemeStyle);
        QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
        font.setFamilies({font.family(), QStringLiteral("DejaVu Sans")});
        if (font.pointSizeF() < 9) font.setPointSizeF(9);
        QApplication::setFont(font);
    }
    QApplication::setPalette(theme_palette(kind));
    qApp->setStyleSheet(style_for(colours_of(kind)));
}

ThemeKind current_theme() { return shown; }

QColor muted_text(const QPalette& palette) {
    return between(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.68);
}

QColor warning_text(const QPalette& palette) { return warning_on(palette.color(QPalette::Window)); }

void set_tone(QWidget* widget, const char* tone) {
    if (widget->property("tone").toString() == QLatin1String(tone)) return;
    widget->setProperty("tone", QLatin1String(tone));
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

QColor hairline(const QPalette& palette) {
    return between(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.2);
}

}  // namespace caprock::editor
