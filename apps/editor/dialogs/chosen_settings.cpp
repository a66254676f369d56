#include "dialogs/chosen_settings.h"

#include <QSettings>
#include <algorithm>
#include <cmath>

namespace caprock::editor {

namespace {

QVariant kept(const char* name, const QVariant& otherwise) {
    return QSettings().value(QString("preferences/%1").arg(QLatin1String(name)), otherwise);
}

void keep(const char* name, const QVariant& value) {
    QSettings().setValue(QString("preferences/%1").arg(QLatin1String(name)), value);
}

}  // namespace

ThemeKind theme_setting() {
    return kept("theme", "dark").toString() == "light" ? ThemeKind::light : ThemeKind::dark;
}
void set_theme_setting(ThemeKind kind) { keep("theme", kind == ThemeKind::light ? "light" : "dark"); }

bool tour_setting() { return kept("tour", true).toBool(); }
void set_tour_setting(bool wanted) { keep("tour", wanted); }

bool thumbnail_setting() { return kept("thumbnail", true).toBool(); }
void set_thumbnail_setting(bool wanted) { keep("thumbnail", wanted); }

uint64_t memory_setting() { return kept("memory", 0).toULongLong(); }
void set_memory_setting(uint64_t bytes) { keep("memory", qulonglong(bytes)); }

std::string device_setting() {
    QString word = kept("device", "auto").toString();
    return word.isEmpty() ? "auto" : word.toStdString();
}
void set_device_setting(const std::string& word) { keep("device", QString::fromStdString(word)); }

NavigationStyle navigation_setting() {
    QString word = kept("navigation", "caprock").toString();
    if (word == "blender") return NavigationStyle::blender;
    if (word == "unreal") return NavigationStyle::unreal;
    return NavigationStyle::caprock;
}
void set_navigation_setting(NavigationStyle style) {
    keep("navigation", style == NavigationStyle::blender  ? "blender"
                       : style == NavigationStyle::unreal ? "unreal"
                                                          : "caprock");
}

PenSettings pen_setting() {
    PenSettings pen;
    pen.firmness = std::clamp(kept("pen-firmness", pen.firmness).toDouble(), 0.25, 4.0);
    pen.least = std::clamp(kept("pen-least", pen.least).toDouble(), 0.0, 0.5);
    pen.eraser = kept("pen-eraser", pen.eraser).toBool();
    return pen;
}
void set_pen_setting(const PenSettings& pen) {
    keep("pen-firmness", pen.firmness);
    keep("pen-least", pen.least);
    keep("pen-eraser", pen.eraser);
}

double felt_pressure(const PenSettings& pen, double pressure) {
    double share = (std::clamp(pressure, 0.0, 1.0) - pen.least) / (1 - pen.least);
    return share <= 0 ? 0 : std::pow(share, pen.firmness);
}

}  // namespace caprock::editor
