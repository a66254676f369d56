// Where land lies: how many cells there are, how large they are, and parts of them.
#pragma once

#include <caprock/units.h>
#include <cstdint>

namespace caprock {
inline namespace v1 {

// From low to high, as 0:800 on the command line.
struct Interval {
    double low = 0;
    double high = 1;

    bool operator==(const Interval&) const = default;
};

// A rectangle of cells. Half open: right and bottom are one past the last.
struct Rect {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;

    // By its size: Rect::at(100, 200, 64, 64).
    static constexpr Rect at(int left, int top, int width, int height) {
        return {left, top, left + width, top + height};
    }

    constexpr int width() const { return right - left; }
    constexpr int height() const { return bottom - top; }
    constexpr bool empty() const { return right <= left || bottom <= top; }
    constexpr std::int64_t cells() const { return empty() ? 0 : std::int64_t(width()) * height(); }
    constexpr bool contains(int x, int y) const { return x >= left && x < right && y >= top && y < bottom; }
    constexpr bool contains(const Rect& other) const {
        return other.left >= left && other.right <= right && other.top >= top && other.bottom <= bottom;
    }
    bool operator==(const Rect&) const = default;
};

// Cell (x, y) lies at (x, y) times the cell size, in metres to the east and to the south.
struct Grid {
    int width = 1024;  // cells each way: 1 to 65,536
    int height = 1024;
    Metres cell = 8;             // from one cell to the next
    Interval range = {0, 1000};  // heights that formulas stated on 0..1 call 0 and 1, in metres

    bool operator==(const Grid&) const = default;
};

}  // namespace v1
}  // namespace caprock
