#include "operation/operation.h"

#include "operation/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

std::unique_ptr<Operation> operation_with(
    std::string_view name, std::initializer_list<std::pair<std::string_view, ParameterValue>> parameters) {
    std::unique_ptr<Operation> operation = make_operation(name);
    Declaration declaration = operation->declare();
    for (const auto& [parameter_name, value] : parameters) {
        Parameter* parameter = declaration.find(parameter_name);
        if (!parameter) throw std::logic_error(fmt::format("{} has no parameter '{}'", name, parameter_name));
        named(name, [&] { parameter->set(value); });
    }
    return operation;
}

Reach reach_of(const Parts& parts, const Grid& grid) {
    Reach reach = Reach::point();
    for (const std::unique_ptr<Operation>& part : parts) reach = reach.then(part->reach(grid));
    return reach;
}

void keep_outputs(Terrain& after, const Terrain& before, const std::vector<std::string>& outputs) {
    for (const std::string& name : after.names()) {
        if (std::ranges::find(outputs, name) != outputs.end()) continue;
        if (const Field* field = before.find(name)) {
            after.set(name, *field);
        } else {
            after.remove(name);
        }
    }
}

void run_parts(const Parts& parts, const std::vector<std::string>& outputs, Work& work) {
    const Terrain before = work.terrain();
    work.progress().expect(int64_t(parts.size()));
    for (const std::unique_ptr<Operation>& part : parts) work.apply(*part);
    keep_outputs(work.terrain(), before, outputs);
}

}  // namespace caprock
