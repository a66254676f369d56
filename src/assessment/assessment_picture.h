// The curves of an assessment as one picture: hypsometry, slope and area, slopes, Hack's law, roughness and landforms.
#pragma once

#include "assessment/assessment_text.h"
#include "base/picture.h"

#include <span>

namespace caprock {

// Of several lands in colours of their own; land that is the yardstick is grey.
Picture assessment_picture(std::span<const AssessedLand> lands, const Yardstick& yardstick);

}  // namespace caprock
