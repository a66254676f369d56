// Several pictures as one, for comparing.
#pragma once

#include "base/picture.h"

#include <span>

namespace caprock {

struct ContactSheetOptions {
    int columns = 0;  // 0: one row, or rows of four where there are more
    int gap = 6;      // pixels between the pictures, and around them
};

// The pictures row by row in boxes of one size, each in the middle of its box, on a light ground. Throws Error when
// the sheet would be wider or higher than any picture may be.
Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options = {});

}  // namespace caprock
