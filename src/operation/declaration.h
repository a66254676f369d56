// How a struct declares itself, once: describe() names its members as parameters, and says what is read and made. The schema is
// made from that, and where in the struct each value lies.
#pragma once

#include "operation/schema.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caprock {

// Where a value lies, and how it is taken from there and put there.
struct ParameterPlace {
    const void* address = nullptr;
    ParameterValue (*read)(const Parameter& parameter, const void* address) = nullptr;
    void (*write)(const Parameter& parameter, void* address, ParameterValue value) = nullptr;
};

// What describe() is given. It is bound to the members that it names, and gives and takes their values.
class Declaration final : public Configurable {
  public:
    // Parameters are always the same; which fields are used may depend on values. Whoever wants to know only that does not pay
    // for the rest.
    enum class Asking { everything, fields };
    explicit Declaration(Asking asking = Asking::everything) : asking_(asking) {}

    // ---- parameters ----
    Parameter& number(std::string_view name, const double& value);
    // One that may be a map instead: the field that it then is, is read.
    Parameter& number(std::string_view name, const Number& value);
    Parameter& integer(std::string_view name, const int& value);
    Parameter& flag(std::string_view name, const bool& value);
    Parameter& seed(std::string_view name, const uint32_t& value);
    Parameter& interval(std::string_view name, const Interval& value);
    Parameter& table(std::string_view name, const std::vector<double>& value);       // 0.75,0.95,1
    Parameter& words(std::string_view name, const std::vector<std::string>& value);  // talc,gypsum
    Parameter& text(std::string_view name, const std::string& value);
    Parameter& file(std::string_view name, const InputFile& value);  // that is read
    // That is written, or read elsewhere: a path and no more.
    Parameter& file(std::string_view name, const std::string& value);
    Parameter& field(std::string_view name, const std::string& value);  // the name of a field of the terrain
    // Lines of the terrain that are named are declared as read.
    Parameter& points(std::string_view name, const LinesValue& value);
    Parameter& lines(std::string_view name, const LinesValue& value);
    // The words stand for the enumeration's values in order.
    template <typename Enumeration>
    Parameter& choice(std::string_view name, const Enumeration& value,
                      std::initializer_list<std::string_view> words) {
        if (asking_ == Asking::fields) return Parameter::unheard();
        return choice(name, value, std::vector<std::string>(words.begin(), words.end()));
    }
    template <typename Enumeration>
    Parameter& choice(std::string_view name, const Enumeration& value, std::vector<std::string> words) {
        if (asking_ == Asking::fields) return Parameter::unheard();
        ParameterPlace place{&value,
                             [](const Parameter& parameter, const void* address) -> ParameterValue {
                                 return word_at(parameter, int(*static_cast<const Enumeration*>(address)));
                             },
                             [](const Parameter& parameter, void* address, ParameterValue word) {
                                 *static_cast<Enumeration*>(address) = Enumeration(index_of(parameter, word));
                             }};
        return add_choice(name, place, int(value), std::move(words));
    }

    // Those of another declaration, or of an operation, that `taken` is true for: they stay bound to what they are bound to.
    using Taken = std::function<bool(const Parameter&)>;
    void include(const Declaration& other, const Taken& taken);
    void include(Configurable& other, const Taken& taken);
    // To say something else of one. Throws std::logic_error where there is none of that name.
    Parameter& adjust(std::string_view name) { return schema_.at(name); }

    // ---- what it is and works on ----
    void summary(std::string_view one_line);
    void source(std::string_view paper);  // the document its formulas come from
    void reads(std::string_view field);
    void reads_if_there(std::string_view field);
    void makes(std::string_view field) { fields_.outputs.emplace_back(field); }
    void changes(std::string_view field) {
        reads(field);
        makes(field);
    }
    // The same of lines, by the names that they have in a terrain.
    void reads_lines(std::string_view name) { fields_.line_inputs.emplace_back(name); }
    void makes_lines(std::string_view name) { fields_.line_outputs.emplace_back(name); }
    // It changes whatever fields there are, besides those it names.
    void changes_every_field() { fields_.every_field = true; }
    // Whether it may give missing cells a value, or take one away: otherwise neither is done.
    void fills_missing() { fields_.fills_missing = true; }
    void makes_missing() { fields_.makes_missing = true; }
    // Fields of the terrain's size that it holds while it runs, besides the terrain's own; the one it makes counts.
    void works_with(int fields) { fields_.work_fields = fields + maps_; }

    // ---- what was declared ----
    const Schema& schema() const override { return schema_; }
    const FieldUse& fields() const { return fields_; }
    const std::vector<ParameterPlace>& places() const { return places_; }

  protected:
    ParameterValue value_at(size_t index) const override;
    void put_at(size_t index, ParameterValue value) override;

  private:
    template <typename Value>
    Parameter& add(std::string_view name, ParameterType type, const Value& value);
    Parameter& add_choice(std::string_view name, const ParameterPlace& place, int index,
                          std::vector<std::string> words);
    static std::string word_at(const Parameter& parameter, int index);
    static int index_of(const Parameter& parameter, const ParameterValue& word);

    Asking asking_;
    Schema schema_;
    FieldUse fields_;
    int maps_ = 0;  // that numbers are: of each, the numbers are a field while it runs
    std::vector<ParameterPlace> places_;
};

// The schema of a kind of struct, and where in any of them the values lie.
class StructSchema {
  public:
    template <typename Struct>
    static const StructSchema& of() {
        static const StructSchema made = [] {
            const Struct defaults;
            Declaration declaration;
            defaults.describe(declaration);
            return StructSchema(declaration, &defaults, sizeof(Struct));
        }();
        return made;
    }

    const Schema& schema() const { return schema_; }
    ParameterValue value(const void* values, size_t index) const;
    void put(void* values, size_t index, ParameterValue value) const;

  private:
    // Throws std::logic_error for a parameter that is no part of the struct itself.
    StructSchema(const Declaration& declaration, const void* defaults, size_t size);

    struct Member {
        ParameterPlace place;
        size_t offset;
    };
    Schema schema_;
    std::vector<Member> members_;
};

// Which fields a struct with these values works on.
template <typename Struct>
FieldUse field_use(const Struct& values) {
    Declaration declaration(Declaration::Asking::fields);
    values.describe(declaration);
    return declaration.fields();
}

}  // namespace caprock
