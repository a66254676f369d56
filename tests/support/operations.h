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
    Declaration declaration = operation->declare();
    for (const auto& [parameter, text] : parameters) declaration.find(parameter)->set_text(text);
    return operation;
}

}  // namespace caprock::test
