#include "base/json_text.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

nlohmann::ordered_json parsed_json(const std::string& text, const char* too_deep) {
    using Json = nlohmann::ordered_json;
    constexpr int deepest = 32;
    auto watch_depth = [&](int depth, Json::parse_event_t, const Json&) {
        if (depth > deepest) throw Error(too_deep);
        return true;
    };
    try {
        return Json::parse(text, watch_depth);
    } catch (const Json::parse_error& error) {
        auto line =
            1 + std::count(text.begin(), text.begin() + ptrdiff_t(std::min(error.byte, text.size())), '\n');
        throw Error(fmt::format("not JSON: error in line {}, at byte {}", line, error.byte));
    } catch (const Json::exception&) {
        throw Error("a number in it is too large to be read");
    }
}

}  // namespace caprock
