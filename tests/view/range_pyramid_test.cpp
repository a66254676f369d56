// Ranges of blocks against looking at every cell.
#include "view/range_pyramid.h"

#include "base/random.h"
#include "support/fields.h"
#include "support/grids.h"
#include "support/numbers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace caprock::test {
namespace {

// Rough, with single holes, holes of whole blocks, and the strange values of files.
float rough(uint32_t seed, int x, int y) {
    uint32_t hash = hashed(seed, uint32_t(x + 100000) * 65536u + uint32_t(y + 1000), 1);
    if (x / 40 % 3 == 1 && y / 40 % 2 == 1) return missing;
    if (hash % 50 == 0) return missing;
    if (hash % 97 == 0) return infinity;
    if (hash % 97 == 1) return -std::numeric_limits<float>::max();
    return float(unit(hash) * 2000 - 700);
}

BlockRange looked_at(const Field& field, int level, int block_x, int block_y) {
    BlockRange range;
    const Rect& rect = field.rect();
    int side = 8 << level;
    for (int y = block_y * side; y <= (block_y + 1) * side && y < rect.height(); y++)
        for (int x = block_x * side; x <= (block_x + 1) * side && x < rect.width(); x++) {
            float value = field.at(rect.left + x, rect.top + y);
            bool own = x < (block_x + 1) * side && y < (block_y + 1) * side;
            if (!(std::fabs(value) < 1e30f)) {
                range.missing += own;
                continue;
            }
            range.low = std::fmin(range.low, value);
            range.high = std::fmax(range.high, value);
        }
    return range;
}

void expect_right(const RangePyramid& ranges, const Field& field) {
    ASSERT_EQ(ranges.rect(), field.rect());
    Size blocks{(field.rect().width() + 7) / 8, (field.rect().height() + 7) / 8};
    for (int level = 0; level < ranges.levels(); level++) {
        ASSERT_EQ(ranges.blocks(level), blocks) << level;
        for (int y = 0; y < blocks.height; y++)
            for (int x = 0; x < blocks.width; x++)
                ASSERT_EQ(ranges.block(level, x, y), looked_at(field, level, x, y))
                    << level << ": " << x << ' ' << y;
        blocks = {(blocks.width + 1) / 2, (blocks.height + 1) / 2};
    }
    EXPECT_EQ(ranges.blocks(ranges.levels() - 1), (Size{1, 1}));
}

TEST(RangePyramid, EveryBlockOfEverySize) {
    for (Size size : {Size{1, 1}, Size{8, 8}, Size{9, 8}, Size{7, 17}, Size{64, 64}, Size{65, 63},
                      Size{1, 100}, Size{131, 1}, Size{200, 170}}) {
        for (auto [left, top] : {std::pair{0, 0}, std::pair{13, 21}, std::pair{-37, -5}}) {
            Rect rect{left, top, left + size.width, top + size.height};
            Field field = made_field(rect, [](int x, int y) { return rough(3, x, y); });
            expect_right(RangePyramid(field), field);
        }
    }
}

TEST(RangePyramid, AViewOfALargerField) {
    Field field = made_field({0, 0, 100, 90}, [](int x, int y) { return rough(4, x, y); });
    Field part = field.cropped({11, 23, 88, 80});
    expect_right(RangePyramid(part), part);
}

TEST(RangePyramid, ChangesAreFollowed) {
    Rect rect{-20, 30, 117, 160};
    Field field = made_field(rect, [](int x, int y) { return rough(5, x, y); });
    RangePyramid ranges(field);
    for (uint32_t i = 0; i < 60; i++) {
        auto number = [&](uint32_t purpose, int low, int high) {
            return low + int(unit(hashed(6, i, purpose)) * (high - low));
        };
        int left = number(1, -25, 117), top = number(2, 25, 160);
        Rect changed{left, top, left + number(3, 1, i % 3 ? 12 : 80), top + number(4, 1, i % 3 ? 12 : 80)};
        Rect inside = changed.intersected(rect);
        bool lost = i % 7 == 0;
        for (int y = inside.top; y < inside.bottom; y++)
            for (int x = inside.left; x < inside.right; x++)
                field.set(x, y, lost ? missing : rough(100 + i, x, y) * float(1 + i % 4));
        ranges.update(field, changed);
        expect_right(ranges, field);
        if (HasFatalFailure()) FAIL() << i;
    }
}

TEST(RangePyramid, OnlyBlocksOfTheChangeAreLookedAt) {
    // Cells that are changed in silence elsewhere are not seen.
    Field field(Rect{0, 0, 400, 400}, 5.0f);
    RangePyramid ranges(field);
    field.set(300, 300, 100);
    field.set(16, 16, 50);
    ranges.update(field, {16, 16, 17, 17});
    EXPECT_EQ(ranges.whole().high, 50);
    for (auto [x, y] : {std::pair{1, 1}, std::pair{2, 1}, std::pair{1, 2}, std::pair{2, 2}})
        EXPECT_EQ(ranges.block(0, x, y).high, 50) << x << ' ' << y;
    EXPECT_EQ(ranges.block(0, 3, 2).high, 5);
    ranges.update(field, {0, 0, 0, 0});
    EXPECT_EQ(ranges.whole().high, 50);
    ranges.update(field, {-100, -100, 1000, 1000});
    EXPECT_EQ(ranges.whole().high, 100);
}

TEST(RangePyramid, AnotherRectangleIsAnotherField) {
    RangePyramid ranges(Field(Rect{0, 0, 50, 50}, 5.0f));
    Field other(Rect{10, 0, 90, 20}, 7.0f);
    ranges.update(other, {20, 0, 21, 1});
    expect_right(ranges, other);
}

TEST(RangePyramid, NothingHasNoRange) {
    EXPECT_TRUE(RangePyramid().whole().empty());
    EXPECT_EQ(RangePyramid(Field()).levels(), 0);
    EXPECT_FALSE(bounds(RangePyramid(), grid_of(4)));
    RangePyramid lost(Field(Rect{0, 0, 50, 40}, missing));
    EXPECT_TRUE(lost.whole().empty());
    EXPECT_EQ(lost.whole().missing, 2000u);
    EXPECT_FALSE(bounds(lost, grid_of(4)));
}

TEST(RangePyramid, ItIsSmall) {
    Field field(Rect{0, 0, 1024, 1024}, 1.0f);
    RangePyramid ranges(field);
    EXPECT_LT(double(ranges.bytes()), 0.063 * 1024 * 1024 * 4);
}

TEST(RangePyramid, BoundsGoFromTheFirstSampleToTheLast) {
    Field field = made_field({10, 20, 40, 30}, [](int x, int) { return float(x); });
    field.set(39, 20, missing);
    std::optional<Box> box = bounds(RangePyramid(field), grid_of(4));
    ASSERT_TRUE(box);
    EXPECT_EQ(box->least, (Vector3{40, 80, 10}));
    EXPECT_EQ(box->most, (Vector3{156, 116, 39}));
}

}  // namespace
}  // namespace caprock::test
