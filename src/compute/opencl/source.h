// From a kernel's text in the lane dialect to a complete OpenCL program.
#pragma once

#include "compute/kernel.h"

#include <string>

namespace caprock::opencl {

// The dialect header, the kernel's file with its includes, and the entry that calls the kernel for each cell.
// Its second parameter is the rows that each work-item of a folding kernel goes through, else the launch's radius.
std::string program_source(const Kernel& kernel);

}  // namespace caprock::opencl
