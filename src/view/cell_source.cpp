#include "view/cell_source.h"

#include <algorithm>

namespace caprock {

namespace {

class FieldSource : public CellSource {
  public:
    explicit FieldSource(const Field& field) : field_(field), rows_(field_.rows()) {}

    Rect rect() const override { return field_.rect(); }

    void read(const Rect& region, int stride, float* to) const override {
        for (int y = region.top; y < region.bottom; y += stride) {
            const float* row = rows_[y] - field_.rect().left;
            if (stride == 1) {
                to = std::copy(row + region.left, row + region.right, to);
            } else {
                for (int x = region.left; x < region.right; x += stride) *to++ = row[x];
            }
        }
    }

  private:
    Field field_;
    Field::Rows rows_;
};

}  // namespace

std::shared_ptr<const CellSource> source_of(const Field& field) {
    return std::make_shared<FieldSource>(field);
}

void read_beyond(const CellSource& source, const Rect& region, int stride, float* to) {
    Rect rect = source.rect();
    if (rect.contains(region)) return source.read(region, stride, to);
    for (int y = region.top; y < region.bottom; y += stride) {
        int row = std::clamp(y, rect.top, rect.bottom - 1);
        // The part of the row that is there in one piece, its ends again and again.
        int x = region.left;
        while (x < region.right && x < rect.left) {
            source.read({rect.left, row, rect.left + 1, row + 1}, 1, to++);
            x += stride;
        }
        if (x < region.right && x < rect.right) {
            Rect inside = {x, row, std::min(region.right, rect.right), row + 1};
            source.read(inside, stride, to);
            int count = (inside.width() + stride - 1) / stride;
            to += count;
            x += count * stride;
        }
        if (x < region.right) {
            float last = 0;
            source.read({rect.right - 1, row, rect.right, row + 1}, 1, &last);
            for (; x < region.right; x += stride) *to++ = last;
        }
    }
}

}  // namespace caprock
