// Line icons, drawn and not loaded: sharp at every size, in the colour of the text beside them.
#pragma once

#include <QIcon>
#include <QString>
#include <QStringList>

namespace caprock::editor {

// Drawn anew whenever it is shown, so that it follows the theme. Empty where there is none of that name.
QIcon icon(const QString& name);
QStringList icon_names();

}  // namespace caprock::editor
