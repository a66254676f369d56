#include "operation/check.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

namespace {

void require_field(const std::string& name, const std::vector<std::string>& fields) {
    if (contains(fields, name)) return;
    if (is_map_text(name))
        throw Error(fmt::format(
            "takes a number by the file '{}', which is for chains and recipes; import the file as a "
            "layer, and take its field",
            name.substr(1)));
    std::string have = fields.empty() ? "there is no terrain yet: begin with a file or a generator"
                                      : "the terrain has " + listed(fields);
    throw Error(fmt::format("needs the field '{}'; {}", name, have));
}

// An operation that asks for less than its parts need would find it in a chain, and not in a document.
void require_declared(const Operation& whole, const Operation& part, const std::vector<std::string>& inside,
                      const std::vector<std::string>& fields) {
    for (const std::string& name : part.fields().inputs)
        if (contains(fields, name) && !contains(inside, name))
            throw std::logic_error(
                fmt::format("{} has the part {}, which reads the field '{}': it must declare that",
                            whole.name(), part.name(), name));
}

}  // namespace

std::vector<std::string> declared_fields(const Operation& operation, std::vector<std::string> fields) {
    const FieldUse use = operation.fields();
    if (use.every_field) return fields;
    std::erase_if(fields, [&](const std::string& name) {
        return !contains(use.inputs, name) && !contains(use.optional_inputs, name);
    });
    return fields;
}

size_t check_operation(const Operation& operation, const Grid& grid, std::vector<std::string>& fields) {
    operation.check_values();
    operation.check(grid);
    const FieldUse use = operation.fields();
    for (const std::string& name : use.inputs) require_field(name, fields);
    size_t most = fields.size() + size_t(use.work_fields);
    // Which parts there are may depend on the parameters, so only now.
    const Parts parts = operation.parts(grid);
    std::vector<std::string> inside = parts.empty() ? fields : declared_fields(operation, fields);
    // Those that the parts do not see are held all the same.
    const size_t hidden = fields.size() - inside.size();
    for (const std::unique_ptr<Operation>& part : parts) {
        require_declared(operation, *part, inside, fields);
        most = std::max(most,
                        hidden + named(part->name(), [&] { return check_operation(*part, grid, inside); }));
    }
    for (const std::string& made : use.outputs)
        if (!contains(fields, made)) fields.push_back(made);
    return most;
}

void check_lines(const Operation& operation, const std::vector<std::string>& lines) {
    for (const std::string& name : operation.fields().line_inputs)
        if (!contains(lines, name))
            throw Error(fmt::format("needs the lines '{}'; {}", name,
                                    lines.empty() ? "the terrain has no lines: take them from a file first"
                                                  : "the terrain has " + listed(lines)));
}

void check_operation(const Operation& operation, const Terrain& terrain) {
    check_lines(operation, terrain.line_names());
    std::vector<std::string> fields = terrain.names();
    check_operation(operation, terrain.grid(), fields);
}

}  // namespace caprock
