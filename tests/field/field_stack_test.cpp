#include "field/field_stack.h"

#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace caprock::test {
namespace {

float bed(int x, int y, int plane) { return float(x + 100 * y + 10000 * plane); }

FieldStack made_stack(const Rect& rect, int planes) {
    FieldStack stack(rect, planes);
    for (int k = 0; k < planes; k++) {
        Field::WritableRows rows = stack.writable_rows(k);
        for (int y = rect.top; y < rect.bottom; y++)
            for (int x = rect.left; x < rect.right; x++) rows[y][x - rect.left] = bed(x, y, k);
    }
    return stack;
}

void expect_beds(const FieldStack& stack, int dx = 0, int dy = 0) {
    for (int k = 0; k < stack.planes(); k++) {
        const Field plane = stack.plane(k);
        ASSERT_EQ(plane.rect(), stack.rect());
        Field::Rows rows = plane.rows();
        for (int y = plane.rect().top; y < plane.rect().bottom; y++)
            for (int x = plane.rect().left; x < plane.rect().right; x++)
                ASSERT_EQ(rows[y][x - plane.rect().left], bed(x - dx, y - dy, k))
                    << k << " " << x << "," << y;
    }
}

TEST(FieldStack, NothingAtAll) {
    FieldStack stack;
    EXPECT_TRUE(stack.empty());
    EXPECT_EQ(stack.planes(), 0);
    EXPECT_THROW(stack.plane(0), std::logic_error);
    EXPECT_TRUE(stack.copied().empty());
    EXPECT_TRUE(FieldStack({3, 3, 3, 9}, 2).plane(1).empty());
    EXPECT_TRUE(FieldStack({0, 0, 4, 4}, 0, 1.0f).empty());
}

TEST(FieldStack, OneValueInAllPlanes) {
    const FieldStack stack({-2, 4, 5, 9}, 3, 0.5f);
    for (int k = 0; k < 3; k++) EXPECT_TRUE(identical(stack.plane(k), Field({-2, 4, 5, 9}, 0.5f)));
}

// Also of a width that leaves a gap between the planes.
TEST(FieldStack, PlanesAreFields) {
    for (int width : {1, 37, 1024}) {
        const FieldStack stack = made_stack({-3, 2, width - 3, 9}, 5);
        expect_beds(stack);
        EXPECT_EQ(statistics(stack.plane(2)).low, bed(-3, 2, 2));
        EXPECT_EQ(fingerprint(stack.plane(4)), fingerprint(stack.plane(4).copied()));
        EXPECT_TRUE(stack.plane(1).shares_cells(stack.plane(1)));
        EXPECT_FALSE(stack.plane(1).shares_cells(stack.plane(2)));
    }
}

TEST(FieldStack, CopiesShareTheirCellsUntilOneIsWritten) {
    FieldStack stack = made_stack({0, 0, 20, 10}, 3);
    FieldStack copy = stack;
    EXPECT_TRUE(copy.plane(1).shares_cells(stack.plane(1)));
    copy.writable_rows(1)[4][7] = -1;
    EXPECT_EQ(copy.plane(1).at(7, 4), -1);
    EXPECT_EQ(copy.plane(1).at(8, 4), bed(8, 4, 1));
    expect_beds(stack);
    Field plane = stack.plane(2);
    plane.set(3, 3, -2);
    EXPECT_EQ(plane.at(3, 3), -2);
    expect_beds(stack);
    const Field before = stack.plane(0);
    stack.writable_rows(0)[5][5] = -3;
    EXPECT_EQ(before.at(5, 5), bed(5, 5, 0));
    EXPECT_EQ(stack.plane(0).at(5, 5), -3);
}

TEST(FieldStack, PlanesOutliveTheirStack) {
    Field plane;
    {
        const FieldStack stack = made_stack({0, 0, 20, 10}, 3);
        plane = stack.plane(2);
    }
    EXPECT_EQ(plane.at(4, 5), bed(4, 5, 2));
    plane.set(4, 5, 1);
    EXPECT_EQ(plane.at(4, 5), 1);
    EXPECT_EQ(plane.at(5, 5), bed(5, 5, 2));
}

TEST(FieldStack, APlaneIsTakenOver) {
    const Rect rect = {2, 3, 20, 10};
    FieldStack stack = made_stack(rect, 3);
    stack.set_plane(1, Field(rect.expanded(2), 7.0f));
    EXPECT_TRUE(identical(stack.plane(1), Field(rect, 7.0f)));
    // Of the same stack.
    stack.set_plane(1, stack.plane(2));
    EXPECT_TRUE(identical(stack.plane(1), made_stack(rect, 3).plane(2)));
    EXPECT_TRUE(identical(stack.plane(0), made_stack(rect, 3).plane(0)));
    EXPECT_THROW(stack.set_plane(0, Field(rect.moved(1, 0), 7.0f)), std::logic_error);
    EXPECT_THROW(stack.set_plane(3, Field(rect, 7.0f)), std::logic_error);
}

TEST(FieldStack, CropsAndMovesAreViews) {
    const FieldStack stack = made_stack({0, 0, 50, 40}, 4);
    const FieldStack part = stack.cropped({10, 20, 30, 35});
    EXPECT_EQ(part.planes(), 4);
    EXPECT_TRUE(part.plane(3).shares_cells(stack.plane(3).cropped({10, 20, 30, 35})));
    expect_beds(part);
    const FieldStack moved = part.moved(-100, 7);
    EXPECT_EQ(moved.rect(), (Rect{-90, 27, -70, 42}));
    expect_beds(moved, -100, 7);
    const FieldStack dense = moved.copied();
    expect_beds(dense, -100, 7);
    EXPECT_FALSE(dense.plane(0).shares_cells(moved.plane(0)));
    EXPECT_LE(dense.stack().first.buffer->bytes(), size_t(4 * moved.rect().cells()) * sizeof(float));
    EXPECT_THROW(stack.cropped({10, 20, 60, 35}), std::logic_error);
    FieldStack written = part;
    written.writable_rows(2)[20][0] = -1;
    EXPECT_EQ(written.plane(2).at(10, 20), -1);
    EXPECT_EQ(written.plane(2).at(11, 20), bed(11, 20, 2));
    expect_beds(stack);
}

TEST(FieldStack, OverMemoryOfSomebodyElse) {
    // Rows of three planes, four cells apart, and two cells more behind them.
    const int pitch = 4, stride = 14;
    std::vector<float> cells(size_t(stride * 5));
    for (int y = 0; y < 5; y++)
        for (int k = 0; k < 3; k++)
            for (int x = 0; x < 4; x++) cells[size_t(y * stride + k * pitch + x)] = bed(x + 7, y - 2, k);
    FieldStack stack = FieldStack::over({7, -2, 11, 3}, 3, cells.data(), pitch, stride);
    expect_beds(stack);
    EXPECT_EQ(stack.plane(2).rows()[-2], cells.data() + 2 * pitch);
    const std::vector<float> before = cells;
    stack.writable_rows(1)[0][0] = 5;
    EXPECT_EQ(stack.plane(1).at(7, 0), 5);
    EXPECT_EQ(cells, before);
    EXPECT_THROW(FieldStack::over({0, 0, 4, 4}, 3, cells.data(), 4, 11), std::logic_error);
}

}  // namespace
}  // namespace caprock::test
