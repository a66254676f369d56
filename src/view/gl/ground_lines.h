// Lines that lie on the ground of a scene: they follow it, and are hidden behind it.
#pragma once

#include "base/rect.h"
#include "terrain/grid.h"
#include "view/detail_pyramid.h"
#include "view/gl/objects.h"
#include "view/line_drawing.h"

#include <functional>
#include <vector>

namespace caprock::gl {

class GroundLines {
  public:
    explicit GroundLines(const Functions& gl);

    // On the ground as it is now. What lies beside the terrain, or over missing cells, is not drawn.
    void build(const DetailPyramid& pyramid, const Grid& grid, const std::vector<DrawnLines>& sets);
    // The ground is another one in these cells of the grid: what lies there comes to lie on it.
    void update(const DetailPyramid& pyramid, const Rect& changed);
    bool empty() const { return sets_.empty(); }
    // With line.vert in use and an array of vertices bound. `set` is told how each set looks before it is drawn.
    void draw(const std::function<void(const DrawnLines& look, int first_piece)>& set) const;

  private:
    // As line.vert has it: in cells from the first sample, and metres.
    struct Piece {
        float from[4];  // the last is 1 where there is no ground to lie on
        float to[4];
    };
    struct Set {
        DrawnLines look;  // without its lines
        int first = 0;
        int count = 0;
    };
    const Functions& gl_;
    std::vector<Piece> pieces_;
    Buffer buffer_;
    std::vector<Set> sets_;
};

}  // namespace caprock::gl
