// From a kernel's text in the lane dialect to a complete OpenCL program.
#pragma once

#include "compute/kernel.h"

#include <set>
#include <string>

namespace caprock::opencl {

// The dialect header, the kernel's file with its includes, and the entry that calls the kernel for each cell.
// Its second parameter is the rows that each work-item of a folding kernel goes through, else the launch's radius.
// The compiler is told which fields are absent: what a kernel would do with them costs nothing then. Asking at each
// neighbour whether there is a hardness takes a third of the time of thermal erosion on a GPU.
std::string program_source(const Kernel& kernel, const std::set<std::string>& absent = {});

}  // namespace caprock::opencl
