#include "base/error.h"
#include "base/text.h"
#include "operation/operation.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace caprock {

namespace {

struct RegisteredOperation {
    std::string_view name;
    std::string_view room;
    std::unique_ptr<Operation> (*make)(std::string_view, std::string_view);
};

std::vector<RegisteredOperation>& entries() {
    static std::vector<RegisteredOperation> all;
    return all;
}

const RegisteredOperation* find_entry(std::string_view name) {
    for (const RegisteredOperation& entry : entries())
        if (entry.name == name) return &entry;
    return nullptr;
}

}  // namespace

OperationRegistration::OperationRegistration(std::string_view name, std::string_view room,
                                             std::unique_ptr<Operation> (*make)(std::string_view,
                                                                                std::string_view)) {
    if (find_entry(name)) throw std::logic_error(fmt::format("two operations are called '{}'", name));
    entries().push_back({name, room, make});
}

std::vector<std::string> operation_names() {
    std::vector<RegisteredOperation> sorted = entries();
    std::ranges::sort(sorted, [](const RegisteredOperation& a, const RegisteredOperation& b) {
        return std::pair(a.room, a.name) < std::pair(b.room, b.name);
    });
    std::vector<std::string> names;
    for (const RegisteredOperation& entry : sorted) names.emplace_back(entry.name);
    return names;
}

bool is_operation(std::string_view name) { return find_entry(name) != nullptr; }

std::unique_ptr<Operation> make_operation(std::string_view name) {
    if (const RegisteredOperation* entry = find_entry(name)) return entry->make(entry->name, entry->room);
    throw Error(fmt::format("no operation '{}'{}", one_line(name), suggestion(name, operation_names())));
}

}  // namespace caprock
