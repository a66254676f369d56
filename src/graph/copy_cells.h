// Cells from one field into another.
#pragma once

#include "field/field.h"

#include <cstring>

namespace caprock {

// The cells of `part`, which lies in both. `left` is the column that the rows begin with: several threads may write to
// the rows of one field, each its own part.
inline void copy_cells(const Field& from, const Rect& part, const Field::WritableRows& rows, int left) {
    Field::Rows source = from.rows();
    for (int y = part.top; y < part.bottom; y++)
        std::memcpy(rows[y] + (part.left - left), source[y] + (part.left - from.rect().left),
                    size_t(part.width()) * sizeof(float));
}

}  // namespace caprock
