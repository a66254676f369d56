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

Parameter& Parameter::range(double low, double high) {
    range_ = Interval{low, high};
    return *this;
}
Parameter& Parameter::slider(double low, double high) {
    slider_ = Interval{low, high};
    return *this;
}
Parameter& Parameter::logarithmic() {
    logarithmic_ = true;
    return *this;
}
Parameter& Parameter::curve() {
    curve_ = true;
    return *this;
}
Parameter& Parameter::unit(std::string unit) {
    unit_ = std::move(unit);
    return *this;
}
Parameter& Parameter::help(std::string help) {
    help_ = std::move(help);
    return *this;
}
Parameter& Parameter::letter(char letter) {
    letter_ = letter;
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
    }
    return "";
}

std::string Parameter::value_word() const {
    switch (type_) {
        case ParameterType::number:
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
    }
    return "";
}

namespace {

struct AsText {
    const Parameter& parameter;

    std::string operator()(double* value) const { return number_text(*value); }
    std::string operator()(int* value) const { return std::to_string(*value); }
    std::string operator()(bool* value) const { return *value ? "true" : "false"; }
    std::string operator()(const ChoiceAccess& value) const {
        auto index = size_t(value.get());
        // No word for it: check() refuses it, and the message has to call it something.
        return index < parameter.choices().size() ? parameter.choices()[index] : std::to_string(value.get());
    }
    std::string operator()(uint32_t* value) const { return std::to_string(*value); }
    std::string operator()(Interval* value) const { return interval_text(*value); }
    std::string operator()(std::vector<double>* value) const {
        return fmt::format("{}", fmt::join(*value, ","));
    }
    std::string operator()(std::vector<std::string>* value) const {
        return fmt::format("{}", fmt::join(*value, ","));
    }
    std::string operator()(std::string* value) const { return *value; }
    std::string operator()(InputFile* value) const { return value->path(); }
};

}  // namespace

std::string Parameter::text() const { return std::visit(AsText{*this}, binding_); }

void Parameter::refuse(std::string_view text) const {
    std::string units = unit_.empty() || !numeric() ? "" : (range_ ? " " : " in ") + unit_;
    std::string hint = type_ == ParameterType::choice ? suggestion(text, choices_) : "";
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

    void operator()(double* value) const { parameter.check_number(*value, shown); }
    void operator()(int* value) const { parameter.check_number(*value, shown); }
    void operator()(Interval* value) const {
        parameter.check_number(value->low, shown);
        parameter.check_number(value->high, shown);
        if (value->low > value->high) parameter.refuse(shown);
    }
    void operator()(std::vector<double>* value) const {
        for (double entry : *value) parameter.check_number(entry, shown);
    }
    void operator()(const ChoiceAccess& value) const {
        if (value.get() < 0 || size_t(value.get()) >= parameter.choices().size()) parameter.refuse(shown);
    }
    // The others cannot hold a value outside their range.
    void operator()(const auto&) const {}
};

void Parameter::check() const { std::visit(Checker{*this, text()}, binding_); }

struct Parameter::Setter {
    Parameter& parameter;
    std::string_view text;

    auto needed(const auto& parsed) const {
        if (!parsed) parameter.refuse(text);
        return *parsed;
    }
    void operator()(double* value) const {
        double number = needed(parse_number(text));
        parameter.check_number(number, text);
        *value = number;
    }
    void operator()(int* value) const {
        int64_t number = needed(parse_integer(text));
        if (number < INT32_MIN || number > INT32_MAX) parameter.refuse(text);
        parameter.check_number(double(number), text);
        *value = int(number);
    }
    void operator()(bool* value) const {
        bool yes = text == "true" || text == "yes" || text == "on" || text == "1";
        bool no = text == "false" || text == "no" || text == "off" || text == "0";
        if (!yes && !no) parameter.refuse(text);
        *value = yes;
    }
    void operator()(ChoiceAccess& value) const {
        auto found = std::ranges::find(parameter.choices(), text);
        if (found == parameter.choices().end()) parameter.refuse(text);
        value.set(int(found - parameter.choices().begin()));
    }
    void operator()(uint32_t* value) const {
        int64_t number = needed(parse_integer(text));
        if (number < 0 || number > int64_t(UINT32_MAX)) parameter.refuse(text);
        *value = uint32_t(number);
    }
    void operator()(Interval* value) const {
        // One number stands for both ends.
        std::optional<double> single = parse_number(text);
        Interval interval = single ? Interval{*single, *single} : needed(parse_interval(text));
        Parameter::Checker{parameter, text}(&interval);
        *value = interval;
    }
    void operator()(std::vector<double>* value) const {
        std::vector<double> numbers;
        if (!text.empty())
            for (const std::string& part : split(text, ',')) numbers.push_back(needed(parse_number(part)));
        Parameter::Checker{parameter, text}(&numbers);
        *value = numbers;
    }
    void operator()(std::vector<std::string>* value) const {
        std::vector<std::string> words;
        if (!text.empty()) words = split(text, ',');
        if (std::ranges::find(words, "") != words.end()) parameter.refuse(text);
        *value = words;
    }
    void operator()(std::string* value) const {
        if (text.empty()) parameter.refuse(text);
        *value = std::string(text);
    }
    void operator()(InputFile* value) const {
        if (text.empty()) parameter.refuse(text);
        InputFile file = *value;
        file.name(std::string(text));
        try {
            file.fetch();
        } catch (const Error& error) {
            throw Error(fmt::format("{} {}", parameter.name(), error.what()));
        }
        *value = std::move(file);
    }
};

void Parameter::set_text(std::string_view text) { std::visit(Setter{*this, text}, binding_); }

struct Parameter::Assigner {
    Parameter& parameter;
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
    template <typename Value>
    void operator()(Value* bound) const {
        Value value = wanted<Value>();
        Parameter::Checker{parameter, AsText{parameter}(&value)}(&value);
        *bound = std::move(value);
    }
    void operator()(const ChoiceAccess&) const { parameter.set_text(wanted<std::string>()); }
    void operator()(InputFile* bound) const {
        if (const InputFile* file = std::get_if<InputFile>(&given)) {
            *bound = *file;
        } else {
            bound->name(wanted<std::string>());
        }
    }
};

void Parameter::set(const ParameterValue& value) { std::visit(Assigner{*this, value}, binding_); }

Parameter& Declaration::add(std::string name, ParameterType type, Parameter::Binding binding) {
    if (find(name)) throw std::logic_error(fmt::format("two parameters are called '{}'", name));
    return parameters_.emplace_back(std::move(name), type, std::move(binding));
}
Parameter& Declaration::number(std::string name, double& value) {
    return add(std::move(name), ParameterType::number, &value);
}
Parameter& Declaration::integer(std::string name, int& value) {
    return add(std::move(name), ParameterType::integer, &value);
}
Parameter& Declaration::flag(std::string name, bool& value) {
    return add(std::move(name), ParameterType::flag, &value);
}
Parameter& Declaration::seed(std::string name, uint32_t& value) {
    return add(std::move(name), ParameterType::seed, &value);
}
Parameter& Declaration::interval(std::string name, Interval& value) {
    return add(std::move(name), ParameterType::interval, &value);
}
Parameter& Declaration::table(std::string name, std::vector<double>& value) {
    return add(std::move(name), ParameterType::table, &value);
}
Parameter& Declaration::words(std::string name, std::vector<std::string>& value) {
    return add(std::move(name), ParameterType::words, &value);
}
Parameter& Declaration::text(std::string name, std::string& value) {
    return add(std::move(name), ParameterType::text, &value);
}
Parameter& Declaration::file(std::string name, std::string& value) {
    return add(std::move(name), ParameterType::file, &value);
}
Parameter& Declaration::file(std::string name, InputFile& value) {
    return add(std::move(name), ParameterType::file, &value);
}
Parameter& Declaration::field(std::string name, std::string& value) {
    return add(std::move(name), ParameterType::field, &value);
}

Parameter* Declaration::find(std::string_view name) {
    for (Parameter& parameter : parameters_)
        if (parameter.name() == name) return &parameter;
    return nullptr;
}

std::vector<InputFile*> Declaration::files() {
    std::vector<InputFile*> all;
    for (Parameter& parameter : parameters_)
        if (InputFile* const* file = std::get_if<InputFile*>(&parameter.binding()); file && (*file)->named())
            all.push_back(*file);
    return all;
}

std::vector<std::string> Declaration::parameter_names() const {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters_) names.push_back(parameter.name());
    return names;
}

}  // namespace caprock
