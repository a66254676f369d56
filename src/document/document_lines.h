// Line sets of a document, by name: roads, rivers, borders that layers follow.
#pragma once

#include "terrain/line_set.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace caprock {

class Document;
struct DocumentState;

// With its text, as the document keeps it: that is made once, and not with every change of a layer.
struct DocumentLines {
    std::string name;
    LineSet lines;  // in metres of the document's grid
    std::shared_ptr<const std::string> text;
};

// Throws Error for a name that layers could not say, for places that are no numbers, and for more than a document keeps.
DocumentLines document_lines(const std::string& name, const LineSet& lines);
// From such a text. Throws Error.
DocumentLines document_lines_from(const std::string& name, const std::string& text);

// Null where there are none of that name.
const LineSet* find_lines(const DocumentState& state, const std::string& name);
std::vector<std::string> line_names(const DocumentState& state);

// ---- commands, each a step of the history ----
// Those of that name are replaced.
void set_lines(Document& document, const std::string& name, const LineSet& lines);
// Several at once, in one step.
void set_lines(Document& document, const NamedLines& sets);
// Throws Error where there are none of that name, naming those there are.
void remove_lines(Document& document, const std::string& name);

}  // namespace caprock
