// One parameter as it is declared: its name, its kind, the values it takes and what it is for. A declaration is constant, and
// shared by all operations of a name; the values are apart from it.
#pragma once

#include "base/interval.h"
#include "operation/input_file.h"
#include "operation/lines_value.h"
#include "operation/number.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace caprock {

enum class ParameterType {
    number,
    integer,
    flag,
    choice,
    seed,
    interval,
    table,
    words,
    text,
    file,
    field,
    points,
    lines
};

// A value of a parameter: it can be copied and compared. A choice is its word, a field its name. A file that is read is an
// InputFile; one that is written, or read elsewhere, is a path. A number that varies over the land is a NumberMap.
using ParameterValue = std::variant<double, int, bool, uint32_t, std::string, Interval, std::vector<double>,
                                    std::vector<std::string>, InputFile, NumberMap, LinesValue>;

// A number as the value of a parameter.
inline ParameterValue value_of(const Number& number) {
    if (number.map()) return *number.map();
    return number.everywhere();
}

class Parameter {
  public:
    Parameter(std::string_view name, ParameterType type, ParameterValue default_value, size_t index)
        : name_(name), type_(type), default_(std::move(default_value)), index_(index) {}
    // The same, at another place of another schema.
    Parameter at_index(size_t index) const {
        Parameter moved = *this;
        moved.index_ = index;
        return moved;
    }
    // Of a declaration that nobody reads: what is said of it goes nowhere.
    static Parameter& unheard();

    // ---- declaring ----
    Parameter& range(double low, double high);   // values outside are refused
    Parameter& slider(double low, double high);  // what a slider spans; the hard range where not given
    // A slider's steps are factors: for what may be 2 metres or 2000.
    Parameter& logarithmic();
    // A table that is drawn over 0 to 1, its values evenly apart.
    Parameter& curve();
    Parameter& unit(std::string_view unit);
    Parameter& help(std::string_view help);
    // One letter for the command line, as in -o.
    Parameter& letter(char letter);
    Parameter& choices(std::vector<std::string> words);
    // A name that it had: recipes and scripts still say it.
    Parameter& once_called(std::string_view name);
    // A number that may be a map instead, or no longer.
    Parameter& may_vary(bool varies = true);

    // ---- reading the declaration ----
    const std::string& name() const { return name_; }
    ParameterType type() const { return type_; }
    size_t index() const { return index_; }  // among the parameters of its schema
    // Whether that is its name, or was.
    bool answers_to(std::string_view name) const {
        return name == name_ || (!name.empty() && name == former_name_);
    }
    const std::string& former_name() const { return former_name_; }
    const std::string& unit() const { return unit_; }
    const std::string& help() const { return help_; }
    char letter() const { return letter_; }
    const std::vector<std::string>& choices() const { return choices_; }
    const std::optional<Interval>& hard_range() const { return range_; }
    Interval slider_range() const;
    bool is_logarithmic() const { return logarithmic_; }
    bool is_curve() const { return curve_; }
    bool varies() const { return varies_; }  // a map of it is taken as well
    bool numeric() const;
    // Points or lines.
    bool is_of_lines() const { return type_ == ParameterType::points || type_ == ParameterType::lines; }
    const ParameterValue& default_value() const { return default_; }
    // "1 to 32", "low:high within 0 to 500", "sum, billow or ridged".
    std::string range_text() const;
    std::string value_word() const;  // N, LOW:HIGH, FILE: what stands for the value in a usage line

    // ---- values of it ----
    std::string text_of(const ParameterValue& value) const;  // as the user would type it
    // Throws Error: "octaves 99: must be 1 to 32". An empty text is an empty table or list of words. A file that is to be read
    // is read now.
    ParameterValue parsed(std::string_view text) const;
    // The value as a program gives it: a whole number for any kind of number, a file by its path, which is not looked at yet,
    // or with its content. Throws Error where it is outside the range, and std::logic_error where it is of another kind.
    ParameterValue accepted(const ParameterValue& given) const;
    // Throws Error unless the value is inside the hard range.
    void check(const ParameterValue& value) const;
    // Throws that Error for a value that cannot even be tried.
    [[noreturn]] void refuse(std::string_view text) const;

  private:
    struct Checker;
    struct Parser;
    struct Acceptor;
    void check_number(double value, std::string_view text) const;

    std::string name_;
    std::string former_name_;
    ParameterType type_;
    ParameterValue default_;
    size_t index_;
    bool unheard_ = false;
    std::optional<Interval> range_;
    std::optional<Interval> slider_;
    bool logarithmic_ = false;
    bool curve_ = false;
    bool varies_ = false;
    std::string unit_;
    std::string help_;
    std::vector<std::string> choices_;
    char letter_ = 0;
};

}  // namespace caprock
