// Several planes of one rectangle in one buffer: what a cell has several of, like beds of rock.
//
// The rows of all planes lie behind each other, then those of the next row of cells. So the rows of a band are one piece of
// memory, which goes to a device and back as one, and a plane is a view into the buffer like any other.
#pragma once

#include "compute/buffer.h"

#include <memory>

namespace caprock {

// Copies share the buffer, as planes do; so does a plane of a stack, for as long as it is there.
struct Stack {
    Plane first;      // plane 0; its home is the whole buffer, rows of all planes
    int planes = 0;   // how many
    int pitch = 0;    // cells from a plane's row to that of the next plane
    int columns = 0;  // of a row that are its plane's own

    Stack() = default;
    // Throws std::logic_error where there are more cells in a row than can be counted.
    Stack(const Rect& all, int planes);
    // Over lent memory: the first plane's rows begin `stride` cells after each other, and so do the other planes', each `pitch`
    // cells behind the plane before it.
    Stack(const Rect& cells, int planes, const float* lent, int pitch, int stride,
          std::shared_ptr<const void> owner);

    const Rect& rect() const { return first.rect; }
    Plane plane(int index) const;  // a view

    // Whether these are all cells that the buffer has of each plane.
    bool within(const Rect& cells) const;
    // Makes the buffer this stack's alone, with its cells unless every one of them is about to be written.
    void own(bool keep_cells);
};

}  // namespace caprock
