#include "core/brush_kit.h"

#include "painting/brush_size.h"
#include "painting/brush_text.h"

#include <cmath>

namespace caprock::editor {

namespace {

// A land a tenth as wide is not looked at from a tenth as far, and hills on it are more than a tenth as high.
constexpr double growth = 2.0 / 3;
// Lands of nearly the usual size are painted with the brushes as they are documented.
constexpr double nearly = 1.5;

}  // namespace

BrushKit::BrushKit(QObject* parent) : QObject(parent) { take("raise"); }

void BrushKit::take(const QString& name) {
    if (name == name_) return;
    if (auto left = laid_down_.find(name); left != laid_down_.end()) return take(name, Held(left->second));
    Brush brush = brush_for_land(brush_named(name.toStdString()), times_);
    take(name, Held{brush, brush});
}

void BrushKit::take(const QString& name, const Brush& brush) { take(name, Held{brush, brush, true}); }

void BrushKit::take(const QString& name, Held held) {
    if (!name_.isEmpty()) laid_down_[name_] = held_;
    name_ = name;
    held_ = std::move(held);
    Q_EMIT changed();
}

void BrushKit::set_land(double metres) {
    double wider = metres / usual_land;
    double times = wider > 1 / nearly && wider < nearly ? 1 : std::pow(wider, growth);
    if (times == times_) return;
    times_ = times;
    auto suit = [&](const QString& name, Held& held) {
        if (held.own) return;
        bool as_it_came = !is_modified(held);
        held.original = brush_for_land(brush_named(name.toStdString()), times_);
        if (as_it_came) held.brush = held.original;
    };
    suit(name_, held_);
    for (auto& [name, held] : laid_down_) suit(name, held);
    Q_EMIT changed();
}

void BrushKit::reset() {
    held_.brush = held_.original;
    Q_EMIT changed();
}

bool BrushKit::is_modified(const Held& held) { return brush_text(held.brush) != brush_text(held.original); }

bool BrushKit::is_modified() const { return is_modified(held_); }

}  // namespace caprock::editor
