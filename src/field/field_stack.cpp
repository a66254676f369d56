#include "field/field_stack.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace caprock {

FieldStack::FieldStack(const Rect& rect, int planes, float value) : stack_(rect, planes) {
    Buffer& buffer = *stack_.first.buffer;
    float* cells = buffer.overwrite();
    std::fill(cells, cells + buffer.bytes() / sizeof(float), value);
}

FieldStack FieldStack::over(const Rect& rect, int planes, const float* cells, int pitch, int stride,
                            std::shared_ptr<const void> owner) {
    FieldStack stack;
    stack.stack_ = Stack(rect, planes, cells, pitch, stride, std::move(owner));
    return stack;
}

Field FieldStack::plane(int index) const {
    Field view;
    view.plane() = stack_.plane(index);
    return view;
}

Field::WritableRows FieldStack::writable_rows(int index) {
    if (!empty()) stack_.own(true);
    return plane(index).rows_in_place();
}

void FieldStack::set_plane(int index, const Field& field) {
    if (!field.rect().contains(rect())) throw std::logic_error("a plane must cover its stack");
    // The field may be a plane of this stack. Then it keeps the cells, and the stack gets its own.
    Field::Rows from = field.rows();
    Field::WritableRows to = writable_rows(index);
    const int left = rect().left - field.rect().left;
    for (int y = rect().top; y < rect().bottom; y++)
        std::memcpy(to[y], from[y] + left, size_t(rect().width()) * sizeof(float));
}

FieldStack FieldStack::cropped(const Rect& part) const {
    if (!rect().contains(part)) throw std::logic_error("a crop must lie inside its stack");
    FieldStack view = *this;
    view.stack_.first.rect = part;
    return view;
}

FieldStack FieldStack::copied() const {
    FieldStack copy = *this;
    copy.stack_.own(true);
    return copy;
}

FieldStack FieldStack::moved(int dx, int dy) const {
    FieldStack view = *this;
    view.stack_.first.home = stack_.first.home.moved(dx, dy);
    view.stack_.first.rect = stack_.first.rect.moved(dx, dy);
    return view;
}

}  // namespace caprock
