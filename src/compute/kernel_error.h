// What is wrong with a kernel that a user wrote, and where.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace caprock {

struct KernelProblem {
    int line = 0;  // of the user's file; 0 where it cannot be told
    std::string message;
};

// A device's error, since another device's compiler may take the same text.
class KernelError : public DeviceError {
  public:
    KernelError(const std::string& file, std::vector<KernelProblem> problems);

    // "rice.kernel:7: 'stp' was not declared", one each.
    std::vector<std::string> lines() const;

  private:
    std::string file_;
    std::vector<KernelProblem> problems_;
};

// What a file or a compiler says, as it can stand in one line: control characters as spaces. Not cut, unlike one_line.
std::string in_a_line(std::string_view text);

// The errors in what a compiler said, as GCC and Clang (which drivers are made of) write them. Those that lie in the
// user's file, known to the compiler as `called`; where there are none, the first error of all, without a line.
std::vector<KernelProblem> problems_in(std::string_view compiler_output, const std::string& called);

}  // namespace caprock
