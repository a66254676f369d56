#include "base/json_text.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int deepest = 33;

bool is_too_deep(const std::string& text) {
    int depth = 0;
    bool too_deep = false;
    for_each_mark(text, [&](char c) {
        if (c == '[' || c == '{') too_deep = ++depth > deepest;
        if (c == ']' || c == '}') depth--;
        return !too_deep;
    });
    return too_deep;
}

}  // namespace

Json parsed_json(const std::string& text, const char* too_deep) {
    // Not while it is parsed: whoever asks to be called for each value has the parser look through the list that the
    // value is in, which for a long list takes for ever.
    if (is_too_deep(text)) throw Error(too_deep);
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        auto line =
            1 + std::count(text.begin(), text.begin() + ptrdiff_t(std::min(error.byte, text.size())), '\n');
        throw Error(fmt::format("not JSON: error in line {}, at byte {}", line, error.byte));
    } catch (const Json::exception&) {
        throw Error("a number in it is too large to be read");
    }
}

}  // namespace caprock
