// Tiles: squares of 256 x 256 cells, aligned to the absolute cell (0, 0). What is painted is kept in tiles, what is
// computed is remembered in tiles, and what changes is told in tiles.
#pragma once

#include "base/rect.h"

#include <compare>
#include <vector>

namespace caprock {

constexpr int tile_side = 256;
constexpr int64_t tile_cells = int64_t(tile_side) * tile_side;
constexpr uint64_t tile_bytes = uint64_t(tile_cells) * sizeof(float);

struct TileIndex {
    int x = 0;
    int y = 0;

    Rect rect() const { return {x * tile_side, y * tile_side, (x + 1) * tile_side, (y + 1) * tile_side}; }
    bool operator==(const TileIndex&) const = default;
    // Row by row.
    std::strong_ordering operator<=>(const TileIndex& other) const {
        if (y != other.y) return y <=> other.y;
        return x <=> other.x;
    }
};

inline TileIndex tile_at(int cell_x, int cell_y) { return {cell_x >> 8, cell_y >> 8}; }
static_assert(1 << 8 == tile_side);

// The tiles that have a part in the rectangle, as a rectangle of tiles, or one after another, row by row.
inline Rect tile_rect_over(const Rect& rect) {
    if (rect.empty()) return {};
    return {rect.left >> 8, rect.top >> 8, ((rect.right - 1) >> 8) + 1, ((rect.bottom - 1) >> 8) + 1};
}
inline std::vector<TileIndex> tiles_over(const Rect& rect) {
    std::vector<TileIndex> all;
    Rect tiles = tile_rect_over(rect);
    all.reserve(size_t(tiles.cells()));
    for (int y = tiles.top; y < tiles.bottom; y++)
        for (int x = tiles.left; x < tiles.right; x++) all.push_back({x, y});
    return all;
}

}  // namespace caprock
