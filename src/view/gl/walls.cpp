#include "view/gl/walls.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace caprock::gl {

namespace {

// Of one side. More would be finer than pixels wherever all of the side is seen.
constexpr int most_segments = 2048;

}  // namespace

Walls::Walls(const Functions& gl) : gl_(gl), vertices_(make_vertex_array(gl)), corners_(make_buffer(gl)) {
    GLuint array = vertices_.get();
    gl.VertexArrayVertexBuffer(array, 0, corners_.get(), 0, 12);
    gl.EnableVertexArrayAttrib(array, 0);
    gl.VertexArrayAttribFormat(array, 0, 3, GL_FLOAT, GL_FALSE, 0);
    gl.VertexArrayAttribBinding(array, 0, 0);
}

double Walls::base_of(const DetailPyramid& pyramid, double cell) {
    const DetailPyramid::Node& top = pyramid.node(pyramid.levels() - 1, 0, 0);
    double across = std::max(pyramid.rect().width(), pyramid.rect().height()) * cell;
    return top.any ? double(top.low) - std::max(0.02 * across, 0.15 * double(top.high - top.low)) : 0;
}

void Walls::build(const DetailPyramid& pyramid, double base) {
    std::vector<float> corners;
    Size cells = pyramid.rect().size();
    auto wall = [&](int length, auto&& place) {
        int level = 0;
        while ((length - 1) >> level > most_segments) level++;
        int step = 1 << level;
        for (int from = 0; from + 1 < length; from += step) {
            int to = std::min(from + step, length - 1);
            auto [x0, y0] = place(from);
            auto [x1, y1] = place(to);
            float heights[2];
            pyramid.samples(x0, y0, 0, {1, 1}, &heights[0]);
            pyramid.samples(x1, y1, 0, {1, 1}, &heights[1]);
            // No wall under a hole.
            uint8_t known = 0;
            pyramid.coverage(std::min(x0, cells.width - 2), std::min(y0, cells.height - 2), 0, {1, 1},
                             &known);
            if (known == 0) continue;
            float bottom = float(base);
            for (float value : {float(x0), float(y0), heights[0], float(x0), float(y0), bottom, float(x1),
                                float(y1), bottom, float(x0), float(y0), heights[0], float(x1), float(y1),
                                bottom, float(x1), float(y1), heights[1]})
                corners.push_back(value);
        }
    };
    if (cells.width > 1 && cells.height > 1) {
        wall(cells.width, [&](int i) { return std::pair{i, 0}; });
        wall(cells.width, [&](int i) { return std::pair{i, cells.height - 1}; });
        wall(cells.height, [&](int i) { return std::pair{0, i}; });
        wall(cells.height, [&](int i) { return std::pair{cells.width - 1, i}; });
    }
    count_ = int(corners.size() / 3);
    gl_.NamedBufferData(corners_.get(), GLsizeiptr(corners.size() * sizeof(float)), corners.data(),
                        GL_STATIC_DRAW);
}

void Walls::draw() const {
    if (count_ == 0) return;
    gl_.BindVertexArray(vertices_.get());
    gl_.DrawArrays(GL_TRIANGLES, 0, count_);
}

}  // namespace caprock::gl
