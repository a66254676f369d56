#include "widgets/icon_button.h"

#include "theme/icons.h"
#include "theme/theme.h"

namespace caprock::editor {

QToolButton* icon_button(const QString& icon, const QString& name, const QString& help, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setIcon(editor::icon(icon));
    button->setIconSize(QSize(16, 16));
    button->setAutoRaise(true);
    button->setToolTip(help);
    button->setAccessibleName(help);
    return button;
}

QToolButton* small_icon_button(const QString& icon, const QString& name, const QString& help,
                               QWidget* parent) {
    QToolButton* button = icon_button(icon, name, help, parent);
    button->setFixedSize(20, 20);
    set_tone(button, "small");
    return button;
}

}  // namespace caprock::editor
