// What is done to several layers at once: one entry of the history, all or nothing.
#pragma once

#include "document/commands.h"

#include <string>
#include <vector>

namespace caprock::editor {

// To one place, where they lie in the order in which they are given, the first on top.
void move_layers(Document& document, const std::vector<int>& layers, const LayerSpot& spot);
// A copy on top of each.
void duplicate_layers(Document& document, const std::vector<int>& layers);
// Those that are no groups stay as they are.
void ungroup_layers(Document& document, const std::vector<int>& layers);
// A setting that has no unit and no place: "visible", "locked".
void set_layers(Document& document, const std::vector<int>& layers, const std::string& name,
                const std::string& text);

}  // namespace caprock::editor
