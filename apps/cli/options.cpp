#include "options.h"

#include "base/error.h"
#include "base/text.h"

#include <fmt/format.h>
#include <utility>

namespace caprock::cli {

bool OptionWord::is_option(const std::string& word) {
    // -100:300 is a value, -o is not.
    return word.size() >= 2 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9') && word[1] != '.';
}

OptionWord::OptionWord(const std::string& word) : typed(word) {
    is_letter = word[1] != '-';
    std::string rest = word.substr(is_letter ? 1 : 2);
    size_t equals = rest.find('=');
    has_value = equals != std::string::npos;
    name = rest.substr(0, equals);
    if (has_value) value = rest.substr(equals + 1);
    typed = word.substr(0, word.find('='));
}

namespace {

// Words have no range; what they are for says more.
std::string expected_text(const Parameter& parameter) {
    return parameter.type() == ParameterType::text ? parameter.help() : parameter.range_text();
}

const std::string no_prefix = "no-";

// --no-NAME. Asked only when no parameter is really called so.
bool switch_off(Configurable& values, const OptionWord& option, std::set<std::string>& given) {
    if (option.is_letter || !option.name.starts_with(no_prefix)) return false;
    std::string name = option.name.substr(no_prefix.size());
    const Parameter* parameter = values.schema().find(name);
    if (!parameter) return false;
    if (parameter->type() != ParameterType::flag)
        throw Error(fmt::format("'{}' cannot be: '--{}' is not switched on or off, it takes a value: {}",
                                option.typed, name, expected_text(*parameter)));
    if (option.has_value)
        throw Error(fmt::format("'{}' takes no value, but was given '{}'; '--{}={}' sets it", option.typed,
                                one_line(option.value), name, one_line(option.value)));
    given.insert(name);
    values.set(*parameter, false);
    return true;
}

}  // namespace

bool apply_option(Configurable& values, const OptionWord& option, Words& words,
                  std::set<std::string>& given) {
    const Parameter* parameter = nullptr;
    for (const Parameter& candidate : values.schema().parameters()) {
        bool named = option.is_letter ? option.name == std::string(1, candidate.letter())
                                      : candidate.answers_to(option.name);
        if (named) parameter = &candidate;
    }
    if (!parameter) return switch_off(values, option, given);
    // A list that is given twice is both.
    std::vector<std::string> before;
    if (parameter->type() == ParameterType::words && given.contains(parameter->name()))
        before = std::get<std::vector<std::string>>(values.value(*parameter));
    given.insert(parameter->name());
    if (option.has_value) {
        values.set_text(*parameter, option.value);
    } else if (parameter->type() == ParameterType::flag) {
        values.set(*parameter, true);
    } else {
        if (words.empty() || OptionWord::is_option(words.peek()) || words.peek() == chain_word)
            throw Error(fmt::format("{} needs a value: {}", option.typed, expected_text(*parameter)));
        values.set_text(*parameter, words.take());
    }
    if (!before.empty()) {
        const ParameterValue now = values.value(*parameter);
        for (const std::string& word : std::get<std::vector<std::string>>(now)) before.push_back(word);
        values.set(*parameter, before);
    }
    return true;
}

std::vector<std::string> option_names(const Configurable& values) {
    std::vector<std::string> names = values.schema().parameter_names();
    for (const Parameter& parameter : values.schema().parameters())
        if (parameter.type() == ParameterType::flag && std::get<bool>(values.value(parameter)))
            names.push_back(no_prefix + parameter.name());
    return names;
}

std::string unknown_option_text(const OptionWord& option, const std::vector<std::string>& names,
                                const std::string& page) {
    std::string hint;
    if (std::optional<std::string> nearest = nearest_word(option.name, names)) {
        hint = fmt::format("did you mean '--{}'?", *nearest);
    } else if (option.is_letter && option.typed.starts_with("-o")) {
        // A letter and its value want a space between them.
        hint = fmt::format("did you mean '-o {}'?", option.typed.substr(2));
    } else {
        hint = fmt::format("'caprock help {}' lists what there is", page);
    }
    return fmt::format("no parameter '{}'; {}", option.typed, hint);
}

std::vector<std::string> read_options(Words words, const std::string& where, const ApplyOption& apply,
                                      const std::vector<std::string>& names) {
    std::vector<std::string> others;
    while (!words.empty()) {
        std::string word = words.take();
        if (!OptionWord::is_option(word)) {
            others.push_back(word);
            continue;
        }
        OptionWord option(word);
        try {
            if (!apply(option, words)) throw Error(unknown_option_text(option, names, where));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", where, error.what()));
        }
    }
    return others;
}

std::vector<std::string> read_options(Configurable& values, Words words, const std::string& where,
                                      std::set<std::string>& given) {
    auto apply = [&](const OptionWord& option, Words& left) {
        return apply_option(values, option, left, given);
    };
    return read_options(std::move(words), where, apply, option_names(values));
}

std::string options_help(const Configurable& values) {
    // A longer one has a line to itself, and does not push the help of all others off the screen.
    constexpr size_t most_beside = 48;
    std::vector<std::string> heads;
    size_t widest = 0;
    for (const Parameter& parameter : values.schema().parameters()) {
        std::string letter = parameter.letter() ? fmt::format("-{}, ", parameter.letter()) : "";
        std::string value = parameter.value_word();
        heads.push_back(fmt::format("{}--{}{}", letter, parameter.name(), value.empty() ? "" : " " + value));
        if (heads.back().size() <= most_beside) widest = std::max(widest, heads.back().size());
    }
    std::string text;
    size_t next = 0;
    for (const Parameter& parameter : values.schema().parameters()) {
        std::string head = heads[next++];
        if (head.size() > widest) text += fmt::format("  {}\n", std::exchange(head, ""));
        text += fmt::format("  {:<{}}  {}\n", head, widest, parameter.help());
        std::string facts;
        std::string shown = values.value_text(parameter);
        if (parameter.type() == ParameterType::flag) {
            facts = shown == "true" ? fmt::format("on unless --{}{}", no_prefix, parameter.name())
                                    : "off unless given";
        } else if (!shown.empty()) {
            facts = fmt::format("default {}", shown);
        }
        if (!parameter.unit().empty() && !facts.empty()) facts += " " + parameter.unit();
        if (parameter.numeric() && parameter.hard_range())
            facts += (facts.empty() ? "" : "; ") + parameter.range_text();
        if (!facts.empty()) text += fmt::format("  {:<{}}  ({})\n", "", widest, facts);
    }
    return text;
}

}  // namespace caprock::cli
