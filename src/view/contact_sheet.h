// Several pictures as one, for comparing.
#pragma once

#include "base/picture.h"

#include <span>
#include <string>
#include <vector>

namespace caprock {

struct ContactSheetOptions {
    int columns = 0;                    // 0: one row, or rows of four where there are more
    int gap = 6;                        // pixels between the pictures, and around them
    std::vector<std::string> captions;  // one under each picture; what is too long is shortened
};

// The pictures row by row in boxes of one size, each in the middle of its box, on a light ground. Throws Error when
// the sheet would be wider or higher than any picture may be.
Picture contact_sheet(std::span<const Picture> pictures, const ContactSheetOptions& options = {});

}  // namespace caprock
