#include "view/gl/ground_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace caprock::gl {

namespace {

// More are drawn with longer pieces.
constexpr double most_pieces = 1 << 20;

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

// Puts both ends of a piece on the ground.
template <typename Piece>
void lay(const Ground& ground, Piece& piece) {
    const std::optional<double> from = ground.height_at(double(piece.from[0]), double(piece.from[1]));
    const std::optional<double> to = ground.height_at(double(piece.to[0]), double(piece.to[1]));
    piece.from[2] = float(from.value_or(0));
    piece.to[2] = float(to.value_or(0));
    piece.from[3] = from && to ? 0.0f : 1.0f;
}

}  // namespace

GroundLines::GroundLines(const Functions& gl) : gl_(gl), buffer_(make_buffer(gl)) {}

void GroundLines::build(const DetailPyramid& pyramid, const Grid& grid, const std::vector<DrawnLines>& sets) {
    sets_.clear();
    pieces_.clear();
    const Ground ground(pyramid);
    const WorldPoint first = grid.place_of(pyramid.rect().left, pyramid.rect().top);
    const Size cells_across = pyramid.rect().size();
    auto is_beside = [&](const Piece& piece) {
        auto beside = [](float a, float b, int cells) {
            return std::max(a, b) < 0 || std::min(a, b) > float(cells - 1);
        };
        return beside(piece.from[0], piece.to[0], cells_across.width) ||
               beside(piece.from[1], piece.to[1], cells_across.height);
    };
    double cells = 0;
    for (const DrawnLines& set : sets) cells += grid.metres_to_cells(set.lines.length());
    const double step = std::max(1.0, cells / most_pieces);
    auto add = [&](const LinePoint& a, const LinePoint& b) {
        const double ax = grid.metres_to_cells(a.x - first.x), ay = grid.metres_to_cells(a.y - first.y);
        const double bx = grid.metres_to_cells(b.x - first.x), by = grid.metres_to_cells(b.y - first.y);
        const double way = std::sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
        const int count = int(std::min(std::ceil(way / step), most_pieces)) + (way == 0 ? 1 : 0);
        for (int i = 0; i < count; i++) {
            const double from = double(i) / count, to = double(i + 1) / count;
            Piece piece{{float(ax + (bx - ax) * from), float(ay + (by - ay) * from), 0, 0},
                        {float(ax + (bx - ax) * to), float(ay + (by - ay) * to), 0, 0}};
            if (is_beside(piece)) continue;
            lay(ground, piece);
            pieces_.push_back(piece);
        }
    };
    for (const DrawnLines& set : sets) {
        Set made{{{}, set.colour, set.width}, int(pieces_.size()), 0};
        for (const Line& line : set.lines.lines()) {
            if (line.points.size() == 1) add(line.points.front(), line.points.front());
            for (size_t i = 1; i < line.points.size(); i++) add(line.points[i - 1], line.points[i]);
            if (line.closed && line.points.size() > 1) add(line.points.back(), line.points.front());
        }
        made.count = int(pieces_.size()) - made.first;
        if (made.count > 0) sets_.push_back(made);
    }
    gl_.NamedBufferData(buffer_.get(), GLsizeiptr(std::max<size_t>(pieces_.size(), 1) * sizeof(Piece)),
                        pieces_.empty() ? nullptr : pieces_.data(), GL_DYNAMIC_DRAW);
}

void GroundLines::update(const DetailPyramid& pyramid, const Rect& changed) {
    const Ground ground(pyramid);
    // A height lies between four samples.
    const Rect around = changed.expanded(1);
    const auto left = float(around.left - pyramid.rect().left), top = float(around.top - pyramid.rect().top);
    const auto right = left + float(around.width()), bottom = top + float(around.height());
    size_t first = pieces_.size(), end = 0;
    for (size_t i = 0; i < pieces_.size(); i++) {
        Piece& piece = pieces_[i];
        auto misses = [](float a, float b, float low, float high) {
            return std::max(a, b) < low || std::min(a, b) > high;
        };
        if (misses(piece.from[0], piece.to[0], left, right) ||
            misses(piece.from[1], piece.to[1], top, bottom))
            continue;
        lay(ground, piece);
        first = std::min(first, i);
        end = i + 1;
    }
    if (first < end)
        gl_.NamedBufferSubData(buffer_.get(), GLintptr(first * sizeof(Piece)),
                               GLsizeiptr((end - first) * sizeof(Piece)), &pieces_[first]);
}

void GroundLines::draw(const std::function<void(const DrawnLines& look, int first_piece)>& set) const {
    gl_.BindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer_.get());
    for (const Set& one : sets_) {
        set(one.look, one.first);
        gl_.DrawArrays(GL_TRIANGLES, 0, 6 * one.count);
    }
}

}  // namespace caprock::gl
