// From a kernel's text in the lane dialect to a complete OpenCL program.
#pragma once

#include "compute/kernel.h"

#include <string>

namespace caprock::opencl {

// The dialect header, the kernel's file with its includes, and the entry that calls the kernel for each cell.
std::string program_source(const Kernel& kernel);

// Rows that one work-item of a folding kernel goes through.
constexpr int rows_per_fold = 64;

}  // namespace caprock::opencl
