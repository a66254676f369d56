// The document as JSON: what a project file holds, and what can live in version control. docs/project-format.md
// describes it.
#pragma once

#include "document/layer.h"

#include <functional>
#include <string>

namespace caprock {

// Files of a greater major number are refused. A greater minor number means that there may be things in it that this
// version does not know: they are kept.
constexpr int format_major = 1;
constexpr int format_minor = 1;

// Layers and canvases are numbered up to here.
constexpr int most_numbers = 1 << 30;

std::string document_text(const DocumentState& state);

// Throws Error for what is no document, with what is wrong and where. What is not understood is kept, so that it is
// in the text again that is written; `tell` is told of it once.
DocumentState parse_document(const std::string& text, const std::function<void(const std::string&)>& tell);

}  // namespace caprock
