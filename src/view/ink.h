// Lines on a picture: strokes with round ends, drawn with soft edges.
#pragma once

#include "base/picture.h"
#include "view/colour.h"

#include <cstdint>
#include <span>
#include <vector>

namespace caprock {

// In pixels from the upper left corner of a picture: the first pixel's middle is (0.5, 0.5).
struct PixelPoint {
    double x = 0;
    double y = 0;

    bool operator==(const PixelPoint&) const = default;
};

struct InkLine {
    PixelPoint from;
    PixelPoint to;
    float width = 1;     // pixels
    float strength = 1;  // 0 nothing .. 1 all of the ink
};

// How much of each pixel is covered. Where strokes meet, the stronger one counts: a line has no dark joints.
class Ink {
  public:
    explicit Ink(Size size) : size_(size), cover_(size_t(size.cells()), 0) {}

    Size size() const { return size_; }
    void draw(std::span<const InkLine> strokes);
    // Takes away what other ink covers, as if that had been drawn first and kept this one off.
    void spare(const Ink& other);
    // 0..255.
    uint8_t at(int x, int y) const { return cover_[size_t(y) * size_t(size_.width) + size_t(x)]; }

    // Puts it on the picture in a colour.
    void print(Picture& picture, const Bytes& colour, float opacity = 1) const;

  private:
    Size size_;
    Rect inked_;  // where there is any
    std::vector<uint8_t> cover_;
};

// A rectangle filled with a colour, cut to the picture.
void print_box(Picture& picture, const Rect& box, const Bytes& colour, float opacity = 1);

}  // namespace caprock
