// Brushes as JSON, to be shared.
//
//   {"caprock-brush": 1, "title": "...", "about": "...", "settings": {"radius": 80, ...},
//    "operation": {"operation": "noise", "version": 1, "parameters": {...}},
//    "bind": {"angle": "direction"}, "blend": {"operation": "blend", ...}}
//
// Settings that are not given keep their defaults. The picture of a tip is named, not kept.
#pragma once

#include "painting/brush.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

std::string brush_text(const Brush& brush);
// Throws Error for what is no brush. `tell` is told of what is not understood.
Brush parse_brush(const std::string& text, const std::function<void(const std::string&)>& tell = {});

// Those that come with the library: the files of brushes/.
std::vector<std::string> brush_names();  // by the alphabet
bool is_brush(std::string_view name);
// Throws Error with the nearest name where there is none.
Brush brush_named(std::string_view name);

}  // namespace caprock
