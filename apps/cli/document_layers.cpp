// Commands of documents: layers, their settings and their masks.
#include "base/error.h"
#include "base/telling.h"
#include "base/text.h"
#include "document/setting_list.h"
#include "document_access.h"
#include "document_command.h"
#include "layer_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

auto teller(const ChangeSettings& settings) {
    return [quiet = settings.quiet.quiet](const std::string& message) {
        if (!quiet) tell(fmt::format("caprock: note: {}\n", message));
    };
}

// Commands with a chain of operations begin with words, so that their options can be told from those of operations.
void require_words_first(const std::string& command, const std::vector<std::string>& words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (i >= words.size() || words[i] == chain_word || OptionWord::is_option(words[i]))
            refuse_usage(command);
}

int close_with(DocumentSession& session, int layer) {
    std::string made = layer_text(layer_of(session.state(), layer));
    int code = session.finish();
    say("{}\n", made);
    return code;
}

// ---- add -------------------------------------------------------------------------------------------------

struct AddSettings {
    NewLayerSettings layer;
    ChangeSettings change;
    void describe(Declaration& d) {
        layer.describe(d);
        change.describe(d);
    }
};

struct AddPaintedSettings {
    std::string field = "height";
    NewLayerSettings layer;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.field("field", field).help("what its cells are of");
        layer.describe(d, {"field", "range"});
        change.describe(d);
    }
};

int add_painted_command(const std::vector<std::string>& words) {
    AddPaintedSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    DocumentWords given = read_document_words("add", declaration, words, 1, 1);
    DocumentSession session(given.path, settings.change);
    Layer layer = settings.layer.layer(LayerKind::painted, session.state());
    return close_with(session, add_painted(session.document(), settings.field, layer,
                                           settings.layer.place.spot(session.state())));
}

int add_command(const std::vector<std::string>& words) {
    require_words_first("add", words, 2);
    if (words[1] == "painted") return add_painted_command(words);
    AddSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    TypedOperations typed =
        read_operations({words.begin() + 1, words.end()}, Heads::presets_too, "document add", declaration,
                        given, [&](const std::string& message) { teller(settings.change)(message); });
    DocumentSession session(words[0], settings.change);
    check_typed(typed, session.state().grid);
    LayerKind kind = kind_of_operations(typed.operations, session.state());
    Layer layer = settings.layer.layer(kind, session.state());
    if (layer.name.empty()) layer.name = typed.title;
    layer.takes = takes_of(typed, session.state());
    // A preset's heights are metres: they stay what they are in a document of another range.
    if (kind == LayerKind::generated && typed.range && !given.contains("range") &&
        *typed.range != session.state().grid.range)
        layer.range = typed.range;
    return close_with(session, add_operations(session.document(), std::move(typed.operations), layer,
                                              settings.layer.place.spot(session.state())));
}

constexpr const char* take_remark =
    "  Operations may take fields of layers below, hidden or not, before they begin:\n"
    "    caprock document operations land.caprock Hills take Rock.height as hardness then gradation\n";

constexpr const char* add_remark =
    "  OPERATION is one that 'caprock list' names, with its parameters, and more of them after 'then'; or a "
    "preset,\n"
    "  or a recipe (.json), with --seed for all in it. Where the first makes something of nothing, the layer "
    "is\n"
    "  generated and blended into what lies below; otherwise it is an adjustment of that. 'painted' is an "
    "empty layer\n"
    "  to paint on, with --field.\n"
    "  A parameter that the operation and the layer both have is the operation's; 'caprock document set' "
    "reaches both.\n"
    "    caprock document add land.caprock noise --kind billow then normalise --name Hills --mode max\n"
    "    caprock document add land.caprock mesa --mode multi-resolution --width 800\n"
    "    caprock document add land.caprock thermal-erosion --steps 40 --opacity 0.7 --above Hills\n";

// ---- set and operations ----------------------------------------------------------------------------------

using SettingTexts = std::vector<std::pair<std::string, std::string>>;

// One option of the layer, with its value where it takes one.
std::pair<std::string, std::string> setting_of(const OptionWord& option, Words& words,
                                               const std::vector<LayerSetting>& settings) {
    const LayerSetting* setting = find_setting(settings, option.name);
    if (!setting && option.name.starts_with("no-")) {
        std::string name = option.name.substr(3);
        const LayerSetting* flag = find_setting(settings, name);
        if (flag && flag->type == ParameterType::flag && !option.has_value) return {name, "false"};
    }
    if (!setting) {
        std::vector<std::string> names;
        for (const LayerSetting& known : settings) names.push_back(known.name);
        std::optional<std::string> nearest = nearest_word(option.name, names);
        throw Error(fmt::format("no setting '{}'; {}", option.typed,
                                nearest ? fmt::format("did you mean '--{}'?", *nearest)
                                        : "'caprock document show P.caprock LAYER' lists them"));
    }
    if (option.has_value) return {option.name, option.value};
    if (setting->type == ParameterType::flag) return {option.name, "true"};
    if (words.empty() || OptionWord::is_option(words.peek()))
        throw Error(fmt::format("{} needs a value: {}", option.typed,
                                setting->range.empty() ? setting->help : setting->range));
    return {option.name, words.take()};
}

int set_command(const std::vector<std::string>& all) {
    require_words_first("set", all, 2);
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    // Options of the command first: a session is opened with them. What they leave is the layer's.
    std::vector<std::string> rest;
    Words words({all.begin() + 2, all.end()});
    while (!words.empty()) {
        std::string word = words.take();
        OptionWord option(OptionWord::is_option(word) ? word : "--");
        bool of_command = OptionWord::is_option(word) && apply_option(declaration, option, words, given);
        if (!of_command) rest.push_back(word);
    }
    DocumentSession session(all[0], settings);
    int id = session.layer(all[1]);
    const std::vector<LayerSetting> known = settings_of(layer_of(session.state(), id));
    SettingTexts texts;
    Words left(rest);
    while (!left.empty()) {
        std::string word = left.take();
        if (!OptionWord::is_option(word))
            throw Error(fmt::format("document set: '{}' is not expected here; settings begin with --",
                                    one_line(word)));
        try {
            texts.push_back(setting_of(OptionWord(word), left, known));
        } catch (const Error& error) {
            throw Error(
                fmt::format("document set: {}: {}", layer_text(layer_of(session.state(), id)), error.what()));
        }
    }
    if (texts.empty())
        throw Error(
            "document set: nothing to set; for example --opacity 0.5. 'caprock document show P.caprock "
            "LAYER' "
            "lists all");
    set_layer(session.document(), id, texts);
    return session.finish();
}

constexpr const char* set_remark =
    "  Several settings are one step of the history. 'caprock document show' lists them with their values. "
    "Where\n"
    "  several operations of the layer have a parameter, 2.octaves is that of the second; mask.octaves that "
    "of the mask.\n"
    "    caprock document set land.caprock Hills --opacity 0.5 --octaves 4 --mask.between 10:30 "
    "--no-visible\n"
    "    caprock document set land.caprock Hills --move 400,-200 --rotate 30 --scale 0.5\n";

int operations_command(const std::vector<std::string>& words) {
    require_words_first("operations", words, 3);
    ChangeSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    TypedOperations typed = read_operations({words.begin() + 2, words.end()}, Heads::presets_too,
                                            "document operations", declaration, given, teller(settings));
    DocumentSession session(words[0], settings);
    check_typed(typed, session.state().grid);
    const std::vector<LayerTake> takes = takes_of(typed, session.state());
    set_operations(session.document(), session.layer(words[1]), std::move(typed.operations), takes);
    return session.finish();
}

// ---- masks -----------------------------------------------------------------------------------------------

struct MaskSettings {
    bool none = false;
    double painted = 0;
    ChangeSettings change;
    void describe(Declaration& d) {
        d.flag("none", none).help("takes the mask away");
        d.number("painted", painted)
            .range(0, 1)
            .help("a mask to paint on, which is this everywhere to begin with");
        change.describe(d);
    }
};

int mask_command(const std::vector<std::string>& words) {
    require_words_first("mask", words, 2);
    MaskSettings settings;
    Declaration declaration;
    settings.describe(declaration);
    std::set<std::string> given;
    bool has_operation = words.size() > 2 && !OptionWord::is_option(words[2]);
    TypedOperations typed;
    if (has_operation) {
        typed = read_operations({words.begin() + 2, words.end()}, Heads::operations, "document mask",
                                declaration, given, teller(settings.change));
    } else {
        std::vector<std::string> others =
            read_options(declaration, Words({words.begin() + 2, words.end()}), "document mask", given);
        if (!others.empty())
            throw Error(
                fmt::format("document mask: '{}' is not expected here; operations come before options",
                            one_line(others.front())));
    }
    if (int(has_operation) + int(settings.none) + int(given.contains("painted")) != 1)
        throw Error("document mask: takes one of them: operations, --painted VALUE or --none");
    DocumentSession session(words[0], settings.change);
    check_typed(typed, session.state().grid);
    int layer = session.layer(words[1]);
    if (settings.none) {
        remove_mask(session.document(), layer);
    } else if (has_operation) {
        set_mask(session.document(), layer, std::move(typed.operations));
    } else {
        paint_mask(session.document(), layer, float(settings.painted));
    }
    return session.finish();
}

constexpr const char* mask_remark =
    "  The operations see what lies below the layer, and make a field called mask: 0 hides the layer, 1 "
    "shows "
    "it.\n"
    "    caprock document mask land.caprock Snow mask-height --between 700:2000 then mask-feather --radius "
    "100\n"
    "    caprock document set land.caprock Snow --invert-mask\n"
    "    caprock document mask land.caprock Snow --none\n";

}  // namespace

std::vector<Command> document_layer_commands() {
    return {
        {"add", "P.caprock OPERATION|PRESET|painted ... [then OPERATION ...]",
         "a new layer, on top unless it is placed", add_command, settings_help<AddSettings>,
         settings_names<AddSettings>, add_remark},
        {"set", "P.caprock LAYER --setting value ...", "what a layer, its operations and its mask are set to",
         set_command, settings_help<ChangeSettings>, settings_names<ChangeSettings>, set_remark},
        {"operations", "P.caprock LAYER OPERATION|PRESET ... [then OPERATION ...]",
         "others in the place of those a layer has", operations_command, settings_help<ChangeSettings>,
         settings_names<ChangeSettings>, take_remark},
        {"mask", "P.caprock LAYER OPERATION ... [then OPERATION ...] | --painted VALUE | --none",
         "where a layer is to be seen", mask_command, settings_help<MaskSettings>,
         settings_names<MaskSettings>, mask_remark},
    };
}

}  // namespace caprock::cli
