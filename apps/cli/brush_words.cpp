#include "brush_words.h"

#include "base/error.h"
#include "base/text.h"
#include "base/text_file.h"
#include "files.h"
#include "kernel_command.h"
#include "painting/brush_text.h"
#include "painting/picture.h"

#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

constexpr size_t longest_brush = 16 << 20;
constexpr const char* operation_prefix = "operation.";
constexpr const char* blend_prefix = "blend.";

Brush brush_from_file(const std::string& path, Terminal& terminal) {
    try {
        return parse_brush(text_of_file(path, longest_brush, "that is no brush"),
                           [&](const std::string& message) { terminal.warn(message); });
    } catch (const Error& error) {
        throw Error(fmt::format("cannot read the brush '{}': {}", path, error.what()));
    }
}

// The option as one of another name.
OptionWord renamed(const OptionWord& option, const std::string& name) {
    OptionWord made = option;
    made.name = name;
    return made;
}

}  // namespace

TypedBrush::TypedBrush(const std::string& word, Terminal& terminal) {
    if (word.ends_with(".json")) {
        brush_ = brush_from_file(word, terminal);
        folder_ = fs::path(word).parent_path().string();
    } else if (is_brush(word)) {
        brush_ = brush_named(word);
        plain_name_ = word;
    } else if (means_operation(word)) {
        brush_ = brush_of(*operation_meant(word));
    } else {
        std::vector<std::string> all = brush_names();
        for (const std::string& name : operation_names()) all.push_back(name);
        std::string nearest = suggestion(word, all);
        throw Error(fmt::format("no brush or operation '{}'{}", one_line(word),
                                nearest.empty() ? "; 'caprock brushes' lists the brushes" : nearest));
    }
    if (brush_.operation) operation_ = brush_.operation->clone();
    if (brush_.blend) blend_ = brush_.blend->clone();
}

bool TypedBrush::apply(const OptionWord& option, Words& words) {
    auto changed = [&](bool known) {
        if (known) plain_name_.clear();
        return known;
    };
    if (option.name == "bind" && !option.is_letter) {
        std::string value = option.has_value ? option.value : words.empty() ? "" : words.take();
        size_t equals = value.find('=');
        std::optional<BrushSource> source =
            equals == std::string::npos ? std::nullopt : source_of(value.substr(equals + 1));
        if (!source)
            throw Error(fmt::format("--bind '{}': must be PARAMETER=SOURCE, with one of {}", one_line(value),
                                    listed(source_words())));
        brush_.bindings.push_back({value.substr(0, equals), *source});
        return changed(true);
    }
    auto of = [&](const std::shared_ptr<Operation>& operation, const OptionWord& named) {
        return operation && apply_option(*operation, named, words, given_);
    };
    if (option.name.starts_with(operation_prefix))
        return changed(
            of(operation_, renamed(option, option.name.substr(std::string(operation_prefix).size()))));
    if (option.name.starts_with(blend_prefix))
        return changed(of(blend_, renamed(option, option.name.substr(std::string(blend_prefix).size()))));
    Declaration settings;
    brush_.settings.describe(settings);
    if (apply_option(settings, option, words, given_)) return changed(true);
    return changed(of(operation_, option));
}

std::vector<std::string> TypedBrush::names() const {
    BrushSettings settings = brush_.settings;
    Declaration declaration;
    settings.describe(declaration);
    std::vector<std::string> all = option_names(declaration);
    all.emplace_back("bind");
    if (operation_)
        for (const std::string& name : option_names(*operation_)) {
            all.push_back(name);
            all.push_back(operation_prefix + name);
        }
    if (blend_)
        for (const std::string& name : option_names(*blend_)) all.push_back(blend_prefix + name);
    return all;
}

Brush TypedBrush::brush(Terminal& terminal) const {
    Brush made = brush_;
    made.operation = operation_;
    made.blend = blend_;
    if (!made.settings.tip.empty()) {
        fs::path path = made.settings.tip;
        // A brush and its tip lie in one folder.
        if (path.is_relative() && !fs::exists(path) && !folder_.empty()) path = fs::path(folder_) / path;
        made.tip = tip_from(read_file(path.string(), FileSettings(), terminal));
    }
    return made;
}

}  // namespace caprock::cli
