#include "compute/stack.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace caprock {

namespace {

// Long rows begin with a cache line, as those of vectors should. Rows that lie a multiple of a page from each other would meet in
// the same places of a cache, and a processor takes a load from one of them for one of what was just stored to another: they
// have a cache line between them. That saves kernels which go through all planes a quarter to a half of their time.
int pitch_for(int columns) {
    constexpr int cache_line = 64 / int(sizeof(float));
    constexpr int page = 4096 / int(sizeof(float));
    if (columns < page / 4) return columns;
    const int aligned = (columns + cache_line - 1) / cache_line * cache_line;
    return aligned % page == 0 ? aligned + cache_line : aligned;
}

Rect buffer_rect(const Rect& all, int64_t stride) {
    if (stride < 0 || stride > std::numeric_limits<int>::max() / 4)
        throw std::logic_error("a stack of planes has more cells in a row than can be counted");
    return {all.left, all.top, all.left + int(stride), all.bottom};
}

}  // namespace

Stack::Stack(const Rect& all, int count)
    : first(buffer_rect(all, int64_t(pitch_for(all.width())) * count)),
      planes(count),
      pitch(pitch_for(all.width())),
      columns(all.width()) {
    first.rect = all;
}

Stack::Stack(const Rect& cells, int count, const float* lent, int plane_pitch, int stride,
             std::shared_ptr<const void> owner)
    : planes(count), pitch(plane_pitch), columns(cells.width()) {
    const int64_t used = int64_t(pitch) * (count - 1) + columns;
    if (count < 1 || pitch < columns || stride < used)
        throw std::logic_error("rows of lent memory must not lie inside each other");
    first.buffer = std::make_shared<Buffer>(Size{stride, cells.height()}, lent, int(used), std::move(owner));
    first.home = buffer_rect(cells, stride);
    first.rect = cells;
}

Plane Stack::plane(int index) const {
    if (index < 0 || index >= planes) throw std::logic_error("there is no such plane in the stack");
    Plane view = first;
    view.home = first.home.moved(-index * pitch, 0);
    return view;
}

bool Stack::within(const Rect& cells) const {
    const Rect& home = first.home;
    return cells.contains({home.left, home.top, home.left + columns, home.bottom});
}

void Stack::own(bool keep_cells) {
    if (first.buffer && first.buffer.use_count() == 1 && !first.buffer->lent()) return;
    Stack own(rect(), planes);
    if (keep_cells && first.buffer) {
        const float* from = first.buffer->read();
        float* to = own.first.buffer->overwrite();
        for (int y = rect().top; y < rect().bottom; y++)
            for (int index = 0; index < planes; index++)
                std::memcpy(to + own.first.index(rect().left, y) + ptrdiff_t(index) * own.pitch,
                            from + first.index(rect().left, y) + ptrdiff_t(index) * pitch,
                            size_t(rect().width()) * sizeof(float));
    }
    *this = std::move(own);
}

}  // namespace caprock
