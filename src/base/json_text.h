// JSON of people's files: recipes, tables, material sets, bookmarks.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace caprock {

// Members stay in the order in which people wrote them.
using Json = nlohmann::ordered_json;

// Throws Error for what is not JSON, with the line, and `too_deep` for lists within lists without end: reading goes to
// any depth, but copying and writing take stack for every level.
Json parsed_json(const std::string& text, const char* too_deep);

// Calls `mark` with every character that is not within a text, until it says false: brackets, commas and the like, before
// anything is made of them.
template <typename Mark>
void for_each_mark(const std::string& text, const Mark& mark) {
    bool in_text = false;
    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (in_text) {
            if (c == '\\') i++;
            if (c == '"') in_text = false;
        } else if (c == '"') {
            in_text = true;
        } else if (!mark(c)) {
            return;
        }
    }
}

}  // namespace caprock
