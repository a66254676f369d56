#pragma once

#include <string>

namespace caprock::cli {

// A bash script that completes operations, commands, parameters, choices and files, made from the
// declarations.
std::string bash_completions();

}  // namespace caprock::cli
