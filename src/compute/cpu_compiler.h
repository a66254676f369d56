// The system's compiler, for kernels that are written while the program runs.
#pragma once

#include "compute/kernel.h"

#include <chrono>
#include <optional>
#include <string>

namespace caprock {

struct CpuCompiler {
    std::string path;
};

// The one that CAPROCK_CXX names ("none" for none at all), else g++ or c++ of the PATH, where it is GCC. Throws Error where
// CAPROCK_CXX names one that there is not, or Clang.
std::optional<CpuCompiler> find_cpu_compiler();

struct CompilerAnswer {
    const void* symbol = nullptr;  // what was asked for; it stays for as long as the process does
    std::string said;              // the compiler's own words where it failed
    std::string failure;           // in ours: "did not end within 60 seconds"
};

// With the flags that the build has for kernels. What was compiled before is taken from the cache on disk.
CompilerAnswer compile_for_cpu(const CpuCompiler& compiler, const std::string& source, CpuLevel level,
                               const std::string& symbol,
                               std::chrono::milliseconds patience = std::chrono::seconds(60));

}  // namespace caprock
