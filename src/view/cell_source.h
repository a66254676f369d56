// The cells of a field, wherever they are kept: what the renderer reads. A field in memory is one; a document that keeps
// its tiles on disk can be another.
#pragma once

#include "field/field.h"

#include <algorithm>
#include <memory>

namespace caprock {

class CellSource {
  public:
    virtual ~CellSource() = default;

    virtual Rect rect() const = 0;
    // Every so many cells of every so many rows, beginning with the region's first, densely. The region lies inside.
    // Called from several threads at once.
    virtual void read(const Rect& region, int stride, float* to) const = 0;
};

std::shared_ptr<const CellSource> source_of(const Field& field);

// The same for a region that may reach beyond the border, where the cells of the border go on; also of colours.
template <typename Source, typename Value>
void read_beyond(const Source& source, const Rect& region, int stride, Value* to) {
    Rect rect = source.rect();
    if (rect.contains(region)) return source.read(region, stride, to);
    for (int y = region.top; y < region.bottom; y += stride) {
        int row = std::clamp(y, rect.top, rect.bottom - 1);
        int x = region.left;
        auto repeat = [&](int cell, auto&& goes_on) {
            Value value;
            source.read({cell, row, cell + 1, row + 1}, 1, &value);
            for (; x < region.right && goes_on(); x += stride) *to++ = value;
        };
        if (x < rect.left) repeat(rect.left, [&] { return x < rect.left; });
        // The part of the row that is there, in one piece.
        if (x < region.right && x < rect.right) {
            Rect inside = {x, row, std::min(region.right, rect.right), row + 1};
            source.read(inside, stride, to);
            int count = (inside.width() + stride - 1) / stride;
            to += count;
            x += count * stride;
        }
        if (x < region.right) repeat(rect.right - 1, [] { return true; });
    }
}

}  // namespace caprock
