// Planes of cells for tests of devices, which know nothing of fields.
#pragma once

#include "compute/device.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace caprock::test {

// Coordinates that begin anywhere, also below zero: regions and coarse grids do.
inline Rect placed(Size size, int left = -5, int top = 3) {
    return {left, top, left + size.width, top + size.height};
}

inline Plane made_plane(const Rect& rect, const std::function<float(int, int)>& value) {
    Plane plane(rect);
    float* cells = plane.buffer->overwrite();
    for (int y = rect.top; y < rect.bottom; y++)
        for (int x = rect.left; x < rect.right; x++) cells[plane.index(x, y)] = value(x, y);
    return plane;
}

// Values of a pattern that repeats late.
inline float waves(int x, int y) { return float((x * 31 + y * 17) % 257) * 0.125f; }

inline float cell(const Plane& plane, int x, int y) { return plane.buffer->read()[plane.index(x, y)]; }

inline uint32_t bits_of(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return std::isnan(value) ? 0x7fc00000u : bits;
}

template <typename Expected>
void expect_cells(const Plane& plane, const Expected& expected) {
    const float* cells = plane.buffer->read();
    for (int y = plane.rect.top; y < plane.rect.bottom; y++)
        for (int x = plane.rect.left; x < plane.rect.right; x++)
            ASSERT_EQ(bits_of(cells[plane.index(x, y)]), bits_of(expected(x, y)))
                << "at " << x << "," << y << ": " << cells[plane.index(x, y)] << ", not " << expected(x, y);
}

// Cells of two planes of one size whose bits differ, all NaN being one value.
inline int64_t differing_cells(const Plane& a, const Plane& b) {
    int64_t count = 0;
    const float* left = a.buffer->read();
    const float* right = b.buffer->read();
    for (int y = a.rect.top; y < a.rect.bottom; y++)
        for (int x = a.rect.left; x < a.rect.right; x++)
            count += bits_of(left[a.index(x, y)]) != bits_of(right[b.index(x, y)]);
    return count;
}

// A kernel that is known only while the program runs, its arguments in their order.
template <typename... Arguments>
void launch_with(Device& device, const Kernel& kernel, const Rect& cells, int radius,
                 Arguments&&... arguments) {
    std::vector<Argument> list = {Argument(std::forward<Arguments>(arguments))...};
    device.launch_with(kernel, cells, list, radius);
}

}  // namespace caprock::test
