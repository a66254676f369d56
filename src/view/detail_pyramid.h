// What drawing a terrain with less detail costs: how far each part of it, drawn with every second, fourth, eighth ...
// sample, lies off the full grid; how high each part reaches; and means over blocks for shading from afar.
//
// A node of level L is 32 x 32 quads whose samples are 2^L cells apart. Levels are nested: a node's samples are samples
// of the four nodes it is made of. Beyond the border of the terrain the last samples go on, so that every node is whole.
// A quad is two triangles, split from its top left sample to its bottom right one.
//
// Missing samples have a height too, from the means around them, so that surfaces do not tear beside a hole. It depends
// on the sample alone, not on the level.
#pragma once

#include "view/cell_source.h"

#include <cstdint>
#include <vector>

namespace caprock {

class DetailPyramid {
  public:
    static constexpr int node_quads = 32;

    struct Node {
        float low = 0;  // of the known samples
        float high = 0;
        float error = 0;       // metres that the drawn surface may lie off the full grid
        bool any = false;      // whether one of its samples is known
        bool missing = false;  // whether one is not
    };

    explicit DetailPyramid(std::shared_ptr<const CellSource> heights);

    // Other heights with the same rectangle, different only in these cells.
    void update(std::shared_ptr<const CellSource> heights, const Rect& changed);

    Rect rect() const { return rect_; }
    int levels() const { return int(levels_.size()); }
    // Nodes across and down.
    Size size(int level) const { return levels_[size_t(level)].size; }
    const Node& node(int level, int x, int y) const {
        const Level& of = levels_[size_t(level)];
        return of.nodes[size_t(y) * size_t(of.size.width) + size_t(x)];
    }

    // Samples 2^level cells apart, from the one at (x, y) on; in cells from the terrain's first, and beyond its border.
    // None is missing unless all are.
    void samples(int x, int y, int level, Size count, float* to) const;
    // Means over blocks of 2^level cells, from that block on; level 0 is the samples themselves.
    void means(int x, int y, int level, Size count, float* to) const;
    // How much is known of the quads between those samples, from the one whose top left sample is at (x, y) on: 255 all
    // of it. At level 0 a quad is known when its four samples are. Beyond the border nothing is.
    void coverage(int x, int y, int level, Size count, uint8_t* to) const;

  private:
    struct Level {
        Size size;  // of nodes
        std::vector<Node> nodes;
    };
    struct Means {
        Size size;
        std::vector<float> values;   // filled where nothing is known
        std::vector<uint8_t> known;  // share of the block's samples; at least 1 where there is one
    };

    void find_means(int level, const Rect& blocks);
    void fill_means(int level, const Rect& blocks);
    void measure(int level, const Rect& nodes);
    Node measured(int level, int x, int y) const;
    float filled(int x, int y) const;

    std::shared_ptr<const CellSource> heights_;
    Rect rect_;
    Size cells_;
    std::vector<Level> levels_;
    std::vector<Means> means_;  // of level 1, 2, ...
};

}  // namespace caprock
