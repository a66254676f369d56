#include "link_words.h"

#include "base/error.h"
#include "base/text.h"
#include "files.h"
#include "formats/formats.h"

#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace caprock::cli {

namespace {

namespace fs = std::filesystem;

bool is_plain_file(const std::string& path) {
    std::error_code unknown;
    fs::file_status there = fs::status(path, unknown);
    return fs::exists(there) && !fs::is_directory(there);
}

std::vector<std::string> names_so_far(const Recipe& recipe) {
    std::vector<std::string> names;
    for (const auto& [name, input] : recipe.inputs) names.push_back(name);
    for (const RecipeStep& step : recipe.steps)
        if (!step.name.empty()) names.push_back(step.name);
    return names;
}

// The place that is meant: a name, or a file, and perhaps a field of it.
struct Place {
    std::string name;
    std::string file;
    std::string field;
};

// What has been given a name goes before a file. A word that is nearly one was meant to be it, unless it is a file.
Place place_meant(const std::string& word, const char* link, const Recipe& recipe) {
    const std::vector<std::string> names = names_so_far(recipe);
    const std::string first = word.substr(0, word.find('.'));
    // An input is called after its file, which may be named once more.
    const bool is_file_again = recipe.inputs.contains(first) && is_plain_file(word.substr(0, word.find(':')));
    if (contains(names, first) && !is_file_again) {
        const bool has_field = first.size() < word.size();
        return {first, "", has_field ? word.substr(first.size() + 1) : ""};
    }
    if (is_plain_file(word)) return {"", word, ""};
    const size_t colon = word.rfind(':');
    if (colon != std::string::npos && colon > 0 && colon + 1 < word.size())
        return {"", word.substr(0, colon), word.substr(colon + 1)};
    if (std::optional<std::string> nearest = nearest_word(first, names))
        throw Error(fmt::format("{} {}: no step is called '{}'; did you mean '{}'?", link, one_line(word),
                                one_line(first), *nearest));
    if (looks_like_file(word)) return {"", word, ""};
    throw Error(fmt::format("{} {}: it is neither a file nor the name of a step; {}", link, one_line(word),
                            names.empty() ? "'as NAME' behind an operation gives it one"
                                          : fmt::format("there is {}", listed(names, "or"))));
}

// A name for a file, after what it is called.
std::string name_for(const std::string& file, const Recipe& recipe, const std::set<std::string>& reserved) {
    std::string stem;
    for (char c : fs::path(file).stem().string())
        stem += std::isalnum((unsigned char)(c)) || c == '_' || (c == '-' && !stem.empty()) ? c : '_';
    if (stem.empty()) stem = "file";
    auto is_taken = [&](const std::string& name) {
        return reserved.contains(name) || recipe.inputs.contains(name);
    };
    std::string name = stem;
    for (int number = 2; is_taken(name); number++) name = fmt::format("{}-{}", stem, number);
    return name;
}

// The input of this file, read in this way.
std::string input_for(Recipe& recipe, const std::string& file, FileSettings settings,
                      const std::set<std::string>& given, const std::set<std::string>& reserved) {
    RecipeInput input{file};
    Declaration declaration;
    settings.describe(declaration);
    for (const std::string& name : given) {
        if (name == "cell") {
            input.cell = settings.cell;
        } else {
            input.reading[name] = declaration.value_text(name);
        }
    }
    for (const auto& [name, known] : recipe.inputs)
        if (known.file == file && known.cell == input.cell && known.reading == input.reading) return name;
    const std::string name = name_for(file, recipe, reserved);
    recipe.inputs[name] = std::move(input);
    return name;
}

}  // namespace

bool is_link_word(const std::string& word) { return word == from_word || word == take_word; }

void read_name(Words& words, RecipeStep& step) {
    if (words.empty() || OptionWord::is_option(words.peek()))
        throw Error("'as' must be followed by a name: noise --seed 3 as base");
    if (!step.name.empty())
        throw Error(fmt::format("'as {}': it is called '{}' already", one_line(words.peek()), step.name));
    step.name = words.take();
    check_step_name(step.name, "a step");
}

void read_link_words(Recipe& recipe, const std::vector<std::string>& link, const OtherOptions& others,
                     const std::set<std::string>& reserved) {
    Words words(link);
    const std::string head = words.take();
    const bool takes = head == take_word;
    const char* example = takes ? "take rock.tif as hardness" : "from base";
    if (words.empty() || OptionWord::is_option(words.peek()))
        throw Error(fmt::format("'{}' must be followed by a file or the name of a step: {}", head, example));
    const std::string word = words.take();
    const Place place = place_meant(word, head.c_str(), recipe);
    if (!takes && !place.field.empty())
        throw Error(fmt::format("from {}: a step begins with all fields; 'take' takes one", one_line(word)));
    FileSettings settings;
    Declaration of_file;
    settings.describe(of_file);
    std::set<std::string> given;
    RecipeStep step;
    std::string field;
    OtherOptions also = others;
    if (!place.file.empty()) {
        also.apply = [&](const OptionWord& option, Words& left) {
            const bool ours = option.name != "range" && apply_option(of_file, option, left, given);
            return ours || others.apply(option, left);
        };
    }
    also.word = [&](const std::string& other, Words& left) {
        if (other != name_word) return false;
        if (!takes) {
            read_name(left, step);
        } else if (!field.empty() || left.empty() || OptionWord::is_option(left.peek())) {
            throw Error(fmt::format("'take {} as' must be followed by one name of a field: {}",
                                    one_line(word), example));
        } else {
            field = left.take();
        }
        return true;
    };
    read_parameters(nullptr, std::move(words), also);
    const std::string name =
        place.file.empty() ? place.name : input_for(recipe, place.file, settings, given, reserved);
    if (!takes) {
        step.from = name;
    } else {
        if (field.empty()) {
            if (place.field.empty())
                throw Error(fmt::format("take {}: say as what: {}", one_line(word), example));
            field = place.field;
        }
        step.takes.push_back(
            parse_taken(field, place.field.empty() ? name : fmt::format("{}.{}", name, place.field)));
    }
    recipe.steps.push_back(std::move(step));
}

std::set<std::string> names_given(const std::vector<std::vector<std::string>>& links) {
    std::set<std::string> names;
    for (const std::vector<std::string>& link : links)
        for (size_t i = 0; i + 1 < link.size(); i++)
            if (link[i] == name_word) names.insert(link[i + 1]);
    return names;
}

}  // namespace caprock::cli
