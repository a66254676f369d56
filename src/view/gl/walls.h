// The sides of a terrain: walls from its border down to a base, so that it stands there as a block.
#pragma once

#include "view/detail_pyramid.h"
#include "view/gl/objects.h"

namespace caprock::gl {

class Walls {
  public:
    explicit Walls(const Functions& gl);

    // Where the walls of a terrain of such heights end below.
    static double base_of(const DetailPyramid& pyramid, double cell);

    void build(const DetailPyramid& pyramid, double base);
    void draw() const;

  private:
    const Functions& gl_;
    VertexArray vertices_;
    Buffer corners_;
    int count_ = 0;
};

}  // namespace caprock::gl
