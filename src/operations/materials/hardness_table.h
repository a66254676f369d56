// How hard materials are, as people and files say it: by numbers, or by minerals of that hardness.
#pragma once

#include "operation/input_file.h"

#include <string>
#include <vector>

namespace caprock {

// As many as `materials` makes.
constexpr int most_materials = 65536;

// The minerals of Table 1 of Table mountains, from the softest to the hardest.
std::vector<std::string> mineral_names();

// The hardness of each, 0..1. Throws Error for a name that is none of them, with the nearest one.
std::vector<double> hardness_of_minerals(const std::vector<std::string>& names);

// The hardness of materials 0, 1, 2, ... from a JSON file: a list of numbers, names of minerals, and objects
// {"name": "sandstone", "hardness": 0.75}, whose hardness may be a mineral's too; or an object whose "materials" is
// such a list. Throws Error, naming the file and the material.
std::vector<double> hardness_table_in(const InputFile& file);
// Such a file, none yet.
InputFile hardness_table_file();

}  // namespace caprock
