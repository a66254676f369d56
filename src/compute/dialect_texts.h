// The dialect and the headers kernels share, as texts: who compiles a kernel needs no source tree.
#pragma once

#include "compute/kernel.h"

#include <set>
#include <span>
#include <string>
#include <string_view>

namespace caprock {

// "dialect/cpu.h", "perlin.h" and so on. Defined by a source that the build writes.
std::span<const KernelText> dialect_texts();

// Copies a text with its includes put in place, each once. #line keeps the compiler's messages true. Throws DeviceError
// where one of them is not among the texts.
void append_with_includes(std::span<const KernelText> texts, std::string_view name,
                          std::set<std::string>& included, std::string& source);

}  // namespace caprock
