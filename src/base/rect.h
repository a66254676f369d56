// Rectangles of cells, in absolute grid coordinates. Half open: right and bottom are one past the last cell.
#pragma once

#include <algorithm>
#include <cstdint>

namespace caprock {

struct Size {
    int width = 0;
    int height = 0;

    // 65,536 x 65,536 cells do not fit in 32 bits: cells are always counted in 64.
    int64_t cells() const { return int64_t(width) * height; }
    bool operator==(const Size&) const = default;
};

struct Rect {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;

    static Rect of(Size size) { return {0, 0, size.width, size.height}; }

    int width() const { return right - left; }
    int height() const { return bottom - top; }
    Size size() const { return {width(), height()}; }
    int64_t cells() const { return empty() ? 0 : int64_t(width()) * height(); }
    bool empty() const { return right <= left || bottom <= top; }
    bool contains(int x, int y) const { return x >= left && x < right && y >= top && y < bottom; }
    bool contains(const Rect& other) const {
        return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
    }

    Rect moved(int dx, int dy) const { return {left + dx, top + dy, right + dx, bottom + dy}; }
    Rect expanded(int by) const { return {left - by, top - by, right + by, bottom + by}; }
    // The smallest that holds both; an empty one takes no room.
    Rect united(const Rect& other) const {
        if (empty()) return other;
        if (other.empty()) return *this;
        return {left < other.left ? left : other.left, top < other.top ? top : other.top,
                right > other.right ? right : other.right, bottom > other.bottom ? bottom : other.bottom};
    }
    Rect intersected(const Rect& other) const {
        Rect common{std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
                    std::min(bottom, other.bottom)};
        if (common.empty()) return {common.left, common.top, common.left, common.top};
        return common;
    }
    // The cells of the grid of half the resolution that cover this rectangle.
    Rect halved() const {
        if (empty()) return {left >> 1, top >> 1, left >> 1, top >> 1};
        return {left >> 1, top >> 1, ((right - 1) >> 1) + 1, ((bottom - 1) >> 1) + 1};
    }

    // The cells of that grid that lie at cells of this rectangle: at every other one.
    Rect every_other() const {
        return {(left + 1) >> 1, (top + 1) >> 1, (right + 1) >> 1, (bottom + 1) >> 1};
    }

    bool operator==(const Rect&) const = default;
};

}  // namespace caprock
