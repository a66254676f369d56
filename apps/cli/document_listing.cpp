// Commands of documents: their layers, and the settings of one.
#include "base/json_text.h"
#include "base/telling.h"
#include "base/text.h"
#include "base/text_file.h"
#include "document/layer_files.h"
#include "document/setting_list.h"
#include "document_access.h"
#include "document_command.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

struct ListSettings {
    bool json = false;
    MemorySettings memory;
    QuietSettings quiet;
    void describe(Declaration& d) {
        d.flag("json", json).help("machine-readable");
        memory.describe(d);
        quiet.describe(d);
    }
};

std::unique_ptr<Document> looked_at(const std::string& path, const MemorySettings& memory,
                                    Terminal& terminal) {
    DocumentOptions options = document_options(memory, terminal);
    options.read_only = true;
    return Document::open(path, options);
}

// Of files that have become others than the document holds.
void tell_of_files(const std::vector<Layer>& layers, const std::string& document, Terminal& terminal) {
    for (const FileNote& note : file_notes(layers)) {
        std::string how =
            fmt::format("caprock document set {} {} --{} {}", document, note.layer, note.setting, note.path);
        std::string what =
            note.taken_in
                ? fmt::format("the file '{}' is another now than the document holds; to take it", note.path)
                : fmt::format("the document names the file '{}' and does not hold it; to take it in",
                              note.path);
        terminal.warn(fmt::format("layer {} ({}): {}: {}", note.layer, one_line(note.layer_name), what, how));
    }
}

// ---- list ------------------------------------------------------------------------------------------------

std::vector<std::string> operation_names_of(const std::vector<LayerOperation>& steps) {
    std::vector<std::string> names;
    for (const LayerOperation& step : steps)
        names.emplace_back(step.operation ? step.operation->name() : "(unknown)");
    return names;
}

std::vector<std::string> canvas_fields(const Layer& layer) {
    std::vector<std::string> fields;
    for (const LayerCanvas& use : layer.canvases) fields.push_back(use.field);
    return fields;
}

std::string takes_text(const Layer& layer) {
    std::string text;
    for (const LayerTake& taken : layer.takes)
        text += fmt::format("take {}{} as {} then ", taken.layer,
                            taken.of.empty() ? "" : "." + one_line(taken.of), one_line(taken.field));
    return text;
}

std::string content_text(const Layer& layer) {
    switch (layer.kind) {
        case LayerKind::generated:
        case LayerKind::adjustment:
            return takes_text(layer) +
                   fmt::format("{}", fmt::join(operation_names_of(layer.operations), " then "));
        case LayerKind::painted:
            return listed(canvas_fields(layer));
        case LayerKind::imported:
            return fmt::format("{} of {}", listed(canvas_fields(layer)), shown_path(layer.file));
        case LayerKind::group:
            return layer.layers.empty() ? "empty" : "";
        case LayerKind::unknown:
            return "of a newer version";
    }
    return "";
}

std::string mask_text(const LayerMask& mask) {
    std::string text = mask.kind == LayerMask::Kind::none ? "-"
                       : mask.kind == LayerMask::Kind::painted
                           ? "painted"
                           : fmt::format("{}", fmt::join(operation_names_of(mask.operations), "+"));
    return mask.inverted && mask.kind != LayerMask::Kind::none ? text + ", inverted" : text;
}

std::string state_text(const Layer& layer) {
    std::vector<std::string> words;
    if (!layer.visible) words.emplace_back("hidden");
    if (layer.locked) words.emplace_back("locked");
    if (layer.placement.moves()) words.emplace_back("placed");
    return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ","));
}

using Row = std::vector<std::string>;

void add_rows(const std::vector<Layer>& layers, int depth, std::vector<Row>& rows) {
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        std::string mode = blend_mode(*layer);
        rows.push_back({std::to_string(layer->id),
                        std::string(size_t(depth) * 2, ' ') + one_line(layer->name),
                        std::string(kind_word(layer->kind)), mode, number_text(layer_opacity(*layer)),
                        mask_text(layer->mask), state_text(*layer),
                        content_text(*layer) +
                            (layer->field.empty() ? "" : fmt::format(" as {}", one_line(layer->field)))});
        add_rows(layer->layers, depth + 1, rows);
    }
}

// Letters, not bytes: names may be in any language.
size_t letters_of(const std::string& text) {
    return size_t(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string table_text(const std::vector<Row>& rows) {
    std::vector<size_t> widths(rows.front().size());
    for (const Row& row : rows)
        for (size_t i = 0; i < row.size(); i++) widths[i] = std::max(widths[i], letters_of(row[i]));
    std::string text;
    for (const Row& row : rows) {
        std::string line = " ";
        for (size_t i = 0; i < row.size(); i++) {
            std::string space(widths[i] - letters_of(row[i]), ' ');
            // Numbers to the right.
            bool right = i == 0;
            line += " " + (right ? space + row[i] : row[i] + space) + " ";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    return text;
}

std::string grid_text(const DocumentState& state) {
    std::string text =
        fmt::format("{} x {} cells of {} m, range {} m", state.window.width(), state.window.height(),
                    number_text(state.grid.cell), interval_text(state.grid.range));
    if (state.window != state.grid.extent)
        text += fmt::format(", a part of {} x {}", state.grid.extent.width(), state.grid.extent.height());
    return text;
}

Json layer_json(const Layer& layer) {
    Json json = {{"number", layer.id},
                 {"name", layer.name},
                 {"kind", kind_word(layer.kind)},
                 {"mode", blend_mode(layer)},
                 {"opacity", layer_opacity(layer)},
                 {"visible", layer.visible},
                 {"locked", layer.locked}};
    if (!layer.field.empty()) json["field"] = layer.field;
    if (layer.mask.kind == LayerMask::Kind::none) {
        json["mask"] = nullptr;
    } else {
        json["mask"] = {{"painted", layer.mask.kind == LayerMask::Kind::painted},
                        {"operations", operation_names_of(layer.mask.operations)},
                        {"inverted", layer.mask.inverted}};
    }
    json["operations"] = operation_names_of(layer.operations);
    for (const LayerTake& taken : layer.takes)
        json["takes"].push_back({{"field", taken.field}, {"layer", taken.layer}, {"of", taken.of}});
    json["fields"] = canvas_fields(layer);
    if (!layer.file.empty()) json["file"] = layer.file;
    json["layers"] = Json::array();
    for (auto inside = layer.layers.rbegin(); inside != layer.layers.rend(); ++inside)
        json["layers"].push_back(layer_json(*inside));
    return json;
}

std::string list_json(const DocumentState& state, const std::string& path) {
    Json json = {{"file", path},
                 {"size", {state.window.width(), state.window.height()}},
                 {"cell", state.grid.cell},
                 {"range", {state.grid.range.low, state.grid.range.high}}};
    // From the top, as they are printed.
    json["layers"] = Json::array();
    for (auto layer = state.layers.rbegin(); layer != state.layers.rend(); ++layer)
        json["layers"].push_back(layer_json(*layer));
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

int list_command(const std::vector<std::string>& words) {
    ListSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("list", declaration, words, 0, 0);
    Terminal terminal(settings.quiet.loudness());
    std::unique_ptr<Document> document = looked_at(given.path, settings.memory, terminal);
    const DocumentState& state = document->state();
    if (settings.json) {
        say("{}", list_json(state, given.path));
        return 0;
    }
    std::vector<Row> rows = {{"no", "name", "kind", "mode", "opacity", "mask", "state", "content"}};
    add_rows(state.layers, 0, rows);
    say("{}: {}\n", given.path, grid_text(state));
    if (rows.size() > 1) {
        say("{}", table_text(rows));
    } else {
        say("  no layers; 'caprock document add {} noise' makes one\n", given.path);
    }
    tell_of_files(state.layers, given.path, terminal);
    return 0;
}

// ---- show ------------------------------------------------------------------------------------------------

std::string settings_text(const std::vector<LayerSetting>& settings) {
    size_t name = 0;
    size_t value = 0;
    auto value_of = [](const LayerSetting& setting) {
        std::string shown = setting.text.empty() ? "-" : one_line(setting.text);
        return setting.unit.empty() || setting.text.empty() ? shown : shown + " " + setting.unit;
    };
    for (const LayerSetting& setting : settings) {
        name = std::max(name, setting.name.size());
        // A longer one pushes its own line alone.
        if (letters_of(value_of(setting)) <= 24) value = std::max(value, letters_of(value_of(setting)));
    }
    std::string text;
    std::string heading;
    for (const LayerSetting& setting : settings) {
        std::string owner = setting.step > 0 ? fmt::format("{}{}. {}", setting.of_mask ? "mask " : "",
                                                           setting.step, setting.owner)
                                             : setting.owner;
        if (owner != heading) text += fmt::format("\n{}\n", owner);
        heading = owner;
        std::string shown = value_of(setting);
        std::string space(value > letters_of(shown) ? value - letters_of(shown) : 0, ' ');
        text += fmt::format("  --{:<{}}  {}{}  {}{}\n", setting.name, name, shown, space, setting.help,
                            setting.range.empty() || setting.type == ParameterType::flag
                                ? ""
                                : fmt::format(" ({})", setting.range));
    }
    return text;
}

int show_command(const std::vector<std::string>& words) {
    ListSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("show", declaration, words, 1, 1);
    Terminal terminal(settings.quiet.loudness());
    std::unique_ptr<Document> document = looked_at(given.path, settings.memory, terminal);
    const Layer& layer = layer_of(document->state(), layer_named(document->state(), given.others[0]));
    std::vector<LayerSetting> all = settings_of(layer);
    if (settings.json) {
        Json json = layer_json(layer);
        json["settings"] = Json::object();
        for (const LayerSetting& setting : all) json["settings"][setting.name] = setting.text;
        say("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
        return 0;
    }
    std::string content = content_text(layer);
    say("{}: {}{}{}\n{}", layer_text(layer), kind_word(layer.kind), content.empty() ? "" : ", ", content,
        settings_text(all));
    tell_of_files({layer}, given.path, terminal);
    return 0;
}

}  // namespace

std::vector<Command> document_listing_commands() {
    return {
        {"list", "P.caprock", "the layers, from the top", list_command, settings_help<ListSettings>,
         settings_names<ListSettings>},
        {"show", "P.caprock LAYER", "every setting of a layer, with its value", show_command,
         settings_help<ListSettings>, settings_names<ListSettings>},
    };
}

}  // namespace caprock::cli
