#include "operation/declaration.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

template <typename Value>
Parameter& Declaration::add(std::string_view name, ParameterType type, const Value& value) {
    if (asking_ == Asking::fields) return Parameter::unheard();
    places_.push_back({&value,
                       [](const Parameter&, const void* address) -> ParameterValue {
                           return *static_cast<const Value*>(address);
                       },
                       [](const Parameter&, void* address, ParameterValue given) {
                           *static_cast<Value*>(address) = std::get<Value>(std::move(given));
                       }});
    return schema_.add(name, type, value);
}

Parameter& Declaration::number(std::string_view name, const double& value) {
    return add(name, ParameterType::number, value);
}
Parameter& Declaration::number(std::string_view name, const Number& value) {
    if (value.map()) {
        reads(value.map()->field());
        maps_++;
        fields_.work_fields++;
    }
    if (asking_ == Asking::fields) return Parameter::unheard();
    places_.push_back({&value,
                       [](const Parameter&, const void* address) -> ParameterValue {
                           return value_of(*static_cast<const Number*>(address));
                       },
                       [](const Parameter&, void* address, ParameterValue given) {
                           auto& number = *static_cast<Number*>(address);
                           if (NumberMap* map = std::get_if<NumberMap>(&given)) {
                               number = std::move(*map);
                           } else {
                               number = std::get<double>(given);
                           }
                       }});
    return schema_.add(name, ParameterType::number, value.varies() ? 0.0 : value.everywhere()).may_vary();
}
Parameter& Declaration::integer(std::string_view name, const int& value) {
    return add(name, ParameterType::integer, value);
}
Parameter& Declaration::flag(std::string_view name, const bool& value) {
    return add(name, ParameterType::flag, value);
}
Parameter& Declaration::seed(std::string_view name, const uint32_t& value) {
    return add(name, ParameterType::seed, value);
}
Parameter& Declaration::interval(std::string_view name, const Interval& value) {
    return add(name, ParameterType::interval, value);
}
Parameter& Declaration::table(std::string_view name, const std::vector<double>& value) {
    return add(name, ParameterType::table, value);
}
Parameter& Declaration::words(std::string_view name, const std::vector<std::string>& value) {
    return add(name, ParameterType::words, value);
}
Parameter& Declaration::text(std::string_view name, const std::string& value) {
    return add(name, ParameterType::text, value);
}
Parameter& Declaration::file(std::string_view name, const std::string& value) {
    return add(name, ParameterType::file, value);
}
Parameter& Declaration::file(std::string_view name, const InputFile& value) {
    return add(name, ParameterType::file, value);
}
Parameter& Declaration::field(std::string_view name, const std::string& value) {
    return add(name, ParameterType::field, value);
}

Parameter& Declaration::points(std::string_view name, const LinesValue& value) {
    if (value.is_named()) reads_lines(value.name());
    return add(name, ParameterType::points, value);
}
Parameter& Declaration::lines(std::string_view name, const LinesValue& value) {
    if (value.is_named()) reads_lines(value.name());
    return add(name, ParameterType::lines, value);
}

Parameter& Declaration::add_choice(std::string_view name, const ParameterPlace& place, int index,
                                   std::vector<std::string> words) {
    std::string word = index >= 0 && size_t(index) < words.size() ? words[size_t(index)] : std::string();
    places_.push_back(place);
    return schema_.add(name, ParameterType::choice, std::move(word)).choices(std::move(words));
}

std::string Declaration::word_at(const Parameter& parameter, int index) {
    const std::vector<std::string>& words = parameter.choices();
    // No word for it: check() refuses it, and the message has to call it something.
    return index >= 0 && size_t(index) < words.size() ? words[size_t(index)] : std::to_string(index);
}

int Declaration::index_of(const Parameter& parameter, const ParameterValue& word) {
    const std::vector<std::string>& words = parameter.choices();
    return int(std::ranges::find(words, std::get<std::string>(word)) - words.begin());
}

void Declaration::include(const Declaration& other, const Taken& taken) {
    for (const Parameter& parameter : other.schema_.parameters()) {
        if (!taken(parameter)) continue;
        schema_.add(parameter);
        places_.push_back(other.places_[parameter.index()]);
    }
}

void Declaration::include(Configurable& other, const Taken& taken) {
    for (const Parameter& parameter : other.schema().parameters()) {
        if (!taken(parameter)) continue;
        schema_.add(parameter);
        places_.push_back({&other,
                           [](const Parameter& one, const void* address) -> ParameterValue {
                               return static_cast<const Configurable*>(address)->value(one.name());
                           },
                           [](const Parameter& one, void* address, ParameterValue value) {
                               static_cast<Configurable*>(address)->set(one.name(), value);
                           }});
    }
}

void Declaration::summary(std::string_view one_line) {
    if (asking_ == Asking::everything) schema_.set_summary(one_line);
}
void Declaration::source(std::string_view paper) {
    if (asking_ == Asking::everything) schema_.set_source(paper);
}

void Declaration::reads(std::string_view field) {
    std::erase(fields_.optional_inputs, field);
    if (!contains(fields_.inputs, field)) fields_.inputs.emplace_back(field);
}
void Declaration::reads_if_there(std::string_view field) {
    if (!contains(fields_.inputs, field)) fields_.optional_inputs.emplace_back(field);
}

ParameterValue Declaration::value_at(size_t index) const {
    return places_[index].read(schema_.parameters()[index], places_[index].address);
}

void Declaration::put_at(size_t index, ParameterValue value) {
    // describe() only names its members; whoever holds the declaration of a struct may change the struct.
    void* address = const_cast<void*>(places_[index].address);
    places_[index].write(schema_.parameters()[index], address, std::move(value));
}

StructSchema::StructSchema(const Declaration& declaration, const void* defaults, size_t size)
    : schema_(declaration.schema()) {
    for (const ParameterPlace& place : declaration.places()) {
        auto offset = static_cast<const char*>(place.address) - static_cast<const char*>(defaults);
        if (offset < 0 || size_t(offset) >= size)
            throw std::logic_error(fmt::format("the parameter '{}' is no member of its operation",
                                               schema_.parameters()[members_.size()].name()));
        members_.push_back({place, size_t(offset)});
    }
}

ParameterValue StructSchema::value(const void* values, size_t index) const {
    const Member& member = members_[index];
    return member.place.read(schema_.parameters()[index], static_cast<const char*>(values) + member.offset);
}

void StructSchema::put(void* values, size_t index, ParameterValue value) const {
    const Member& member = members_[index];
    member.place.write(schema_.parameters()[index], static_cast<char*>(values) + member.offset,
                       std::move(value));
}

}  // namespace caprock
