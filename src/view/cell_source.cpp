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

}  // namespace caprock
