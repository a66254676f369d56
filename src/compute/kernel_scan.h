// A kernel as a user's text: what it declares, its comments, and what the dialect does not have.
#pragma once

#include "compute/kernel.h"
#include "compute/kernel_error.h"

#include <cstddef>
#include <string>
#include <vector>

namespace caprock {

// Larger texts are no kernels.
constexpr size_t most_kernel_text = 1 << 20;

struct ScannedParameter {
    ParameterKind kind;
    std::string name;
    int line;
    // Of the name, in the text.
    size_t begin, end;
    bool asked_for = false;  // by HAS(name)
};

struct ScannedComment {
    int line;
    std::string text;  // of one line, without slashes and stars
};

struct ScannedInclude {
    size_t begin, end;  // of the line, in the text
    std::string name;
};

struct ScannedKernel {
    std::string file;  // as the user calls it
    std::string text;  // with lines that end as on this system
    std::string name;
    int line = 0;                            // of KERNEL(
    size_t begin = 0, comma = 0, brace = 0;  // of KERNEL, the comma after the name, the body's brace
    std::vector<ScannedParameter> parameters;
    std::vector<ScannedComment> comments;  // those before the kernel
    std::vector<ScannedInclude> includes;
};

// Throws KernelError with every problem found. Whatever would let devices differ or hide what is compiled is refused:
// doubles, other files, pragmas, attributes, names that belong to compilers.
ScannedKernel scan_kernel(const std::string& text, const std::string& file);

}  // namespace caprock
