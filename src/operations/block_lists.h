// Lists for kernels whose cells each look at a few of very many things, such as domes, particles or parts of a road: for each
// block of cells, in rows of blocks, the things that reach into it. Everything of a block's list stays in the order it was added
// in, so that sums over it have the same bits whatever else is listed.
#pragma once

#include "base/rect.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace caprock {

// First begin(), then every thing by add(), then close() and fill(). One object serves many lists: its memory is used again.
class BlockLists {
  public:
    // A launch's lanes share a block when its columns are a multiple of 16 that divides 64, and `cells` begins where the
    // launch does.
    BlockLists(int block_width, int block_height) : block_width_(block_width), block_height_(block_height) {}

    int columns() const { return columns_; }
    // Where each block's list begins, in entries, and where the last one ends.
    const std::vector<int>& begins() const { return begins_; }
    size_t entries() const { return size_t(begins_.back()); }
    // How many entries have been added so far.
    int64_t listed() const { return listed_; }

    int block_left(int column) const { return cells_.left + column * block_width_; }
    int block_top(int row) const { return cells_.top + row * block_height_; }

    void begin(const Rect& cells) {
        cells_ = cells;
        columns_ = (cells.width() + block_width_ - 1) / block_width_;
        rows_ = (cells.height() + block_height_ - 1) / block_height_;
        begins_.assign(size_t(columns_) * size_t(rows_) + 1, 0);
        spans_.clear();
        listed_ = 0;
    }

    // A thing that reaches into the blocks of a row that hold cells from one x to another.
    void add(size_t thing, int row, double from, double to) {
        from -= cells_.left;
        to -= cells_.left;
        if (to < 0 || from > cells_.width() - 1) return;
        // Truncated, which is rounded down for what is not negative.
        Span span{thing, row, int(std::max(from, 0.0)) / block_width_,
                  int(std::min(to, cells_.width() - 1.0)) / block_width_};
        for (int column = span.first; column <= span.last; column++) begins_[block(column, row) + 1]++;
        spans_.push_back(span);
        listed_ += span.last - span.first + 1;
    }

    // Calls visit(row, top, bottom) for the rows of blocks that hold cells from one y to another; top and bottom are the
    // first and the last row of cells in it.
    template <typename Visit>
    void for_rows(double from, double to, const Visit& visit) const {
        from -= cells_.top;
        to -= cells_.top;
        if (to < 0 || from > cells_.height() - 1) return;
        int last = int(std::min(to, cells_.height() - 1.0)) / block_height_;
        for (int row = int(std::max(from, 0.0)) / block_height_; row <= last; row++)
            visit(row, double(block_top(row)), double(block_top(row) + block_height_ - 1));
    }

    void add_circle(size_t thing, double x, double y, double radius) {
        for_rows(y - radius, y + radius, [&](int row, double top, double bottom) {
            // The widest the circle gets within these rows of cells.
            double down = std::clamp(y, top, bottom) - y;
            double rest = radius * radius - down * down;
            if (rest <= 0) return;
            double half = std::sqrt(rest);
            add(thing, row, x - half, x + half);
        });
    }

    void close() {
        for (size_t i = 1; i < begins_.size(); i++) begins_[i] += begins_[i - 1];
    }

    // Calls put(entry, thing, column, row) for every entry of every list: its number among all of them, what it is of, and
    // the block.
    template <typename Put>
    void fill(const Put& put) {
        next_ = begins_;
        for (const Span& span : spans_)
            for (int column = span.first; column <= span.last; column++)
                put(size_t(next_[block(column, span.row)]++), span.thing, column, span.row);
    }

  private:
    struct Span {
        size_t thing;
        int row, first, last;
    };

    size_t block(int column, int row) const { return size_t(row) * size_t(columns_) + size_t(column); }

    int block_width_, block_height_;
    Rect cells_;
    int columns_ = 0;
    int rows_ = 0;
    int64_t listed_ = 0;
    std::vector<int> begins_;
    std::vector<int> next_;
    std::vector<Span> spans_;
};

}  // namespace caprock
