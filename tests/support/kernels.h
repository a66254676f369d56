// Kernels as users write them.
#pragma once

#include "compute/kernel_error.h"

#include <cstdlib>
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

// An environment variable with another value, for as long as this lives.
class Variable {
  public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) before_ = old, was_set_ = true;
        setenv(name, value, 1);
    }
    ~Variable() {
        if (was_set_) {
            setenv(name_, before_.c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

  private:
    const char* name_;
    std::string before_;
    bool was_set_ = false;
};

}  // namespace caprock::test
