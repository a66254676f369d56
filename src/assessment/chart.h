// Curves over two axes, drawn with the lines and letters of maps.
#pragma once

#include "assessment/fits.h"
#include "base/interval.h"
#include "base/picture.h"
#include "view/colour.h"
#include "view/ink.h"
#include "view/lettering.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace caprock {

struct ChartAxis {
    std::string title;
    Interval range;
    bool logarithmic = false;
    // Of all that is to be seen, with a little room around it. Where nothing is, 0 to 1, or 1 to 10 of a logarithmic one.
    static ChartAxis around(std::string title, std::span<const double> values, bool logarithmic);
};

// A word in a colour of its own.
struct ChartWord {
    std::string text;
    Bytes colour;
};

class Chart {
  public:
    // In a box of a picture, with the words in one line below the title.
    Chart(Picture& picture, const Rect& box, std::string_view title, std::span<const ChartWord> words,
          const ChartAxis& across, const ChartAxis& up);

    void line(std::span<const CurvePoint> points, const Bytes& colour, double width = 2, bool dots = false);
    // From one value of the upper axis to another, between two places of the other axis.
    void bar(double from_x, double to_x, double from_y, double to_y, const Bytes& colour, float opacity = 1);
    // Below the axis.
    void name(double x, std::string_view text);

  private:
    PixelPoint at(double x, double y) const;
    void draw_axes(const ChartAxis& across, const ChartAxis& up);

    Picture& picture_;
    Rect plot_;
    ChartAxis across_;
    ChartAxis up_;
};

// One line of words, the point at the left end of its baseline. Returns where it ends.
double print_words(Picture& picture, std::span<const ChartWord> words, const PixelPoint& at,
                   const Lettering& lettering);

}  // namespace caprock
