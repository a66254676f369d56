// Flat buttons that have an icon and no words.
#pragma once

#include <QString>
#include <QToolButton>

namespace caprock::editor {

// Of a panel. `icon`: one of icon_names().
QToolButton* icon_button(const QString& icon, const QString& name, const QString& help,
                         QWidget* parent = nullptr);
// No higher than the line of a form that it stands in.
QToolButton* small_icon_button(const QString& icon, const QString& name, const QString& help,
                               QWidget* parent = nullptr);

}  // namespace caprock::editor
