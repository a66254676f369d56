// JSON of people's files: recipes, tables, material sets, bookmarks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace caprock {

// Throws Error for what is not JSON, with the line, and `too_deep` for lists within lists without end: reading goes to
// any depth, but copying and writing take stack for every level.
nlohmann::ordered_json parsed_json(const std::string& text, const char* too_deep);

}  // namespace caprock
