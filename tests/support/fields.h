// Fields made cell by cell.
#pragma once

#include "field/field.h"

namespace caprock::test {

template <typename Value>
Field made_field(const Rect& rect, const Value& value) {
    Field field(rect);
    Field::WritableRows rows = field.writable_rows();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) rows[y][x - rect.left] = value(x, y);
    return field;
}

}  // namespace caprock::test
