// The cells of a field, wherever they are kept: what the renderer reads. A field in memory is one; a document that keeps
// its tiles on disk can be another.
#pragma once

#include "field/field.h"

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

// The same for a region that may reach beyond the border, where the cells of the border go on.
void read_beyond(const CellSource& source, const Rect& region, int stride, float* to);

}  // namespace caprock
