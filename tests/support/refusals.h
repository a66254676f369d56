// What an action refuses with.
#pragma once

#include "base/error.h"

#include <functional>
#include <string>

namespace caprock::test {

// Empty where it refuses nothing. Errors of other kinds go on to the test.
template <typename Refused = Error>
std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const Refused& error) {
        return error.what();
    }
    return "";
}

}  // namespace caprock::test
