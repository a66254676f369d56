// Kernel files on the command line: as operations, and the command that checks them.
#pragma once

#include "operation/operation.h"

#include <memory>
#include <string>
#include <vector>

namespace caprock::cli {

// Whether a word stands for an operation: one of the registry, or a kernel file.
bool means_operation(const std::string& word);
// Throws Error where there is no such file, and KernelError where it is no kernel.
std::unique_ptr<Operation> operation_meant(const std::string& word);

int kernel_command(const std::vector<std::string>& words);
std::string kernel_help();
std::vector<std::string> kernel_option_names();

}  // namespace caprock::cli
