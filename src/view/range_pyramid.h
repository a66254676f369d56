// The lowest and the highest height in blocks of 8 x 8 cells, 16 x 16, and so on up to all of them: whoever looks for a
// place on the surface, or for what is in the picture, can leave out most of it unseen.
//
// It takes a sixteenth of the memory of the field.
#pragma once

#include "field/field.h"
#include "terrain/grid.h"
#include "view/geometry.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace caprock {

// Between the samples lie the quads of the surface. A block has the quads whose first sample is in it, so its range
// includes the samples just beyond its right and lower edge; the missing cells it counts are its own.
struct BlockRange {
    float low = std::numeric_limits<float>::infinity();
    float high = -std::numeric_limits<float>::infinity();
    uint32_t missing = 0;  // cells with nothing to draw; at most 2^32 - 1 are counted

    bool empty() const { return low > high; }  // nothing is known here
    bool operator==(const BlockRange&) const = default;
};

class RangePyramid {
  public:
    RangePyramid() = default;
    explicit RangePyramid(const Field& heights);

    // After cells of the field have changed; takes time in proportion to them. The field is handed in again since keeping
    // it would have everybody who writes it make a copy. A field of another rectangle is taken as a new one.
    void update(const Field& heights, const Rect& changed);

    const Rect& rect() const { return rect_; }  // of the field

    // Level 0 is the finest. Blocks are counted from the field's top left cell, whatever its coordinates.
    int levels() const { return int(levels_.size()); }
    static int side(int level) { return finest << level; }  // of a block, in cells
    Size blocks(int level) const { return levels_[size_t(level)].blocks; }
    const BlockRange& block(int level, int x, int y) const { return levels_[size_t(level)].at(x, y); }
    BlockRange whole() const { return levels_.empty() ? BlockRange{} : levels_.back().ranges.front(); }

    size_t bytes() const;

  private:
    static constexpr int finest = 8;

    struct Level {
        Size blocks;
        std::vector<BlockRange> ranges;

        const BlockRange& at(int x, int y) const {
            return ranges[size_t(y) * size_t(blocks.width) + size_t(x)];
        }
        BlockRange& at(int x, int y) { return ranges[size_t(y) * size_t(blocks.width) + size_t(x)]; }
    };

    void measure(const Field& heights, const Rect& blocks);
    void merge(size_t level, const Rect& blocks);

    Rect rect_;
    std::vector<Level> levels_;
};

// The box around the samples that are known; none where there is none.
std::optional<Box> bounds(const RangePyramid& ranges, const Grid& grid);

}  // namespace caprock
