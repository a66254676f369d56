#include "operation/number.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

namespace {

// "20..45". Nothing where it is no interval, such as the name of a field.
std::optional<Interval> parse_ends(std::string_view text) {
    const size_t dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const std::optional<double> low = parse_number(text.substr(0, dots));
    const std::optional<double> high = parse_number(text.substr(dots + 2));
    if (!low || !high) return std::nullopt;
    return Interval{*low, *high};
}

// Fields are called by a word; what has a dot or lies in a folder is a file.
bool is_file(std::string_view name) { return name.find_first_of("./") != std::string_view::npos; }

}  // namespace

NumberMap NumberMap::parsed(std::string_view text) {
    auto refuse = [&] {
        throw Error(
            fmt::format("{}: a map is @FIELD or @FILE.tif:FIELD, and behind it what 0 and 1 stand for: "
                        "@mask:20..45",
                        one_line(text)));
    };
    if (!is_map_text(text)) refuse();
    NumberMap map;
    std::string_view from = text.substr(1);
    if (const size_t colon = from.rfind(':'); colon != std::string_view::npos) {
        map.interval = parse_ends(from.substr(colon + 1));
        if (map.interval) from = from.substr(0, colon);
    }
    map.from = from;
    const bool has_end = !from.empty() && from.front() != ':' && from.back() != ':';
    // Of a field of the terrain nothing else can follow.
    if (!has_end || from.find(' ') == 0 || (map.file().empty() && from.find(':') != std::string_view::npos))
        refuse();
    return map;
}

std::string NumberMap::text() const {
    if (!interval) return "@" + from;
    return fmt::format("@{}:{}..{}", from, number_text(interval->low), number_text(interval->high));
}

std::string NumberMap::file() const {
    const size_t colon = from.rfind(':');
    const std::string name = from.substr(0, colon);
    return is_file(name) ? name : "";
}

std::string NumberMap::field_of_file() const {
    const size_t colon = from.rfind(':');
    return colon == std::string::npos ? "" : from.substr(colon + 1);
}

double NumberMap::number_at(float cell, const Interval& ends, double otherwise,
                            const std::optional<Interval>& range) const {
    if (std::isnan(cell)) return otherwise;
    double number = double(cell);
    if (interval) {
        const double share = ends.span() > 0 ? std::clamp((number - ends.low) / ends.span(), 0.0, 1.0) : 0;
        number = interval->low + (interval->high - interval->low) * share;
    }
    return range ? std::clamp(number, range->low, range->high) : number;
}

double Number::everywhere() const {
    if (map_) throw std::logic_error("a number that varies was asked for as one number");
    return everywhere_;
}

Interval Number::bounds(const Interval& range) const {
    if (!map_) return {everywhere_, everywhere_};
    if (!map_->interval) return range;
    const auto [low, high] = std::minmax(map_->interval->low, map_->interval->high);
    return {std::clamp(low, range.low, range.high), std::clamp(high, range.low, range.high)};
}

}  // namespace caprock
