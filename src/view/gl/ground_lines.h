// Lines that lie on the ground of a scene: they follow it, and are hidden behind it.
#pragma once

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
    bool empty() const { return sets_.empty(); }
    // With line.vert in use and an array of vertices bound. `set` is told how each set looks before it is drawn.
    void draw(const std::function<void(const DrawnLines& look, int first_piece)>& set) const;

  private:
    struct Set {
        DrawnLines look;  // without its lines
        int first = 0;
        int count = 0;
    };
    const Functions& gl_;
    Buffer pieces_;
    std::vector<Set> sets_;
};

}  // namespace caprock::gl
