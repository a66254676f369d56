// Names of the library as a window writes them.
#pragma once

#include "operation/operation.h"
#include "operation/parameter.h"

#include <QString>
#include <string_view>

namespace caprock::editor {

QString titled(std::string_view name);        // "table-mountain": "Table mountain"
QString choice_title(std::string_view word);  // "lerp": "Mix"
QString sentence(const std::string& text);    // with a capital letter and a full stop
QString unit_sign(const std::string& unit);   // "degrees": "°"
QString length_text(double metres);           // "800 m", "1.5 km"
// What is known of a parameter, for its tooltip.
QString described(const Parameter& parameter, const QString& usual_value);
// Of an operation: what it does, where it comes from, what it reads and makes.
QString described(const QString& title, const Operation& operation);

}  // namespace caprock::editor
