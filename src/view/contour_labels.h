// Heights written along contour lines.
#pragma once

#include "view/contour_lines.h"
#include "view/lettering.h"

#include <span>
#include <string>
#include <vector>

namespace caprock {

struct ContourLabel {
    size_t line = 0;    // its line
    std::string text;   // the height
    PixelPoint middle;  // of the letters
    double angle = 0;   // degrees clockwise, -90 to 90: no label stands on its head
    double begin = 0;   // what of the line it takes, in pixels along it: there the line is left open
    double end = 0;
};

// Labels for the strong lines, where a line is straight for the length of its label; long lines have several. No two
// overlap, none leaves the picture or enters what is reserved for something else.
std::vector<ContourLabel> place_labels(std::span<const ContourLine> lines, Size picture,
                                       const Lettering& lettering, std::span<const Rect> reserved = {});

}  // namespace caprock
