// Reading cells every so many, also beyond the border, against reading them one by one.
#include "view/cell_source.h"

#include "base/random.h"
#include "support/fields.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Every cell has a value of its own.
float value_at(int x, int y) { return float(x) + 1000.0f * float(y); }

std::vector<float> one_by_one(const Rect& there, const Rect& region, int stride) {
    std::vector<float> cells;
    for (int y = region.top; y < region.bottom; y += stride)
        for (int x = region.left; x < region.right; x += stride)
            cells.push_back(value_at(std::clamp(x, there.left, there.right - 1),
                                     std::clamp(y, there.top, there.bottom - 1)));
    return cells;
}

constexpr float untouched = -12345.5f;

std::vector<float> read_with_margin(const Rect& region, int stride,
                                    const std::function<void(float*)>& reading) {
    int columns = (region.width() + stride - 1) / stride;
    int rows = (region.height() + stride - 1) / stride;
    std::vector<float> cells(size_t(columns) * size_t(rows) + 1, untouched);
    reading(cells.data());
    EXPECT_EQ(cells.back(), untouched) << "wrote beyond its end";
    cells.pop_back();
    return cells;
}

TEST(CellSource, InsideEveryStrideFromAnyPlace) {
    Rect there = {-7, 5, 50, 44};
    auto source = source_of(made_field(there, value_at));
    EXPECT_EQ(source->rect(), there);
    for (Rect region :
         {there, Rect{-7, 5, -6, 6}, Rect{0, 10, 33, 11}, Rect{13, 7, 14, 44}, Rect{-3, 9, 48, 40}})
        for (int stride : {1, 2, 3, 8, 64}) {
            std::vector<float> cells =
                read_with_margin(region, stride, [&](float* to) { source->read(region, stride, to); });
            EXPECT_EQ(cells, one_by_one(there, region, stride)) << "stride " << stride;
        }
}

TEST(CellSource, ACropIsReadAtItsOwnPlace) {
    Field whole = made_field(Rect{0, 0, 60, 60}, value_at);
    Rect part = {11, 23, 42, 37};
    auto source = source_of(whole.cropped(part));
    EXPECT_EQ(source->rect(), part);
    std::vector<float> cells = read_with_margin(part, 2, [&](float* to) { source->read(part, 2, to); });
    EXPECT_EQ(cells, one_by_one(part, part, 2));
}

TEST(CellSource, WhoWritesTheFieldLaterDoesNotChangeIt) {
    Field field = made_field(Rect{0, 0, 4, 4}, value_at);
    auto source = source_of(field);
    field.set(1, 1, -1);
    float cell = 0;
    source->read({1, 1, 2, 2}, 1, &cell);
    EXPECT_EQ(cell, value_at(1, 1));
}

TEST(CellSource, BeyondTheBorderItsCellsGoOn) {
    uint32_t drawn = 0;
    auto number = [&](int low, int high) {
        return low + int(unit(hashed(5, drawn++, 1)) * double(high - low + 1));
    };
    for (Rect there :
         {Rect{-7, 5, 50, 44}, Rect{3, 3, 4, 4}, Rect{0, -20, 1, 13}, Rect{100, 100, 140, 101}}) {
        auto source = source_of(made_field(there, value_at));
        for (int i = 0; i < 400; i++) {
            int left = number(there.left - 70, there.right + 40);
            int top = number(there.top - 70, there.bottom + 40);
            Rect region = {left, top, left + number(1, 120), top + number(1, 120)};
            int stride = 1 << number(0, 6);
            if (number(0, 3) == 0) stride += 2;
            std::vector<float> cells = read_with_margin(
                region, stride, [&](float* to) { read_beyond(*source, region, stride, to); });
            ASSERT_EQ(cells, one_by_one(there, region, stride))
                << "region " << region.left << ' ' << region.top << ' ' << region.right << ' '
                << region.bottom << ", stride " << stride;
        }
    }
}

}  // namespace
}  // namespace caprock::test
