#include "terrain/line_text.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace caprock {

namespace {

constexpr const char* close_word = "close";

std::optional<LinePoint> point_in(const std::string& word) {
    const std::vector<std::string> parts = split(word, ',');
    if (parts.size() != 2 && parts.size() != 3) return std::nullopt;
    std::array<double, 3> numbers{};
    for (size_t i = 0; i < parts.size(); i++) {
        std::optional<double> number = parse_number(parts[i]);
        if (!number || !std::isfinite(*number)) return std::nullopt;
        numbers[i] = *number;
    }
    return parts.size() == 2 ? LinePoint(numbers[0], numbers[1])
                             : LinePoint(numbers[0], numbers[1], numbers[2]);
}

LinePoint needed_point(const std::string& word) {
    if (std::optional<LinePoint> point = point_in(word)) return *point;
    const bool is_name = word.find(',') == std::string::npos &&
                         std::ranges::any_of(word, [](unsigned char c) { return std::isalpha(c); });
    throw Error(fmt::format(
        "'{}' is not a place; write x,y in metres, or x,y,height{}", one_line(word),
        is_name ? fmt::format("; a file of lines, or lines of the terrain, is '@{}'", one_line(word)) : ""));
}

// Words by spaces, as also tabs and new lines are.
std::vector<std::string> words_of(std::string_view text) {
    std::string spaced(text);
    std::ranges::replace_if(
        spaced, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    std::vector<std::string> words = split(spaced, ' ');
    std::erase(words, "");
    return words;
}

std::string point_text(const LinePoint& point) {
    std::string text = fmt::format("{},{}", number_text(point.x), number_text(point.y));
    return point.has_height() ? fmt::format("{},{}", text, number_text(point.z)) : text;
}

// ---- JSON ----

Json attribute_json(const LineAttribute& value) {
    return std::visit([](const auto& content) -> Json { return content; }, value);
}

[[noreturn]] void refuse_json(size_t line, const char* why) {
    throw Error(fmt::format("line {} of a line set: {}", line + 1, why));
}

LinePoint point_from(const Json& json, size_t line) {
    if (!json.is_array() || (json.size() != 2 && json.size() != 3) ||
        !std::ranges::all_of(json, [](const Json& number) { return number.is_number(); }))
        refuse_json(line, "a point is [x, y] or [x, y, height]");
    LinePoint point(json[0].get<double>(), json[1].get<double>());
    if (json.size() == 3) point.z = json[2].get<double>();
    return point;
}

Line line_from(const Json& json, size_t index) {
    Line line;
    if (!json.is_object() || !json.contains("points") || !json["points"].is_array())
        refuse_json(index, "it has no list of \"points\"");
    for (const Json& point : json["points"]) line.points.push_back(point_from(point, index));
    if (json.contains("closed")) {
        if (!json["closed"].is_boolean()) refuse_json(index, "\"closed\" is true or false");
        line.closed = json["closed"].get<bool>();
    }
    if (!json.contains("attributes")) return line;
    if (!json["attributes"].is_object()) refuse_json(index, "\"attributes\" is an object");
    for (const auto& [name, value] : json["attributes"].items()) {
        if (value.is_string()) {
            line.attributes[name] = value.get<std::string>();
        } else if (value.is_number_float()) {
            line.attributes[name] = value.get<double>();
        } else if (value.is_number_integer()) {
            line.attributes[name] = value.get<int64_t>();
        } else {
            refuse_json(index, "an attribute is a number or a text");
        }
    }
    return line;
}

}  // namespace

LineSet parse_lines(std::string_view text) {
    std::vector<Line> lines;
    for (const std::string& part : split(text, ';')) {
        std::vector<std::string> words = words_of(part);
        if (words.empty()) continue;
        Line line;
        if (words.back() == close_word) {
            line.closed = true;
            words.pop_back();
        }
        for (const std::string& word : words) line.points.push_back(needed_point(word));
        if (line.points.empty()) throw Error("'close' stands at the end of a line, behind its places");
        lines.push_back(std::move(line));
    }
    return LineSet(std::move(lines));
}

LineSet parse_points(std::string_view text) {
    std::string spaced(text);
    std::ranges::replace(spaced, ';', ' ');
    std::vector<Line> points;
    for (const std::string& word : words_of(spaced)) points.push_back({{needed_point(word)}});
    return LineSet(std::move(points));
}

std::string lines_text(const LineSet& lines) {
    std::string text;
    for (const Line& line : lines.lines()) {
        if (!text.empty()) text += "; ";
        for (size_t i = 0; i < line.points.size(); i++)
            text += (i > 0 ? " " : "") + point_text(line.points[i]);
        if (line.closed) text += std::string(" ") + close_word;
    }
    return text;
}

std::string points_text(const LineSet& points) {
    std::string text;
    for (const Line& line : points.lines())
        for (const LinePoint& point : line.points) text += (text.empty() ? "" : " ") + point_text(point);
    return text;
}

Json lines_json(const LineSet& lines) {
    Json all = Json::array();
    for (const Line& line : lines.lines()) {
        Json points = Json::array();
        for (const LinePoint& point : line.points) {
            Json numbers = {point.x, point.y};
            if (point.has_height()) numbers.push_back(point.z);
            points.push_back(std::move(numbers));
        }
        Json json = {{"points", std::move(points)}};
        if (line.closed) json["closed"] = true;
        for (const auto& [name, value] : line.attributes) json["attributes"][name] = attribute_json(value);
        all.push_back(std::move(json));
    }
    return all;
}

LineSet lines_from_json(const Json& json) {
    if (!json.is_array()) throw Error("a line set is a list of lines");
    std::vector<Line> lines;
    for (const Json& entry : json) lines.push_back(line_from(entry, lines.size()));
    LineSet set(std::move(lines));
    set.check();
    return set;
}

}  // namespace caprock
