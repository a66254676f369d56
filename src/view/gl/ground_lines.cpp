#include "view/gl/ground_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace caprock::gl {

namespace {

// More are drawn with longer pieces.
constexpr double most_pieces = 1 << 20;

// As line.vert has it.
struct PieceBlock {
    float from[4];
    float to[4];
};

// In cells from the first sample.
class Ground {
  public:
    explicit Ground(const DetailPyramid& pyramid) : pyramid_(pyramid), cells_(pyramid.rect().size()) {}

    // Nothing where there is none.
    std::optional<double> height_at(double x, double y) const {
        if (!(x >= 0 && y >= 0 && x <= cells_.width - 1 && y <= cells_.height - 1)) return std::nullopt;
        const int left = std::min(int(x), std::max(cells_.width - 2, 0));
        const int top = std::min(int(y), std::max(cells_.height - 2, 0));
        uint8_t known = 1;
        if (cells_.width > 1 && cells_.height > 1) pyramid_.coverage(left, top, 0, {1, 1}, &known);
        if (known == 0) return std::nullopt;
        std::array<float, 4> corners{};
        for (int i = 0; i < 4; i++)
            pyramid_.samples(std::min(left + i % 2, cells_.width - 1),
                             std::min(top + i / 2, cells_.height - 1), 0, {1, 1}, &corners[size_t(i)]);
        const double right = x - left, down = y - top;
        const double above = double(corners[0]) + (double(corners[1]) - double(corners[0])) * right;
        const double below = double(corners[2]) + (double(corners[3]) - double(corners[2])) * right;
        return above + (below - above) * down;
    }

  private:
    const DetailPyramid& pyramid_;
    Size cells_;
};

}  // namespace

GroundLines::GroundLines(const Functions& gl) : gl_(gl), pieces_(make_buffer(gl)) {}

void GroundLines::build(const DetailPyramid& pyramid, const Grid& grid, const std::vector<DrawnLines>& sets) {
    sets_.clear();
    std::vector<PieceBlock> pieces;
    const Ground ground(pyramid);
    const WorldPoint first = grid.place_of(pyramid.rect().left, pyramid.rect().top);
    double cells = 0;
    for (const DrawnLines& set : sets) cells += grid.metres_to_cells(set.lines.length());
    const double step = std::max(1.0, cells / most_pieces);
    auto add = [&](const LinePoint& a, const LinePoint& b) {
        const double ax = grid.metres_to_cells(a.x - first.x), ay = grid.metres_to_cells(a.y - first.y);
        const double bx = grid.metres_to_cells(b.x - first.x), by = grid.metres_to_cells(b.y - first.y);
        const double way = std::sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
        const int count = int(std::min(std::ceil(way / step), most_pieces)) + (way == 0 ? 1 : 0);
        std::optional<double> before = ground.height_at(ax, ay);
        for (int i = 0; i < count; i++) {
            const double from = double(i) / count, to = double(i + 1) / count;
            const double x = ax + (bx - ax) * to, y = ay + (by - ay) * to;
            const std::optional<double> here = ground.height_at(x, y);
            if (before && here)
                pieces.push_back(
                    {{float(ax + (bx - ax) * from), float(ay + (by - ay) * from), float(*before), 0},
                     {float(x), float(y), float(*here), 0}});
            before = here;
        }
    };
    for (const DrawnLines& set : sets) {
        Set made{{{}, set.colour, set.width}, int(pieces.size()), 0};
        for (const Line& line : set.lines.lines()) {
            if (line.points.size() == 1) add(line.points.front(), line.points.front());
            for (size_t i = 1; i < line.points.size(); i++) add(line.points[i - 1], line.points[i]);
            if (line.closed && line.points.size() > 1) add(line.points.back(), line.points.front());
        }
        made.count = int(pieces.size()) - made.first;
        if (made.count > 0) sets_.push_back(made);
    }
    gl_.NamedBufferData(pieces_.get(), GLsizeiptr(std::max<size_t>(pieces.size(), 1) * sizeof(PieceBlock)),
                        pieces.empty() ? nullptr : pieces.data(), GL_STATIC_DRAW);
}

void GroundLines::draw(const std::function<void(const DrawnLines& look, int first_piece)>& set) const {
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, pieces_.get());
    for (const Set& one : sets_) {
        set(one.look, one.first);
        gl_.DrawArrays(GL_TRIANGLES, 0, 6 * one.count);
    }
}

}  // namespace caprock::gl
