// Cells that are read whole rows at a time, from the top: those of a field in memory, or of a file larger than that. Maps are
// drawn from them.
#pragma once

#include "field/field.h"

#include <algorithm>
#include <functional>

namespace caprock {

struct CellRows {
    Rect rect;
    // All rows from one to before the other.
    std::function<Field(int top, int bottom)> read;
    int rows_together = 256;  // as many as are well read at once

    // All of them from the top, a piece at a time.
    template <typename Body>
    void each_piece(const Body& body) const {
        for (int top = rect.top; top < rect.bottom; top += rows_together)
            body(read(top, std::min(top + rows_together, rect.bottom)));
    }
};

// In one piece.
inline CellRows rows_of(const Field& field) {
    const Rect& rect = field.rect();
    return {rect,
            [field](int top, int bottom) {
                return field.cropped({field.rect().left, top, field.rect().right, bottom});
            },
            std::max(rect.height(), 1)};
}

}  // namespace caprock
