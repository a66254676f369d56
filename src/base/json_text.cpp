#include "base/json_text.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int deepest = 33;

bool is_too_deep(const std::string& text) {
    int depth = 0;
    bool in_text = false;
    for (size_t i = 0; i < text.size(); i++) {
        char c = text[i];
        if (in_text) {
            if (c == '\\') i++;
            if (c == '"') in_text = false;
        } else if (c == '"') {
            in_text = true;
        } else if (c == '[' || c == '{') {
            if (++depth > deepest) return true;
        } else if (c == ']' || c == '}') {
            depth--;
        }
    }
    return false;
}

}  // namespace

nlohmann::ordered_json parsed_json(const std::string& text, const char* too_deep) {
    using Json = nlohmann::ordered_json;
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
