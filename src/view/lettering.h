// Letters made of strokes, in the manner of technical drawing: they can be turned and set in any size, and are drawn
// with the same soft edges as every other line.
#pragma once

#include "view/ink.h"

#include <string_view>
#include <vector>

namespace caprock {

struct Lettering {
    double height = 10;    // of a capital letter, pixels
    double weight = 0.14;  // width of the strokes, as a share of the height
};

enum class Anchor { left, middle, right };

// From the first stroke's outer edge to the last one's. What the font has no letter for is a hollow box.
double text_width(std::string_view text, const Lettering& lettering);

// Adds the strokes of a text. The point lies on its baseline, at the anchor; angle in degrees, clockwise.
void write_text(std::vector<InkLine>& strokes, std::string_view text, const PixelPoint& at,
                const Lettering& lettering, Anchor anchor = Anchor::left, double angle = 0);

// The same strokes, wider: what is printed below them, so that they read on any ground.
std::vector<InkLine> halo_of(const std::vector<InkLine>& strokes, double margin);

// As much of the text as fits, with an ellipsis in its middle: endings of file names matter.
std::string shortened_text(std::string_view text, const Lettering& lettering, double width);

}  // namespace caprock
