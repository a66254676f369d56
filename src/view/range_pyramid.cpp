#include "view/range_pyramid.h"

#include "view/surface.h"

#include <algorithm>

namespace caprock {

namespace {

void include(BlockRange& range, float low, float high) {
    range.low = std::min(range.low, low);
    range.high = std::max(range.high, high);
}

// The values from `begin` to `end` and the one at `end`, which belongs to the next block and is not counted, unless
// the row ends before it.
void include_row(BlockRange& range, const float* row, int begin, int end, int width, bool counted) {
    float low = range.low, high = range.high;
    uint32_t drawn = 0;
    for (int x = begin; x < end; x++) {
        bool known = is_drawn(row[x]);
        low = known && row[x] < low ? row[x] : low;
        high = known && row[x] > high ? row[x] : high;
        drawn += known;
    }
    range.low = low;
    range.high = high;
    if (counted) range.missing += uint32_t(end - begin) - drawn;
    if (end < width && is_drawn(row[end])) include(range, row[end], row[end]);
}

}  // namespace

RangePyramid::RangePyramid(const Field& heights) : rect_(heights.rect()) {
    if (heights.empty()) return;
    auto blocks_along = [](int cells) { return (cells + finest - 1) / finest; };
    Size blocks{blocks_along(rect_.width()), blocks_along(rect_.height())};
    for (;;) {
        levels_.push_back({blocks, std::vector<BlockRange>(size_t(blocks.cells()))});
        if (blocks == Size{1, 1}) break;
        blocks = Rect::of(blocks).halved().size();
    }
    update(heights, rect_);
}

void RangePyramid::update(const Field& heights, const Rect& changed) {
    if (heights.rect() != rect_) {
        *this = RangePyramid(heights);
        return;
    }
    Rect cells = changed.intersected(rect_);
    if (cells.empty()) return;
    // A cell at the edge of a block is in the range of the one before it as well.
    Rect blocks{std::max(cells.left - rect_.left - 1, 0) / finest,
                std::max(cells.top - rect_.top - 1, 0) / finest, (cells.right - rect_.left - 1) / finest + 1,
                (cells.bottom - rect_.top - 1) / finest + 1};
    measure(heights, blocks);
    for (size_t level = 1; level < levels_.size(); level++) {
        blocks = blocks.halved();
        merge(level, blocks);
    }
}

void RangePyramid::measure(const Field& heights, const Rect& blocks) {
    Field::Rows rows = heights.rows();
    Size size = rect_.size();
    for_rows(blocks.height(), [&](int row) {
        int block_y = blocks.top + row;
        int top = block_y * finest;
        int bottom = std::min(top + finest, size.height);
        BlockRange* ranges = &levels_[0].at(0, block_y);
        std::fill(ranges + blocks.left, ranges + blocks.right, BlockRange{});
        for (int y = top; y <= std::min(bottom, size.height - 1); y++) {
            const float* heights_of_row = rows[rect_.top + y];
            for (int block_x = blocks.left; block_x < blocks.right; block_x++) {
                int left = block_x * finest;
                include_row(ranges[block_x], heights_of_row, left, std::min(left + finest, size.width),
                            size.width, y < bottom);
            }
        }
    });
}

void RangePyramid::merge(size_t level, const Rect& blocks) {
    const Level& finer = levels_[level - 1];
    for_rows(blocks.height(), [&](int row) {
        int y = blocks.top + row;
        for (int x = blocks.left; x < blocks.right; x++) {
            BlockRange merged;
            uint64_t missing = 0;
            for (int part_y = 2 * y; part_y < std::min(2 * y + 2, finer.blocks.height); part_y++) {
                for (int part_x = 2 * x; part_x < std::min(2 * x + 2, finer.blocks.width); part_x++) {
                    const BlockRange& part = finer.at(part_x, part_y);
                    include(merged, part.low, part.high);
                    missing += part.missing;
                }
            }
            merged.missing = uint32_t(std::min<uint64_t>(missing, UINT32_MAX));
            levels_[level].at(x, y) = merged;
        }
    });
}

size_t RangePyramid::bytes() const {
    size_t sum = 0;
    for (const Level& level : levels_) sum += level.ranges.capacity() * sizeof(BlockRange);
    return sum;
}

std::optional<Box> bounds(const RangePyramid& ranges, const Grid& grid) {
    BlockRange whole = ranges.whole();
    if (whole.empty()) return std::nullopt;
    WorldArea span = grid.span_of(ranges.rect());
    return Box{{span.left, span.top, whole.low}, {span.right, span.bottom, whole.high}};
}

}  // namespace caprock
