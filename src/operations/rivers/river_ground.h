// For kernels/river_network.kernel: which pieces of rivers have a part in the ground of each block of cells.
#pragma once

#include "base/rect.h"
#include "operations/rivers/place_pyramid.h"
#include "operations/rivers/river_beds.h"

#include <vector>

namespace caprock {

class RiverGround {
  public:
    struct Shape {
        double crest_away = 0;
        double moved_at_most = 0;  // how far places are moved before they are looked at
        double rounding = 0;       // of crests: metres of the slope that pieces may say more and count
        double piece = 1;          // length of a piece that counts once
        double cell = 1;
    };
    RiverGround(const std::vector<RiverPiece>& pieces, const Shape& shape);

    // RIVER_BLOCK_COLUMNS, _ROWS and RIVER_ENTRY of the kernel.
    static constexpr int block_width = 16;
    static constexpr int block_height = 8;
    static constexpr size_t entry_length = 12;

    // Cells no farther from a river than this are its bed, as high as the nearest place of the river: they are neighbours along it, so
    // that water finds its way whatever the direction.
    double bed() const { return 0.71 * shape_.cell; }

    struct Lists {
        Rect cells;
        int columns = 0;
        std::vector<int> begins;  // where each block's list begins, in entries, and where the last ends
        std::vector<float> entries;
    };
    // Of as many rows of blocks from `top` on as make lists of a good size.
    Lists lists_from(int top, const Rect& rect) const;

  private:
    void add_block(Lists& lists, double left, double top) const;

    const std::vector<RiverPiece>& pieces_;
    Shape shape_;
    double longest_ = 0;
    double gentlest_ = 0, steepest_ = 0;  // hillslopes
    double saved_ = 0;
    PlacePyramid pyramid_;
};

}  // namespace caprock
