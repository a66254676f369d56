// Variables of the environment.
#pragma once

#include <cstdlib>
#include <string>

namespace caprock {

// Empty where there is none.
inline std::string environment_variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace caprock
