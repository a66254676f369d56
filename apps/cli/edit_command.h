// Opens the editor.
#pragma once

#include <string>
#include <vector>

namespace caprock::cli {

int edit_command(const std::vector<std::string>& words);

}  // namespace caprock::cli
