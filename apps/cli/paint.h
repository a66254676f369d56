// caprock paint P.caprock --brush NAME --stroke "x,y x,y ...", and what brushes there are.
#pragma once

#include <string>
#include <vector>

namespace caprock::cli {

int paint_command(const std::vector<std::string>& words);
std::string paint_options();
std::vector<std::string> paint_option_names();
extern const char* const paint_remark;

int brushes_command(const std::vector<std::string>& words);
std::string brushes_options();
std::vector<std::string> brushes_option_names();
extern const char* const brushes_remark;

}  // namespace caprock::cli
