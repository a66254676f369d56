#include "operation/check.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace caprock {

namespace {

void require_field(const std::string& name, const std::vector<std::string>& fields) {
    if (std::ranges::find(fields, name) != fields.end()) return;
    std::string have = fields.empty() ? "there is no terrain yet: begin with a file or a generator"
                                      : "the terrain has " + listed(fields);
    throw Error(fmt::format("needs the field '{}'; {}", name, have));
}

}  // namespace

size_t check_operation(const Operation& operation, const Grid& grid, std::vector<std::string>& fields) {
    // A declaration is bound to the values of an operation that may be changed.
    std::unique_ptr<Operation> copy = operation.clone();
    const Declaration declaration = copy->declare();
    for (const Parameter& parameter : declaration.parameters()) parameter.check();
    operation.check(grid);
    for (const std::string& name : declaration.inputs()) require_field(name, fields);
    size_t most = fields.size() + size_t(declaration.work_fields());
    // Which parts there are may depend on the parameters, so only now.
    std::vector<std::string> inside = fields;
    for (const std::unique_ptr<Operation>& part : operation.parts(grid))
        most = std::max(most, named(part->name(), [&] { return check_operation(*part, grid, inside); }));
    for (const std::string& made : declaration.outputs())
        if (std::ranges::find(fields, made) == fields.end()) fields.push_back(made);
    return most;
}

void check_operation(const Operation& operation, const Terrain& terrain) {
    std::vector<std::string> fields = terrain.names();
    check_operation(operation, terrain.grid(), fields);
}

}  // namespace caprock
