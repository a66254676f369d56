// Environment variables.
#pragma once

#include <cstdlib>
#include <string>

namespace caprock::test {

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
