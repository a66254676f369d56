#include "line_outputs.h"

#include "base/error.h"
#include "base/json_text.h"
#include "base/text.h"
#include "formats/format_table.h"
#include "outcome.h"
#include "report.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

std::vector<std::string> names_of(const NamedLines& all) {
    std::vector<std::string> names;
    for (const auto& [name, lines] : all) names.push_back(name);
    return names;
}

}  // namespace

LineFileWord line_output(const std::string& word) {
    if (is_line_name(word)) return {word, ""};
    const size_t colon = word.rfind(':');
    return {word.substr(0, colon), word.substr(colon + 1)};
}

bool is_line_output(const std::string& word) {
    if (is_line_name(word)) return true;
    const size_t colon = word.rfind(':');
    return colon != std::string::npos && colon + 1 < word.size() && is_line_name(word.substr(0, colon));
}

std::optional<LineFileWord> line_input(const std::string& word) {
    if (means_lines(word)) return LineFileWord{word, ""};
    if (is_line_name(word) || !is_line_output(word)) return std::nullopt;
    const LineFileWord file = line_output(word);
    if (!means_lines(file.path)) return std::nullopt;
    return file;
}

NamedLines lines_of(const Terrain& terrain) {
    NamedLines all;
    for (const std::string& name : terrain.line_names()) all.emplace_back(name, terrain.lines(name));
    return all;
}

NamedLines lines_of(const TerrainSource& source) { return source.lines(); }

void check_lines_for(const LineFileWord& output, const std::vector<std::string>& names) {
    auto refuse = [&](const std::string& why) {
        throw Error(fmt::format("cannot write '{}': {}", output.path, why));
    };
    if (names.empty())
        refuse("there are no lines; 'contours', 'road --lines NAME' and 'riverbed --lines NAME' make some");
    if (!output.name.empty() && !contains(names, output.name))
        refuse(fmt::format("there are no lines '{}'; there is {}", one_line(output.name), listed(names)));
    const LineFormat& format = *line_format_of_name(output.path);
    if (output.name.empty() && names.size() > 1 && !format.many_sets)
        refuse(fmt::format("a {} holds one line set, and there are {}; say which: {}:{}, or write a .gpkg",
                           format.ending, listed(names), output.path, names.back()));
}

NamedLines lines_for(const LineFileWord& output, const NamedLines& all) {
    check_lines_for(output, names_of(all));
    NamedLines taken = all;
    if (!output.name.empty())
        std::erase_if(taken, [&](const auto& entry) { return entry.first != output.name; });
    return taken;
}

namespace {

// `write` is given each file and the name that it takes.
template <typename Write>
void write_each(const std::vector<std::string>& outputs, Terminal& terminal, const Write& write) {
    FileContext files{&terminal.progress(), [&](const std::string& message) { terminal.warn(message); }};
    for (const std::string& word : outputs) {
        const LineFileWord output = line_output(word);
        terminal.progress().check();
        terminal.begin("writing " + output.path);
        write(output, files);
        terminal.end();
        note_written(output.path);
        terminal.remark("wrote " + output.path);
    }
}

// The one that is said, or every layer; one at least: what holds none is refused by whoever reads it.
std::vector<std::string> layers_to_read(const LineFileWord& file) {
    if (!file.name.empty()) return {file.name};
    std::vector<std::string> layers = line_layers(file.path);
    if (layers.empty()) layers.emplace_back();
    return layers;
}

}  // namespace

void write_line_outputs(const std::vector<std::string>& outputs, const NamedLines& all, const Terrain& shape,
                        Terminal& terminal) {
    write_each(outputs, terminal, [&](const LineFileWord& output, const FileContext& files) {
        write_lines(lines_for(output, all), shape, output.path, files);
    });
}

void write_line_outputs(const std::vector<std::string>& outputs, const LineFileWord& from,
                        Terminal& terminal) {
    const std::vector<std::string> layers = layers_to_read(from);
    write_each(outputs, terminal, [&](const LineFileWord& output, const FileContext& files) {
        check_lines_for(output, layers);
        std::vector<std::pair<std::string, LineFile>> sets;
        for (const std::string& layer : layers)
            if (output.name.empty() || output.name == layer)
                sets.emplace_back(layer, read_line_file(from.path, layer, files));
        write_line_file(sets, output.path, files);
    });
}

std::vector<LineSet> lines_to_draw(const std::vector<std::string>& words, const Terrain& shape,
                                   const NamedLines& of_terrain) {
    std::vector<LineSet> all;
    for (const std::string& word : words) {
        if (is_line_output(word)) {
            const LineFileWord file = line_output(word);
            for (const std::string& layer : layers_to_read(file))
                all.push_back(read_lines(file.path, layer, shape));
            continue;
        }
        auto named = std::ranges::find(of_terrain, word, &NamedLines::value_type::first);
        if (named == of_terrain.end())
            throw Error(fmt::format(
                "lines {}: no file of lines, and no lines of the terrain are called so{}", one_line(word),
                of_terrain.empty() ? "; it has none" : "; it has " + listed(names_of(of_terrain))));
        all.push_back(named->second);
    }
    return all;
}

// ---- info ------------------------------------------------------------------------------------------------

namespace {

std::string title_of_system(const std::string& projection) {
    const size_t open = projection.find('"');
    const size_t close = projection.find('"', open + 1);
    return open == std::string::npos ? "no coordinate system" : projection.substr(open + 1, close - open - 1);
}

}  // namespace

std::string line_file_text(const LineFileWord& word) {
    std::string text = fmt::format("{}\n", word.path);
    std::vector<TerrainFacts::OfLines> all;
    std::string system;
    for (const std::string& layer : layers_to_read(word)) {
        const LineFile file = read_line_file(word.path, layer);
        system = file.projection;
        all.push_back(facts_of(layer, file.lines));
    }
    text += fmt::format("  place   {}\n", title_of_system(system));
    return text + lines_text_of(all);
}

std::string line_file_json(const LineFileWord& word) {
    Json json = {{"file", word.path}};
    std::vector<TerrainFacts::OfLines> all;
    for (const std::string& layer : layers_to_read(word)) {
        const LineFile file = read_line_file(word.path, layer);
        if (!file.projection.empty()) json["projection"] = file.projection;
        all.push_back(facts_of(layer, file.lines));
    }
    json["lines"] = lines_json_of(all);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace caprock::cli
