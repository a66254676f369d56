#include "painting/stroke.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "painting/brush_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace caprock {

namespace {

constexpr int strokes_version = 1;
// More than anybody draws, and less than a mistake in a file may cost.
constexpr size_t most_samples = 1'000'000;

PenSample sample_from(const std::vector<double>& numbers, const std::string& shown) {
    size_t count = numbers.size();
    if (count < 2 || count == 4 || count > 6)
        throw Error(
            fmt::format("sample {}: give x,y or x,y,pressure or x,y,pressure,tilt-x,tilt-y[,time]", shown));
    PenSample sample;
    sample.x = numbers[0];
    sample.y = numbers[1];
    if (count > 2) sample.pressure = numbers[2];
    if (count > 4) {
        sample.tilt_x = numbers[3];
        sample.tilt_y = numbers[4];
    }
    if (count > 5) sample.time = numbers[5];
    if (std::ranges::any_of(numbers, [](double number) { return !std::isfinite(number); }) ||
        std::abs(sample.x) > 1e9 || std::abs(sample.y) > 1e9)
        throw Error(fmt::format("sample {}: lies nowhere", shown));
    if (sample.pressure < 0 || sample.pressure > 1)
        throw Error(fmt::format("sample {}: pressure must be 0 to 1", shown));
    return sample;
}

Json sample_json(const PenSample& sample) {
    Json json = {sample.x, sample.y};
    bool tilted = sample.tilt_x != 0 || sample.tilt_y != 0;
    bool timed = sample.time != 0;
    if (sample.pressure != 1 || tilted || timed) json.push_back(sample.pressure);
    if (tilted || timed) {
        json.push_back(sample.tilt_x);
        json.push_back(sample.tilt_y);
    }
    if (timed) json.push_back(sample.time);
    return json;
}

Stroke stroke_from(const Json& json, const std::function<void(const std::string&)>& tell) {
    if (!json.is_object()) throw Error("must be an object");
    Stroke stroke;
    if (!json.contains("brush")) throw Error("has no \"brush\"");
    if (json["brush"].is_string()) {
        stroke.brush_name = json["brush"].get<std::string>();
        stroke.brush = brush_named(stroke.brush_name);
    } else {
        stroke.brush = parse_brush(json["brush"].dump(), tell);
    }
    auto whole = [&](const char* name, int64_t low, int64_t high, int64_t otherwise) {
        if (!json.contains(name)) return otherwise;
        if (!json[name].is_number_integer() || json[name] < low || json[name] > high)
            throw Error(fmt::format("\"{}\" must be a whole number from {} to {}", name, low, high));
        return json[name].get<int64_t>();
    };
    stroke.layer = int(whole("layer", 0, INT32_MAX, 0));
    stroke.seed = uint32_t(whole("seed", 0, UINT32_MAX, 1));
    if (json.contains("mask")) {
        if (!json["mask"].is_boolean()) throw Error("\"mask\" must be true or false");
        stroke.mask = json["mask"].get<bool>();
    }
    if (!json.contains("samples") || !json["samples"].is_array() || json["samples"].empty())
        throw Error("has no \"samples\"");
    if (json["samples"].size() > most_samples) throw Error("has more samples than anybody draws");
    for (const Json& entry : json["samples"]) {
        std::string shown = one_line(entry.dump());
        if (!entry.is_array() ||
            !std::ranges::all_of(entry, [](const Json& number) { return number.is_number(); }))
            throw Error(fmt::format("sample {}: must be a list of numbers", shown));
        stroke.samples.push_back(sample_from(entry.get<std::vector<double>>(), shown));
    }
    return stroke;
}

}  // namespace

std::string strokes_text(const std::vector<Stroke>& strokes) {
    Json json = {{"caprock-strokes", strokes_version}, {"strokes", Json::array()}};
    for (const Stroke& stroke : strokes) {
        Json entry = Json::object();
        if (stroke.brush_name.empty()) {
            entry["brush"] = Json::parse(brush_text(stroke.brush));
        } else {
            entry["brush"] = stroke.brush_name;
        }
        if (stroke.layer != 0) entry["layer"] = stroke.layer;
        if (stroke.mask) entry["mask"] = true;
        entry["seed"] = stroke.seed;
        entry["samples"] = Json::array();
        for (const PenSample& sample : stroke.samples) entry["samples"].push_back(sample_json(sample));
        json["strokes"].push_back(std::move(entry));
    }
    return json.dump() + "\n";
}

std::vector<Stroke> parse_strokes(const std::string& text,
                                  const std::function<void(const std::string&)>& tell) {
    const Json json = parsed_json(text, "not strokes: lists within lists, far too deep");
    if (!json.is_object() || !json.contains("caprock-strokes") ||
        !json["caprock-strokes"].is_number_integer())
        throw Error("not strokes: there is no \"caprock-strokes\" with a version");
    if (json["caprock-strokes"] > strokes_version && tell)
        tell(fmt::format("strokes of a newer version ({}; this one knows {})", json["caprock-strokes"].dump(),
                         strokes_version));
    if (!json.contains("strokes") || !json["strokes"].is_array()) throw Error("\"strokes\" must be a list");
    std::vector<Stroke> strokes;
    for (const Json& entry : json["strokes"]) {
        try {
            strokes.push_back(stroke_from(entry, tell));
        } catch (const Error& error) {
            throw Error(fmt::format("stroke {}: {}", strokes.size() + 1, error.what()));
        }
    }
    return strokes;
}

std::vector<PenSample> parse_samples(std::string_view text) {
    std::vector<PenSample> samples;
    for (const std::string& word : split(text, ' ')) {
        if (word.empty()) continue;
        std::vector<double> numbers;
        for (const std::string& part : split(word, ',')) {
            std::optional<double> number = parse_number(part);
            if (!number)
                throw Error(fmt::format("sample '{}': '{}' is no number", one_line(word), one_line(part)));
            numbers.push_back(*number);
        }
        samples.push_back(sample_from(numbers, "'" + one_line(word) + "'"));
    }
    if (samples.empty())
        throw Error("a stroke needs at least one sample: \"x,y[,pressure] x,y ...\", in metres");
    return samples;
}

int64_t draw(Document& document, const Stroke& stroke, const PaintTarget& target, RunContext& context) {
    LiveStroke live(document, target, stroke.brush, stroke.seed, context);
    live.extend(stroke.samples);
    return live.finish();
}

}  // namespace caprock
