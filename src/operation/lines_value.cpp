#include "operation/lines_value.h"

#include "base/error.h"
#include "base/text.h"
#include "terrain/line_text.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <utility>
#include <xxhash.h>

namespace caprock {

namespace {

constexpr char reference_sign = '@';

bool names_a_file(std::string_view word) { return word.find_first_of("./") != std::string_view::npos; }

// FILE:LAYER. A colon may be part of the file's name, and is where there is such a file.
std::pair<std::string, std::string> file_and_layer(const std::string& word) {
    std::error_code unknown;
    const size_t colon = word.rfind(':');
    if (colon == std::string::npos || colon == 0 || word.find('/', colon) != std::string::npos ||
        std::filesystem::exists(word, unknown))
        return {word, ""};
    return {word.substr(0, colon), word.substr(colon + 1)};
}

std::string text_member(const Json& json, const char* name) {
    if (!json.contains(name)) return "";
    if (!json[name].is_string()) throw Error(fmt::format("\"{}\" must be a text", name));
    return json[name].get<std::string>();
}

}  // namespace

LinesValue LinesValue::named(std::string name) {
    try {
        check_line_name(name);
    } catch (const Error&) {
        throw Error(fmt::format(
            "'@{}': behind the @ stands a file, or the name of lines, which is letters, digits, - and _",
            one_line(name)));
    }
    LinesValue value;
    value.name_ = std::move(name);
    return value;
}

LinesValue LinesValue::of_file(std::string path, std::string layer) {
    LinesValue value;
    value.path_ = std::move(path);
    value.layer_ = std::move(layer);
    return value;
}

LinesValue LinesValue::of_file(std::string path, std::string layer, LineFile content) {
    LinesValue value = of_file(std::move(path), std::move(layer));
    value.content_ = std::move(content);
    value.is_read_ = true;
    return value;
}

void LinesValue::fetch() {
    if (is_read_ || path_.empty()) return;
    content_ = line_file_access().read(path_, layer_);
    is_read_ = true;
}

LinesValue LinesValue::placed_on(const Terrain& shape) const {
    if (is_named() || path_.empty()) return *this;
    LinesValue read = *this;
    read.fetch();
    try {
        return {lines_on(read.content_, shape)};
    } catch (const Error& error) {
        throw Error(fmt::format("'{}': {}", path_, error.what()));
    }
}

LinesValue LinesValue::parsed(std::string_view text, bool points) {
    const std::string word = trimmed(text);
    if (word.empty()) return {};
    if (word.front() != reference_sign) return {points ? parse_points(word) : parse_lines(word)};
    const std::string meant = word.substr(1);
    if (!names_a_file(meant)) return named(meant);
    auto [path, layer] = file_and_layer(meant);
    return of_file(std::move(path), std::move(layer));
}

std::string LinesValue::text(bool points) const {
    if (is_named()) return reference_sign + name_;
    if (!path_.empty()) return reference_sign + path_ + (layer_.empty() ? "" : ":" + layer_);
    return points ? points_text(lines()) : lines_text(lines());
}

Json LinesValue::json() const {
    if (is_named() || !is_read_) return text(false);
    if (path_.empty() && !lines().has_attributes()) return lines_text(lines());
    Json json = Json::object();
    if (!path_.empty()) json["file"] = path_;
    if (!layer_.empty()) json["layer"] = layer_;
    if (!content_.projection.empty()) json["projection"] = content_.projection;
    json["lines"] = lines_json(lines());
    return json;
}

LinesValue LinesValue::from_json(const Json& json, bool points) {
    if (json.is_string()) return parsed(json.get<std::string>(), points);
    if (!json.is_object() || !json.contains("lines"))
        throw Error("must be a text, \"x,y x,y\" or \"@FILE\", or an object with \"lines\"");
    LineSet lines = lines_from_json(json["lines"]);
    const std::string path = text_member(json, "file");
    if (path.empty()) return {std::move(lines)};
    return of_file(path, text_member(json, "layer"), {std::move(lines), text_member(json, "projection")});
}

std::string LinesValue::meaning() const {
    if (is_named()) return text(false);
    const std::string bytes = lines().bytes() + content_.projection;
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return given() ? fmt::format("{:016x}{:016x}", hash.high64, hash.low64) : "";
}

}  // namespace caprock
