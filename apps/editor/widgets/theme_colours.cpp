#include "widgets/theme_colours.h"

namespace caprock::editor {

namespace {

bool is_dark(const QPalette& palette) { return palette.color(QPalette::Window).lightnessF() < 0.5; }

}  // namespace

QColor mixed(const QColor& from, const QColor& to, double share) {
    auto mix = [&](double a, double b) { return float(a + (b - a) * share); };
    return QColor::fromRgbF(mix(from.redF(), to.redF()), mix(from.greenF(), to.greenF()),
                            mix(from.blueF(), to.blueF()));
}

QColor accent_colour(const QPalette& palette) {
    QColor accent = palette.color(QPalette::Active, QPalette::Highlight);
    // A palette without a colour of its own still has to tell changed values from others.
    if (accent.hslSaturationF() < 0.15) accent = QColor::fromHslF(0.58f, 0.7f, 0.5f);
    float lightness =
        is_dark(palette) ? std::max(accent.lightnessF(), 0.68f) : std::min(accent.lightnessF(), 0.4f);
    return QColor::fromHslF(accent.hslHueF(), accent.hslSaturationF(), lightness);
}

QColor refusal_colour(const QPalette& palette) {
    return QColor::fromHslF(0.005f, is_dark(palette) ? 0.9f : 0.75f, is_dark(palette) ? 0.7f : 0.42f);
}

QColor muted_colour(const QPalette& palette) {
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.38);
}

QColor line_colour(const QPalette& palette) {
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.74);
}

}  // namespace caprock::editor
