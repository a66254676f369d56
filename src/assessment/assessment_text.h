// What was measured, as people read it and as programs do.
#pragma once

#include "assessment/comparison.h"
#include "base/json_text.h"

#include <span>
#include <string>

namespace caprock {

struct AssessedLand {
    std::string name;
    Assessment assessment;
};

// A table with a column for each land, and below it, land by land, what is unlike.
std::string assessment_text(std::span<const AssessedLand> lands, const Yardstick& yardstick);

// One land, with its curves.
Json assessment_json(const AssessedLand& land, const Yardstick& yardstick);

}  // namespace caprock
