// What an operation declares, once: its parameters, what it reads, what it makes. The command line, the
// reference pages, recipes and the editor's panels all read this.
#pragma once

#include "base/interval.h"
#include "operation/input_file.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace caprock {

enum class ParameterType { number, integer, flag, choice, seed, interval, table, words, text, file, field };

// A value for a parameter, as a program gives it: a choice by its word, a whole number for any kind of number, a file by
// its path, which is not looked at yet, or with its content.
using ParameterValue = std::variant<double, int, bool, uint32_t, std::string, Interval, std::vector<double>,
                                    std::vector<std::string>, InputFile>;

// A choice's value, as an index into its words.
struct ChoiceAccess {
    std::function<int()> get;
    std::function<void(int)> set;
};

// One parameter, bound to the member that holds its value.
class Parameter {
  public:
    using Binding = std::variant<double*, int*, bool*, ChoiceAccess, uint32_t*, Interval*,
                                 std::vector<double>*, std::vector<std::string>*, std::string*, InputFile*>;

    Parameter(std::string name, ParameterType type, Binding binding)
        : name_(std::move(name)), type_(type), binding_(std::move(binding)) {}

    // ---- declaring ----
    Parameter& range(double low, double high);   // values outside are refused
    Parameter& slider(double low, double high);  // what a slider spans; the hard range where not given
    // A slider's steps are factors: for what may be 2 metres or 2000.
    Parameter& logarithmic();
    // A table that is drawn over 0 to 1, its values evenly apart.
    Parameter& curve();
    Parameter& unit(std::string unit);
    Parameter& help(std::string help);
    // One letter for the command line, as in -o.
    Parameter& letter(char letter);

    // ---- reading the declaration ----
    const std::string& name() const { return name_; }
    ParameterType type() const { return type_; }
    const std::string& unit() const { return unit_; }
    const std::string& help() const { return help_; }
    char letter() const { return letter_; }
    const std::vector<std::string>& choices() const { return choices_; }
    const std::optional<Interval>& hard_range() const { return range_; }
    Interval slider_range() const;
    bool is_logarithmic() const { return logarithmic_; }
    bool is_curve() const { return curve_; }
    bool numeric() const;
    // "1 to 32", "low:high within 0 to 500", "sum, billow or ridged".
    std::string range_text() const;
    std::string value_word() const;  // N, LOW:HIGH, FILE: what stands for the value in a usage line

    // ---- the value ----
    std::string text() const;  // as the user would type it
    // Throws Error: "octaves 99: must be 1 to 32". An empty text is an empty table or list of words. A file that is to be read
    // is read now.
    void set_text(std::string_view text);
    // The value itself, to the last bit. Throws Error where it is outside the range, and std::logic_error where
    // it is of another kind.
    void set(const ParameterValue& value);
    // Throws Error unless the value is inside the hard range.
    void check() const;
    // Throws that Error for a value that cannot even be tried.
    [[noreturn]] void refuse(std::string_view text) const;
    const Binding& binding() const { return binding_; }

  private:
    friend class Declaration;
    struct Checker;
    struct Setter;
    struct Assigner;
    void check_number(double value, std::string_view text) const;

    std::string name_;
    ParameterType type_;
    Binding binding_;
    std::optional<Interval> range_;
    std::optional<Interval> slider_;
    bool logarithmic_ = false;
    bool curve_ = false;
    std::string unit_;
    std::string help_;
    std::vector<std::string> choices_;
    char letter_ = 0;
};

class Declaration {
  public:
    // ---- parameters ----
    Parameter& number(std::string name, double& value);
    Parameter& integer(std::string name, int& value);
    Parameter& flag(std::string name, bool& value);
    Parameter& seed(std::string name, uint32_t& value);
    Parameter& interval(std::string name, Interval& value);
    Parameter& table(std::string name, std::vector<double>& value);       // 0.75,0.95,1
    Parameter& words(std::string name, std::vector<std::string>& value);  // talc,gypsum
    Parameter& text(std::string name, std::string& value);
    Parameter& file(std::string name, InputFile& value);  // that is read
    Parameter& file(std::string name,
                    std::string& value);  // that is written, or read elsewhere: a path and no more
    Parameter& field(std::string name, std::string& value);  // the name of a field of the terrain
    // The words stand for the enumeration's values in order.
    template <typename Enumeration>
    Parameter& choice(std::string name, Enumeration& value, std::vector<std::string> words) {
        ChoiceAccess access{[&value] { return int(value); }, [&value](int to) { value = Enumeration(to); }};
        Parameter& parameter = add(std::move(name), ParameterType::choice, std::move(access));
        parameter.choices_ = std::move(words);
        return parameter;
    }

    // ---- what it is and works on ----
    void summary(std::string one_line) { summary_ = std::move(one_line); }
    void source(std::string paper) { source_ = std::move(paper); }  // the document its formulas come from
    void reads(std::string field) { reads_.push_back(std::move(field)); }
    void reads_if_there(std::string field) { reads_if_there_.push_back(std::move(field)); }
    void makes(std::string field) { makes_.push_back(std::move(field)); }  // whether or not it was there
    // It changes whatever fields there are, besides those it names.
    void changes_every_field() { every_field_ = true; }
    // Whether it may give missing cells a value, or take one away: otherwise neither is done.
    void fills_missing() { fills_missing_ = true; }
    void makes_missing() { makes_missing_ = true; }
    // Fields of the terrain's size that it holds while it runs, besides the terrain's own; the one it makes counts.
    void works_with(int fields) { work_fields_ = fields; }
    void changes(std::string field) {
        reads(field);
        makes(std::move(field));
    }

    std::string summary() const { return summary_; }
    std::string source() const { return source_; }
    // By value: declarations are often temporaries.
    std::vector<std::string> inputs() const { return reads_; }
    std::vector<std::string> optional_inputs() const { return reads_if_there_; }
    std::vector<std::string> outputs() const { return makes_; }
    int work_fields() const { return work_fields_; }
    bool every_field() const { return every_field_; }
    bool may_fill_missing() const { return fills_missing_; }
    bool may_make_missing() const { return makes_missing_; }
    // Needs a grid and nothing on it.
    bool generator() const { return reads_.empty(); }

    std::deque<Parameter>& parameters() { return parameters_; }
    const std::deque<Parameter>& parameters() const { return parameters_; }
    Parameter* find(std::string_view name);
    std::vector<InputFile*> files();  // that are named, of those that are read
    std::vector<std::string> parameter_names() const;

  private:
    Parameter& add(std::string name, ParameterType type, Parameter::Binding binding);

    std::deque<Parameter> parameters_;
    std::string summary_;
    std::string source_;
    std::vector<std::string> reads_;
    std::vector<std::string> reads_if_there_;
    std::vector<std::string> makes_;
    int work_fields_ = 1;
    bool every_field_ = false;
    bool fills_missing_ = false;
    bool makes_missing_ = false;
};

}  // namespace caprock
