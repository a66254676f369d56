#include "core/brush_kit.h"

#include "painting/brush_text.h"

namespace caprock::editor {

BrushKit::BrushKit(QObject* parent) : QObject(parent) { take("raise"); }

void BrushKit::take(const QString& name) {
    auto left = laid_down_.find(name);
    if (left != laid_down_.end() || name == name_) {
        if (name == name_) return;
        laid_down_[name_] = {brush_, original_};
        std::tie(brush_, original_) = left->second;
        name_ = name;
        Q_EMIT changed();
        return;
    }
    take(name, brush_named(name.toStdString()));
}

void BrushKit::take(const QString& name, const Brush& brush) {
    if (!name_.isEmpty()) laid_down_[name_] = {brush_, original_};
    name_ = name;
    brush_ = original_ = brush;
    Q_EMIT changed();
}

void BrushKit::reset() {
    brush_ = original_;
    Q_EMIT changed();
}

bool BrushKit::is_modified() const { return brush_text(brush_) != brush_text(original_); }

}  // namespace caprock::editor
