// Kernels as users write them.
#pragma once

#include "compute/kernel_error.h"
#include "support/variable.h"

#include <functional>
#include <string>
#include <vector>

namespace caprock::test {

// What an action says is wrong with a kernel; empty where nothing is.
inline std::vector<std::string> kernel_problems(const std::function<void()>& action) {
    try {
        action();
    } catch (const KernelError& error) {
        return error.lines();
    }
    return {};
}

}  // namespace caprock::test
