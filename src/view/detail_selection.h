// Which parts of a terrain are drawn, and with how much detail, so that no part of the drawn surface lies more than a
// stated number of pixels off the full grid.
//
// Tiles are nodes of the detail pyramid. How much detail a vertex shows is a number between two levels that follows
// from its distance and its tile's ladder (the errors of the tile's own level and the coarser ones): it moves smoothly
// towards its place on the coarser surface before the tile gives way to that, so nothing pops. Along an edge both tiles
// use the lower of their ladders and the wider of their steps, so both have the same vertices at the same heights:
// nothing cracks.
#pragma once

#include "terrain/grid.h"
#include "view/camera.h"
#include "view/detail_pyramid.h"

#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace caprock {

struct DetailSettings {
    double error = 2;         // pixels
    double hysteresis = 0.2;  // a split tile is merged again when its error is so much smaller than it may be
    double distance_bias =
        0;             // errors may grow with this power of the distance, in units of the nearest tile's
    double texel = 1;  // pixels that a texel of the textures may be large
    double exaggeration = 1;       // of heights
    bool behind_horizons = false;  // draws what nearer ground hides, too
};

// Errors in metres of the levels from `first` on.
struct DetailLadder {
    static constexpr int steps = 6;
    static constexpr float never = 1e30f;  // such a level is not there

    float first = 0;
    std::array<float, steps> errors{};
};

struct DetailTile {
    int level = 0;
    int x = 0;
    int y = 0;
    int quads = 0;       // of its side that are drawn: 32, 16, 8 or 4
    int page_level = 0;  // of the texture that suits its distance
    bool holes = false;
    DetailLadder inside;
    // Two for each side, since two smaller tiles may lie there: north from west to east, south likewise, west from
    // north to south, east likewise.
    std::array<DetailLadder, 8> edges;
};

// What was drawn last time is remembered for the sake of hysteresis.
class DetailSelection {
  public:
    // A page of texture is so many levels finer than the tiles it can serve at most: 256 texels for 32 quads.
    static constexpr int page_levels = 3;

    std::vector<DetailTile> select(const DetailPyramid& pyramid, const Grid& grid, const Camera& camera,
                                   Size viewport, const DetailSettings& settings);

    // Metres that a surface may be off at a distance of 1 m in the last selection.
    double allowed() const { return allowed_; }
    double bias_distance() const { return bias_distance_; }

  private:
    struct Leaf {
        int level;
        int x;
        int y;
        double distance;
        int step;  // level of the samples that are drawn
    };
    struct Look;  // one selection's view of the world

    void descend(const Look& look, int level, int x, int y);
    void balance(const Look& look);
    void collect(const Look& look, int level, int x, int y, std::vector<const Leaf*>& nearest_first) const;
    const Leaf* leaf_over(int level, int x, int y) const;
    DetailTile tile_of(const Look& look, const Leaf& leaf) const;

    std::unordered_map<uint64_t, Leaf> leaves_;
    std::unordered_set<uint64_t> inner_;  // nodes with leaves below them
    std::unordered_set<uint64_t> split_;  // those of them whose own error asked for it
    std::unordered_set<uint64_t> split_before_;
    double allowed_ = 0;
    double bias_distance_ = 1;
};

}  // namespace caprock
