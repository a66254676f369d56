// Operations with parameters as a user would type them.
#pragma once

#include "operation/operation.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace caprock::test {

using Parameters = std::vector<std::pair<std::string, std::string>>;

inline std::unique_ptr<Operation> made_operation(std::string_view name, const Parameters& parameters = {}) {
    std::unique_ptr<Operation> operation = make_operation(name);
    for (const auto& [parameter, text] : parameters) operation->set_text(parameter, text);
    return operation;
}

}  // namespace caprock::test
