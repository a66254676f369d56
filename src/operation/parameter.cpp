#include "operation/parameter.h"

#include "base/error.h"
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace caprock {

Parameter& Parameter::unheard() {
    static Parameter nobody = [] {
        Parameter made("", ParameterType::number, 0.0, 0);
        made.unheard_ = true;
        return made;
    }();
    return nobody;
}

Parameter& Parameter::range(double low, double high) {
    if (!unheard_) range_ = Interval{low, high};
    return *this;
}
Parameter& Parameter::slider(double low, double high) {
    if (!unheard_) slider_ = Interval{low, high};
    return *this;
}
Parameter& Parameter::logarithmic() {
    if (!unheard_) logarithmic_ = true;
    return *this;
}
Parameter& Parameter::curve() {
    if (!unheard_) curve_ = true;
    return *this;
}
Parameter& Parameter::unit(std::string_view unit) {
    if (!unheard_) unit_ = unit;
    return *this;
}
Parameter& Parameter::help(std::string_view help) {
    if (!unheard_) help_ = help;
    return *this;
}
Parameter& Parameter::letter(char letter) {
    if (!unheard_) letter_ = letter;
    return *this;
}
Parameter& Parameter::once_called(std::string_view name) {
    if (!unheard_) former_name_ = name;
    return *this;
}
Parameter& Parameter::may_vary(bool varies) {
    if (!unheard_) varies_ = varies;
    return *this;
}
Parameter& Parameter::choices(std::vector<std::string> words) {
    if (!unheard_) choices_ = std::move(words);
    return *this;
}

Interval Parameter::slider_range() const { return slider_ ? *slider_ : range_.value_or(Interval{0, 1}); }

bool Parameter::numeric() const {
    return type_ == ParameterType::number || type_ == ParameterType::integer ||
           type_ == ParameterType::interval || type_ == ParameterType::table;
}

std::string Parameter::range_text() const {
    std::string within = range_ ? fmt::format("{} to {}", range_->low, range_->high) : "";
    switch (type_) {
        case ParameterType::number:
            return within.empty() ? "a number" : within;
        case ParameterType::integer:
            return within.empty() ? "a whole number" : within;
        case ParameterType::flag:
            return "true or false";
        case ParameterType::choice:
            return listed(choices_, "or");
        case ParameterType::seed:
            return "a whole number, 0 to 4294967295";
        case ParameterType::interval:
            return within.empty() ? "low:high" : "low:high within " + within;
        case ParameterType::table:
            return within.empty() ? "numbers separated by commas"
                                  : "numbers separated by commas, each " + within;
        case ParameterType::words:
            return "words separated by commas";
        case ParameterType::text:
            return "text";
        case ParameterType::file:
            return "the name of a file";
        case ParameterType::field:
            return "the name of a field";
        case ParameterType::points:
            return "places x,y or x,y,height in metres with spaces between them, @FILE, or @NAME of lines of "
                   "the terrain";
        case ParameterType::lines:
            return "places x,y in metres with spaces between them and ; between lines, @FILE, or @NAME of "
                   "lines "
                   "of the terrain";
    }
    return "";
}

std::string Parameter::value_word() const {
    switch (type_) {
        case ParameterType::number:
            return varies_ ? "N|@MAP" : "N";
        case ParameterType::integer:
        case ParameterType::seed:
            return "N";
        case ParameterType::flag:
            return "";
        case ParameterType::choice:
            return fmt::format("{}", fmt::join(choices_, "|"));
        case ParameterType::interval:
            return "LOW:HIGH";
        case ParameterType::table:
            return "N,N,...";
        case ParameterType::words:
            return "WORD,WORD,...";
        case ParameterType::text:
            return "TEXT";
        case ParameterType::file:
            return "FILE";
        case ParameterType::field:
            return "FIELD";
        case ParameterType::points:
        case ParameterType::lines:
            return "X,Y ...|@FILE|@NAME";
    }
    return "";
}

namespace {

struct AsText {
    bool points = false;  // rather than lines

    std::string operator()(double value) const { return number_text(value); }
    std::string operator()(int value) const { return std::to_string(value); }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(uint32_t value) const { return std::to_string(value); }
    std::string operator()(const Interval& value) const { return interval_text(value); }
    std::string operator()(const std::vector<double>& value) const {
        return fmt::format("{}", fmt::join(value, ","));
    }
    std::string operator()(const std::vector<std::string>& value) const {
        return fmt::format("{}", fmt::join(value, ","));
    }
    std::string operator()(const std::string& value) const { return value; }
    std::string operator()(const InputFile& value) const { return value.path(); }
    std::string operator()(const NumberMap& value) const { return value.text(); }
    std::string operator()(const LinesValue& value) const { return value.text(points); }
};

}  // namespace

std::string Parameter::text_of(const ParameterValue& value) const {
    return std::visit(AsText{type_ == ParameterType::points}, value);
}

void Parameter::refuse(std::string_view text) const {
    std::string units = unit_.empty() || !numeric() ? "" : (range_ ? " " : " in ") + unit_;
    std::string hint = type_ == ParameterType::choice ? suggestion(text, choices_) : "";
    if (is_map_text(text) && numeric())
        hint = varies_ ? ", and so must what a map stands for" : "; it is one number for all the land";
    // 3.5 lies within 1 to 32: what is wrong with it is something else.
    bool fraction = type_ == ParameterType::integer && range_ && parse_number(text) && !parse_integer(text);
    throw Error(fmt::format("{} {}: must be {}{}{}{}", name_, text.empty() ? "''" : one_line(text),
                            fraction ? "a whole number, " : "", range_text(), units, hint));
}

void Parameter::check_number(double value, std::string_view text) const {
    if (!std::isfinite(value) || (range_ && (value < range_->low || value > range_->high))) refuse(text);
}

struct Parameter::Checker {
    const Parameter& parameter;
    std::string_view shown;

    void operator()(double value) const { parameter.check_number(value, shown); }
    void operator()(int value) const { parameter.check_number(value, shown); }
    void operator()(const Interval& value) const {
        parameter.check_number(value.low, shown);
        parameter.check_number(value.high, shown);
        if (value.low > value.high) parameter.refuse(shown);
    }
    void operator()(const std::vector<double>& value) const {
        for (double entry : value) parameter.check_number(entry, shown);
    }
    void operator()(const NumberMap& value) const {
        if (!value.interval) return;
        parameter.check_number(value.interval->low, shown);
        parameter.check_number(value.interval->high, shown);
    }
    void operator()(const std::string& value) const {
        if (parameter.type() != ParameterType::choice) return;
        if (!contains(parameter.choices(), value)) parameter.refuse(shown);
    }
    // The others cannot hold a value outside their range.
    void operator()(const auto&) const {}
};

void Parameter::check(const ParameterValue& value) const {
    std::visit(Checker{*this, text_of(value)}, value);
}

// By the kind of the value that is the default.
struct Parameter::Parser {
    const Parameter& parameter;
    std::string_view text;

    auto needed(const auto& parsed) const {
        if (!parsed) parameter.refuse(text);
        return *parsed;
    }
    ParameterValue checked(const auto& value) const {
        Parameter::Checker{parameter, text}(value);
        return value;
    }
    ParameterValue operator()(double) const {
        if (parameter.varies() && is_map_text(text)) return map();
        return checked(needed(parse_number(text)));
    }
    ParameterValue operator()(const NumberMap&) const { return map(); }
    ParameterValue map() const {
        try {
            return checked(NumberMap::parsed(text));
        } catch (const Error& error) {
            // What is outside of the range has been said with the parameter's name.
            const std::string said = error.what();
            throw Error(said.starts_with(parameter.name()) ? said
                                                           : fmt::format("{} {}", parameter.name(), said));
        }
    }
    ParameterValue operator()(int) const {
        int64_t number = needed(parse_integer(text));
        if (number < INT32_MIN || number > INT32_MAX) parameter.refuse(text);
        return checked(int(number));
    }
    ParameterValue operator()(bool) const {
        bool yes = text == "true" || text == "yes" || text == "on" || text == "1";
        bool no = text == "false" || text == "no" || text == "off" || text == "0";
        if (!yes && !no) parameter.refuse(text);
        return yes;
    }
    ParameterValue operator()(uint32_t) const {
        int64_t number = needed(parse_integer(text));
        if (number < 0 || number > int64_t(UINT32_MAX)) parameter.refuse(text);
        return uint32_t(number);
    }
    ParameterValue operator()(const Interval&) const {
        // One number stands for both ends.
        std::optional<double> single = parse_number(text);
        return checked(single ? Interval{*single, *single} : needed(parse_interval(text)));
    }
    ParameterValue operator()(const std::vector<double>&) const {
        std::vector<double> numbers;
        if (!text.empty())
            for (const std::string& part : split(text, ',')) numbers.push_back(needed(parse_number(part)));
        return checked(numbers);
    }
    ParameterValue operator()(const std::vector<std::string>&) const {
        std::vector<std::string> words;
        if (!text.empty()) words = split(text, ',');
        if (contains(words, "")) parameter.refuse(text);
        return words;
    }
    ParameterValue operator()(const std::string&) const {
        if (text.empty()) parameter.refuse(text);
        return checked(std::string(text));
    }
    ParameterValue operator()(const InputFile& none) const {
        if (text.empty()) parameter.refuse(text);
        InputFile file = none;
        file.name(std::string(text));
        try {
            file.fetch();
        } catch (const Error& error) {
            throw Error(fmt::format("{} {}", parameter.name(), error.what()));
        }
        return file;
    }
    ParameterValue operator()(const LinesValue&) const {
        if (text.empty()) parameter.refuse(text);
        try {
            LinesValue lines = LinesValue::parsed(text, parameter.type() == ParameterType::points);
            lines.fetch();
            return lines;
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", parameter.name(), error.what()));
        }
    }
};

ParameterValue Parameter::parsed(std::string_view text) const {
    return std::visit(Parser{*this, text}, default_);
}

struct Parameter::Acceptor {
    const Parameter& parameter;
    const ParameterValue& given;

    [[noreturn]] void of_another_kind() const {
        throw std::logic_error(fmt::format("parameter '{}' was given a value of another kind: it takes {}",
                                           parameter.name(), parameter.range_text()));
    }
    // A whole number where any number will do: all of them fit in a double.
    template <typename Number, typename Whole>
    Number from_whole(Whole whole) const {
        if constexpr (!std::is_same_v<Number, double>)
            if (!std::in_range<Number>(whole)) parameter.refuse(std::to_string(whole));
        return Number(whole);
    }
    template <typename Value>
    Value wanted() const {
        if (const Value* value = std::get_if<Value>(&given)) return *value;
        if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>) {
            if (const int* whole = std::get_if<int>(&given)) return from_whole<Value>(*whole);
            if (const uint32_t* whole = std::get_if<uint32_t>(&given)) return from_whole<Value>(*whole);
        }
        of_another_kind();
    }
    // What a map is called, or the map itself.
    ParameterValue operator()(double) const {
        const NumberMap* map = std::get_if<NumberMap>(&given);
        const std::string* text = std::get_if<std::string>(&given);
        if (!parameter.varies() || (!map && !(text && is_map_text(*text)))) return checked<double>();
        if (text) return parameter.parsed(*text);
        parameter.check(given);
        return given;
    }
    template <typename Value>
    ParameterValue operator()(const Value&) const {
        return checked<Value>();
    }
    template <typename Value>
    ParameterValue checked() const {
        ParameterValue value = wanted<Value>();
        parameter.check(value);
        return value;
    }
    ParameterValue operator()(const InputFile& none) const {
        if (std::holds_alternative<InputFile>(given)) return given;
        InputFile file = none;
        file.name(wanted<std::string>());
        return file;
    }
    // A text is read as if it were typed, but no file is looked at yet.
    ParameterValue operator()(const LinesValue&) const {
        if (std::holds_alternative<LinesValue>(given)) return given;
        const std::string text = wanted<std::string>();
        try {
            return LinesValue::parsed(text, parameter.type() == ParameterType::points);
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", parameter.name(), error.what()));
        }
    }
};

ParameterValue Parameter::accepted(const ParameterValue& given) const {
    return std::visit(Acceptor{*this, given}, default_);
}

}  // namespace caprock
