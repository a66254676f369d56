// What an operation, or the settings of a command, say of themselves: their parameters and what they are for (the schema, which
// is constant), and which fields are read and made (which may follow from values).
#pragma once

#include "operation/parameter.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

class Schema {
  public:
    const std::deque<Parameter>& parameters() const { return parameters_; }
    // By the name that it has, or had.
    const Parameter* find(std::string_view name) const;
    // Throws std::logic_error where there is none of that name.
    const Parameter& at(std::string_view name) const;
    std::vector<std::string> parameter_names() const;
    const std::string& summary() const { return summary_; }
    const std::string& source() const { return source_; }  // the document its formulas come from

    // ---- for whoever makes one ----
    Parameter& add(std::string_view name, ParameterType type, ParameterValue default_value);
    Parameter& add(const Parameter& like);
    Parameter& at(std::string_view name);
    void set_summary(std::string_view one_line) { summary_ = one_line; }
    void set_source(std::string_view paper) { source_ = paper; }

  private:
    std::deque<Parameter> parameters_;  // whoever declares one goes on with it while others come
    std::string summary_;
    std::string source_;
};

// Which fields of a terrain an operation works on.
struct FieldUse {
    std::vector<std::string> inputs;
    std::vector<std::string> optional_inputs;  // read where they are there
    std::vector<std::string> outputs;          // whether or not they were there
    std::vector<std::string> line_inputs;      // line sets, likewise
    std::vector<std::string> line_outputs;
    int work_fields = 1;         // of the terrain's size that it holds while it runs; the one it makes counts
    bool every_field = false;    // it changes whatever fields there are, besides those it names
    bool fills_missing = false;  // it may give missing cells a value
    bool makes_missing = false;  // it may take one away

    // Needs a grid and nothing on it.
    bool generator() const { return inputs.empty(); }
};

// Something with values for the parameters of a schema.
class Configurable {
  public:
    virtual ~Configurable() = default;
    virtual const Schema& schema() const = 0;

    // Those that take a name throw std::logic_error where there is no such parameter.
    ParameterValue value(const Parameter& parameter) const { return value_at(parameter.index()); }
    ParameterValue value(std::string_view name) const { return value(schema().at(name)); }
    template <typename Value>
    Value get(std::string_view name) const {
        return std::get<Value>(value(name));
    }
    std::string value_text(const Parameter& parameter) const { return parameter.text_of(value(parameter)); }
    std::string value_text(std::string_view name) const { return value_text(schema().at(name)); }

    // As Parameter::accepted and Parameter::parsed say; what is refused changes nothing.
    void set(const Parameter& parameter, const ParameterValue& value) {
        put_at(parameter.index(), parameter.accepted(value));
    }
    void set(std::string_view name, const ParameterValue& value) { set(schema().at(name), value); }
    void set_text(const Parameter& parameter, std::string_view text) {
        put_at(parameter.index(), parameter.parsed(text));
    }
    void set_text(std::string_view name, std::string_view text) { set_text(schema().at(name), text); }

    // Throws Error unless every value is inside its range.
    void check_values() const;
    // All of them, in the order of the parameters: a plain value, to be kept and compared.
    std::vector<ParameterValue> values() const;
    void set_values(const std::vector<ParameterValue>& values);

    // The files that are named, of those that are read.
    std::vector<InputFile> files() const;
    // Reads those that have not been read, lines among them. Throws Error where one cannot be.
    void fetch_files();
    // The maps that numbers are by.
    std::vector<NumberMap> maps() const;

    // Whether there are lines from files, which lie somewhere only on a terrain; and puts them there. Throws Error.
    bool has_lines_to_place() const;
    void place_lines(const Terrain& shape);

  protected:
    virtual ParameterValue value_at(size_t index) const = 0;
    virtual void put_at(size_t index, ParameterValue value) = 0;
};

}  // namespace caprock
