// caprock [FILE] OPERATION ... then OPERATION ... -o FILE
#pragma once

#include <string>
#include <vector>

namespace caprock::cli {

int run_chain_command(const std::vector<std::string>& words);
// caprock run RECIPE.json|PRESET|P.caprock -o FILE
int run_recipe_command(const std::vector<std::string>& words);
// caprock convert FROM TO
int convert_command(const std::vector<std::string>& words);

}  // namespace caprock::cli
