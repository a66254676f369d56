// A stack of fields on one rectangle of cells, for what a cell has several of: the thicknesses of its beds of rock, or how
// hard each is.
//
// Stacks are values, as fields are: copies share their cells until one of them is written, a crop is a view. So is each plane,
// which is a field like any other.
#pragma once

#include "compute/stack.h"
#include "field/field.h"

#include <memory>

namespace caprock {

class FieldStack {
  public:
    FieldStack() = default;
    // Cells are not set.
    FieldStack(const Rect& rect, int planes) : stack_(rect, planes) {}
    FieldStack(const Rect& rect, int planes, float value);
    // Over memory that is somebody else's, without a copy; Field::over says more. In each row of cells the planes lie behind
    // each other, `pitch` cells apart; the next row of cells begins `stride` cells further on.
    static FieldStack over(const Rect& rect, int planes, const float* cells, int pitch, int stride,
                           std::shared_ptr<const void> owner = nullptr);

    const Rect& rect() const { return stack_.rect(); }
    int planes() const { return stack_.planes; }
    bool empty() const { return rect().empty() || planes() == 0; }

    // A view, which keeps the whole stack's memory. Whoever writes it gets cells of his own as long as the stack is there.
    Field plane(int index) const;
    // Cells of this stack, to be written where they lie.
    Field::WritableRows writable_rows(int plane);
    // Takes over the cells of a field that covers this rectangle.
    void set_plane(int index, const Field& field);

    FieldStack cropped(const Rect& part) const;  // a view
    FieldStack copied() const;                   // its own, dense cells
    FieldStack moved(int dx, int dy) const;      // a view: the same cells at other coordinates

    const Stack& stack() const { return stack_; }
    Stack& stack() { return stack_; }

  private:
    Stack stack_;
};

}  // namespace caprock
