#include "operation/work_terrain.h"

#include "base/error.h"
#include "base/text.h"
#include "operation/operation.h"

#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace caprock {

WorkTerrain::WorkTerrain(Terrain& all, const Operation& operation) : all_(all), operation_(operation.name()) {
    FieldUse use = operation.fields();
    reads_ = std::move(use.inputs);
    for (std::string& name : use.optional_inputs) reads_.push_back(std::move(name));
    makes_ = std::move(use.outputs);
    every_field_ = use.every_field;
    reads_lines_ = std::move(use.line_inputs);
    makes_lines_ = std::move(use.line_outputs);
}

WorkTerrain::WorkTerrain(WorkTerrain& whole, const Operation& part) : WorkTerrain(whole.all_, part) {
    whole_ = &whole;
}

void WorkTerrain::refuse(std::string_view does, std::string_view name) const {
    throw std::logic_error(
        fmt::format("{} {} the field '{}', which it does not declare", operation_, does, name));
}

bool WorkTerrain::sees(std::string_view name) const {
    if (!every_field_ && !contains(reads_, name) && !contains(made_, name)) return false;
    return !whole_ || whole_->sees(name);
}

const Field* WorkTerrain::find(std::string_view name) const {
    if (sees(name)) return all_.find(name);
    // What it declares, but the whole does not, is not there.
    if (!every_field_ && !contains(reads_, name)) refuse("reads", name);
    return nullptr;
}

const Field& WorkTerrain::field(std::string_view name) const {
    if (const Field* found = find(name)) return *found;
    std::vector<std::string> there = names();
    if (there.empty()) throw Error(fmt::format("there is no field '{}': the terrain is still empty", name));
    throw Error(fmt::format("there is no field '{}'; the terrain has {}", name, listed(there)));
}

void WorkTerrain::about_to_set(std::string_view name) {
    if (!every_field_ && !of_parts_ && !contains(makes_, name)) refuse("makes", name);
    if (whole_) whole_->about_to_set(name);
    if (!contains(made_, name)) made_.emplace_back(name);
}

void WorkTerrain::set(std::string_view name, Field field) {
    about_to_set(name);
    all_.set(name, std::move(field));
}

std::vector<std::string> WorkTerrain::names() const {
    std::vector<std::string> seen = all_.names();
    std::erase_if(seen, [&](const std::string& name) { return !sees(name); });
    return seen;
}

const LineSet& WorkTerrain::lines(const LinesValue& value) const {
    return value.is_named() ? lines(value.name()) : value.lines();
}

const LineSet& WorkTerrain::lines(std::string_view name) const {
    if (!contains(reads_lines_, name) && !contains(makes_lines_, name))
        throw std::logic_error(
            fmt::format("{} reads the lines '{}', which it does not declare", operation_, name));
    return all_.lines(name);
}

void WorkTerrain::set_lines(std::string_view name, LineSet lines) {
    if (!contains(makes_lines_, name))
        throw std::logic_error(
            fmt::format("{} makes the lines '{}', which it does not declare", operation_, name));
    all_.set_lines(name, std::move(lines));
}

void WorkTerrain::require_every_field() const {
    if (!every_field_)
        throw std::logic_error(
            fmt::format("{} changes the grid without declaring that it changes every field", operation_));
}

}  // namespace caprock
