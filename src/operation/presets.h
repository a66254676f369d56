// Recipes that come with the library: the files of presets/, put into it by the build.
#pragma once

#include "operation/recipe.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

std::vector<std::string> preset_names();  // by the alphabet
bool is_preset(std::string_view name);
// Throws Error with the nearest name where there is none. `tell` as for parse_recipe.
Recipe preset(std::string_view name, const std::function<void(const std::string&)>& tell = {});

}  // namespace caprock
