#include "operation/operation.h"

#include "operation/check.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

std::unique_ptr<Operation> operation_with(
    std::string_view name, std::initializer_list<std::pair<std::string_view, ParameterValue>> parameters) {
    std::unique_ptr<Operation> operation = make_operation(name);
    for (const auto& [parameter, value] : parameters) {
        if (!operation->schema().find(parameter))
            throw std::logic_error(fmt::format("{} has no parameter '{}'", name, parameter));
        named(name, [&] { operation->set(parameter, value); });
    }
    return operation;
}

std::unique_ptr<Operation> with_files(const Operation& operation) {
    std::unique_ptr<Operation> copy = operation.clone();
    copy->fetch_files();
    return copy;
}

LineSet lines_after(const Grid& before, const Grid& after, const LineSet& lines) {
    if (after == before) return lines;
    const WorldArea here = before.span_of(before.extent), there = after.span_of(after.extent);
    auto times = [](double old_span, double new_span) { return old_span > 0 ? new_span / old_span : 1.0; };
    const double across = times(here.width(), there.width()), down = times(here.height(), there.height());
    return lines.mapped([&](LinePoint point) {
        point.x = there.left + (point.x - here.left) * across;
        point.y = there.top + (point.y - here.top) * down;
        return point;
    });
}

Reach reach_of(const Parts& parts, const Grid& grid) {
    Reach reach = Reach::point();
    for (const std::unique_ptr<Operation>& part : parts) reach = reach.then(part->reach(grid));
    return reach;
}

void keep_outputs(Terrain& after, const Terrain& before, const std::vector<std::string>& names,
                  const std::vector<std::string>& outputs) {
    Terrain kept = after;
    for (const std::string& name : after.names()) kept.remove(name);
    auto keep = [&](const std::string& name, const Terrain& from) {
        if (const Field* field = from.find(name)) kept.set(name, *field);
    };
    auto is_output = [&](const std::string& name) {
        return std::ranges::find(outputs, name) != outputs.end();
    };
    for (const std::string& name : names) keep(name, is_output(name) && after.has(name) ? after : before);
    for (const std::string& name : outputs) keep(name, after);
    after = std::move(kept);
}

}  // namespace caprock
