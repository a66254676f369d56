// Widgets in one line of a form; labels take what they need, the others share the rest.
#pragma once

#include <QHBoxLayout>
#include <QLabel>
#include <QWidget>
#include <initializer_list>

namespace caprock::editor {

inline QWidget* side_by_side(std::initializer_list<QWidget*> widgets) {
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    for (QWidget* widget : widgets) row->addWidget(widget, qobject_cast<QLabel*>(widget) ? 0 : 1);
    return both;
}

}  // namespace caprock::editor
