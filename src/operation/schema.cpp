#include "operation/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace caprock {

const Parameter* Schema::find(std::string_view name) const {
    for (const Parameter& parameter : parameters_)
        if (parameter.answers_to(name)) return &parameter;
    return nullptr;
}

const Parameter& Schema::at(std::string_view name) const {
    if (const Parameter* found = find(name)) return *found;
    throw std::logic_error(fmt::format("there is no parameter '{}'", name));
}

std::vector<std::string> Schema::parameter_names() const {
    std::vector<std::string> names;
    for (const Parameter& parameter : parameters_) names.push_back(parameter.name());
    return names;
}

Parameter& Schema::add(std::string_view name, ParameterType type, ParameterValue default_value) {
    if (find(name)) throw std::logic_error(fmt::format("two parameters are called '{}'", name));
    return parameters_.emplace_back(name, type, std::move(default_value), parameters_.size());
}

Parameter& Schema::add(const Parameter& like) {
    Parameter& added = add(like.name(), like.type(), like.default_value());
    return added = like.at_index(added.index());
}

Parameter& Schema::at(std::string_view name) {
    return const_cast<Parameter&>(std::as_const(*this).at(name));  // of this schema, which may be changed
}

void Configurable::check_values() const {
    for (const Parameter& parameter : schema().parameters()) parameter.check(value(parameter));
}

std::vector<ParameterValue> Configurable::values() const {
    std::vector<ParameterValue> all;
    for (const Parameter& parameter : schema().parameters()) all.push_back(value(parameter));
    return all;
}

void Configurable::set_values(const std::vector<ParameterValue>& values) {
    const std::deque<Parameter>& parameters = schema().parameters();
    if (values.size() != parameters.size())
        throw std::logic_error(fmt::format("{} values for {} parameters", values.size(), parameters.size()));
    for (const Parameter& parameter : parameters) set(parameter, values[parameter.index()]);
}

std::vector<InputFile> Configurable::files() const {
    std::vector<InputFile> named;
    for (const Parameter& parameter : schema().parameters()) {
        if (!std::holds_alternative<InputFile>(parameter.default_value())) continue;
        InputFile file = std::get<InputFile>(value(parameter));
        if (file.named()) named.push_back(std::move(file));
    }
    return named;
}

std::vector<NumberMap> Configurable::maps() const {
    std::vector<NumberMap> maps;
    for (const Parameter& parameter : schema().parameters()) {
        if (!parameter.varies()) continue;
        const ParameterValue given = value(parameter);
        if (const NumberMap* map = std::get_if<NumberMap>(&given)) maps.push_back(*map);
    }
    return maps;
}

void Configurable::fetch_files() {
    for (const Parameter& parameter : schema().parameters()) {
        if (parameter.is_of_lines()) {
            LinesValue lines = std::get<LinesValue>(value(parameter));
            lines.fetch();
            put_at(parameter.index(), std::move(lines));
        }
        if (!std::holds_alternative<InputFile>(parameter.default_value())) continue;
        InputFile file = std::get<InputFile>(value(parameter));
        if (!file.named()) continue;
        file.fetch();
        put_at(parameter.index(), std::move(file));
    }
}

bool Configurable::has_lines_to_place() const {
    return std::ranges::any_of(schema().parameters(), [&](const Parameter& parameter) {
        return parameter.is_of_lines() && !std::get<LinesValue>(value(parameter)).path().empty();
    });
}

void Configurable::place_lines(const Terrain& shape) {
    for (const Parameter& parameter : schema().parameters())
        if (parameter.is_of_lines())
            put_at(parameter.index(), std::get<LinesValue>(value(parameter)).placed_on(shape));
}

}  // namespace caprock
