// --checkpoint: what the simulations of a chain have come to, from one call of the program to the next.
#pragma once

#include "operation/checkpoint.h"
#include "operation/recipe.h"
#include "settings.h"

#include <memory>

namespace caprock::cli {

enum class ChainWay { whole, in_windows };

// Null where none was asked for. Throws Error where the file that is there is of other work, or no checkpoint, or cannot be written.
std::unique_ptr<Checkpoint> checkpoint_for(const RunSettings& settings, const Recipe& recipe, ChainWay way,
                                           Terminal& terminal);

}  // namespace caprock::cli
