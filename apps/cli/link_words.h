// The words by which a chain takes from more than one place:
//
//   caprock dem.tif as raw then smooth --radius 80 as soft then from raw then take soft.height as source then blend
//   caprock noise then take rock.tif as hardness then gradation
#pragma once

#include "chain_words.h"
#include "operation/recipe.h"

#include <set>
#include <string>
#include <vector>

namespace caprock::cli {

constexpr const char* name_word = "as";
constexpr const char* from_word = "from";
constexpr const char* take_word = "take";

// Whether a link of the chain begins with 'from' or 'take'.
bool is_link_word(const std::string& word);

// 'as NAME', among the parameters of an operation or behind a file. Throws Error where there is no name, or a second.
void read_name(Words& words, RecipeStep& step);

// Reads a link that begins with one of these words into the recipe. `others` may stand in it besides options for the file that
// is taken from. `reserved`: names that steps have, so that no file is called by one.
void read_link_words(Recipe& recipe, const std::vector<std::string>& link, const OtherOptions& others,
                     const std::set<std::string>& reserved);

// All names that stand behind an 'as', whatever they are of.
std::set<std::string> names_given(const std::vector<std::vector<std::string>>& links);

}  // namespace caprock::cli
