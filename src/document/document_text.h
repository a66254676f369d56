// The document as JSON: what a project file holds, and what can live in version control. docs/project-format.md
// describes it.
#pragma once

#include "document/layer.h"

#include <cstdint>
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

// ---- for whoever puts the text together from parts (assembled_text.h) ----

// A layer by itself, as it stands in a document's list but for the space before its lines; a group has no layers within it.
std::string layer_text(const Layer& layer);
// Throws Error unless that text could be read in a document, which says how many lists and objects there are around it.
void check_layer_text(const std::string& text, int depth, const DocumentState& around);
// How many values a text has; the most that are allowed and one where there are more. Throws Error for objects that no document
// has.
int64_t values_in(const std::string& text);
// Throws Error for a text that is too long to be read, or has more values than are allowed.
void require_readable_size(const std::string& text, int64_t values);

}  // namespace caprock
