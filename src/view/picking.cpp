#include "view/picking.h"

#include "view/surface.h"

#include <algorithm>
#include <array>
#include <limits>

namespace caprock {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Span {
    double begin;
    double end;

    bool empty() const { return begin > end; }
    Span within(const Span& other) const { return {std::max(begin, other.begin), std::min(end, other.end)}; }
};

// One coordinate along the ray.
struct Course {
    double from = 0;
    double step = 0;  // per metre of the ray

    double at(double t) const { return from + t * step; }
    // When it passes a line. For growing lines the times never go back, not even by rounding: blocks that touch agree on
    // when the ray goes from one to the other, and a block's time holds those of all blocks in it.
    double reaches(double line) const { return (line - from) / step; }
    Span between(double low, double high) const {
        if (step == 0)
            return from >= low && from <= high ? Span{-infinity, infinity} : Span{infinity, -infinity};
        return step > 0 ? Span{reaches(low), reaches(high)} : Span{reaches(high), reaches(low)};
    }
};

// At 0 and 1 exactly one of them.
double between_ends(double a, double b, double share) { return a * (1 - share) + b * share; }

// A quad of four samples; u goes right from the top left one, v down.
struct Quad {
    double top_left, top_right, bottom_left, bottom_right;

    bool drawn() const {
        return is_drawn(float(top_left)) && is_drawn(float(top_right)) && is_drawn(float(bottom_left)) &&
               is_drawn(float(bottom_right));
    }
    // On an edge this takes nothing but the edge's two samples, and the same sums whichever of its quads asks. So both
    // agree to the last bit on whether a ray passes above or below the edge.
    double height(double u, double v) const {
        if (u == 0) return between_ends(top_left, bottom_left, v);
        if (u == 1) return between_ends(top_right, bottom_right, v);
        if (v == 0) return between_ends(top_left, top_right, u);
        if (v == 1) return between_ends(bottom_left, bottom_right, u);
        return u > v ? top_left + u * (top_right - top_left) + v * (bottom_right - top_right)
                     : top_left + v * (bottom_left - top_left) + u * (bottom_right - bottom_left);
    }
};

Quad quad_at(const float* upper, const float* lower, int x) {
    return {upper[x], upper[x + 1], lower[x], lower[x + 1]};
}

class Search {
  public:
    Search(const Field& heights, const Grid& grid, const RangePyramid& ranges, const Ray& ray)
        : rows_(heights.rows()),
          rect_(heights.rect()),
          ranges_(ranges),
          x_(course(ray.from.x, ray.direction.x, grid, rect_.left)),
          y_(course(ray.from.y, ray.direction.y, grid, rect_.top)),
          z_{ray.from.z, ray.direction.z} {}

    double first_hit() {
        BlockRange all = ranges_.whole();
        if (all.empty() || rect_.width() < 2 || rect_.height() < 2) return infinity;
        // Heights between two samples are rounded, so a ray may touch a block that it just misses.
        double size = std::max(std::abs(all.low), std::abs(all.high));
        slack_ = 1e-12 * size;
        // Well above and below the surface, since there a ray is cut where it is not on an edge.
        double beyond = 1 + 1e-6 * size;
        Span time = Span{0, infinity}.within(z_.between(all.low - beyond, all.high + beyond));
        visit(ranges_.levels() - 1, 0, 0, time);
        return nearest_;
    }

  private:
    // In cells, from the top left sample.
    static Course course(double from, double direction, const Grid& grid, int first) {
        // Slower than this it does not leave its cell within the size of the Earth, and its times would overflow.
        constexpr double still = 1e-30;
        double step = grid.metres_to_cells(direction);
        return {grid.metres_to_cells(from) - first, std::abs(step) < still ? 0 : step};
    }

    void visit(int level, int block_x, int block_y, const Span& outer) {
        int side = RangePyramid::side(level);
        int left = block_x * side, top = block_y * side;
        int right = int(std::min<int64_t>(int64_t(left) + side, rect_.width() - 1));
        int bottom = int(std::min<int64_t>(int64_t(top) + side, rect_.height() - 1));
        if (left >= right || top >= bottom) return;  // the last row or column alone has no quads
        Span time = outer.within(x_.between(left, right)).within(y_.between(top, bottom));
        if (time.empty() || time.begin > nearest_) return;
        const BlockRange& range = ranges_.block(level, block_x, block_y);
        double begin = z_.at(time.begin), end = z_.at(time.end);
        if (range.empty() || std::min(begin, end) > range.high + slack_ ||
            std::max(begin, end) < range.low - slack_)
            return;
        if (level == 0) {
            visit_quads({left, top, right, bottom}, time);
            return;
        }
        // The near ones first: what they hit hides what is in the others.
        Size blocks = ranges_.blocks(level - 1);
        int far_x = x_.step > 0, far_y = y_.step > 0;
        for (int y : {1 - far_y, far_y})
            for (int x : {1 - far_x, far_x})
                if (2 * block_x + x < blocks.width && 2 * block_y + y < blocks.height)
                    visit(level - 1, 2 * block_x + x, 2 * block_y + y, time);
    }

    void visit_quads(const Rect& quads, const Span& time) {
        std::array<Span, 8> columns;
        for (int x = quads.left; x < quads.right; x++) columns[size_t(x - quads.left)] = x_.between(x, x + 1);
        for (int y = quads.top; y < quads.bottom; y++) {
            Span row = time.within(y_.between(y, y + 1));
            if (row.empty()) continue;
            const float* upper = rows_[rect_.top + y];
            const float* lower = rows_[rect_.top + y + 1];
            for (int x = quads.left; x < quads.right; x++) {
                Span inside = row.within(columns[size_t(x - quads.left)]);
                if (inside.empty() || inside.begin > nearest_) continue;
                Quad quad = quad_at(upper, lower, x);
                if (quad.drawn()) cross(quad, x, y, inside);
            }
        }
    }

    // How far into a quad, from 0 to 1. At the times when the ray passes one of its edges it is exactly on that edge.
    static double share(const Course& course, int first, double t) {
        if (course.step != 0 && t == course.reaches(first)) return 0;
        if (course.step != 0 && t == course.reaches(first + 1)) return 1;
        return std::clamp(course.at(t) - first, 0.0, 1.0);
    }

    struct Passage {
        double t;
        double side;   // of the cut: above 0 in the upper right triangle
        double above;  // the surface
    };

    // On each of the two triangles the ray's height above the surface is a straight line.
    void cross(const Quad& quad, int x, int y, const Span& time) {
        auto passage = [&](double t) {
            double u = share(x_, x, t), v = share(y_, y, t);
            return Passage{t, u - v, z_.at(t) - quad.height(u, v)};
        };
        Passage begin = passage(time.begin), end = passage(time.end);
        if (begin.side * end.side >= 0) {
            cross(begin, end);
            return;
        }
        double part = begin.side / (begin.side - end.side);
        double t = std::clamp(begin.t + (end.t - begin.t) * part, begin.t, end.t);
        double along = share(x_, x, t);
        Passage cut{t, 0, z_.at(t) - between_ends(quad.top_left, quad.bottom_right, along)};
        cross(begin, cut);
        cross(cut, end);
    }

    void cross(const Passage& begin, const Passage& end) {
        if ((begin.above > 0 && end.above > 0) || (begin.above < 0 && end.above < 0)) return;
        double t = begin.t;
        if (begin.above != 0) t += (end.t - begin.t) * (begin.above / (begin.above - end.above));
        nearest_ = std::min(nearest_, t);
    }

    Field::Rows rows_;
    Rect rect_;
    const RangePyramid& ranges_;
    Course x_, y_, z_;
    double slack_ = 0;
    double nearest_ = infinity;
};

}  // namespace

std::optional<Hit> pick(const Field& heights, const Grid& grid, const RangePyramid& ranges, const Ray& ray) {
    bool somewhere = std::isfinite(length(ray.from)) && length(ray.direction) > 0;
    if (heights.empty() || !somewhere) return std::nullopt;
    double distance = Search(heights, grid, ranges, ray).first_hit();
    if (distance == infinity) return std::nullopt;
    const Rect& rect = heights.rect();
    Vector3 position = ray.at(distance);
    // A hit on the border may be rounded to beyond it.
    auto cell_of = [&](double place, int first, int end) {
        return int(std::clamp(grid.nearest_cell(place), double(first), double(end - 1)));
    };
    return Hit{position, cell_of(position.x, rect.left, rect.right),
               cell_of(position.y, rect.top, rect.bottom), distance};
}

std::optional<double> height_at(const Field& heights, const Grid& grid, double x, double y) {
    const Rect& rect = heights.rect();
    double across = grid.metres_to_cells(x) - rect.left, down = grid.metres_to_cells(y) - rect.top;
    if (!(across >= 0 && across <= rect.width() - 1 && down >= 0 && down <= rect.height() - 1))
        return std::nullopt;
    int left = int(across), top = int(down);
    Field::Rows rows = heights.rows();
    // On an edge, the quad before it has the place as well: it may be the one that is no hole.
    for (int quad_y = top; quad_y >= std::max(down == top ? top - 1 : top, 0); quad_y--) {
        for (int quad_x = left; quad_x >= std::max(across == left ? left - 1 : left, 0); quad_x--) {
            if (quad_x + 1 >= rect.width() || quad_y + 1 >= rect.height()) continue;
            Quad quad = quad_at(rows[rect.top + quad_y], rows[rect.top + quad_y + 1], quad_x);
            if (quad.drawn()) return quad.height(across - quad_x, down - quad_y);
        }
    }
    return std::nullopt;
}

std::optional<double> highest_around(const Field& heights, const Grid& grid, double x, double y,
                                     double reach) {
    const Rect& rect = heights.rect();
    if (rect.width() < 2 || rect.height() < 2) return std::nullopt;
    // The quads that a square around the place touches, counted from the first.
    auto quads = [&](double place, int first, int samples) {
        double low = grid.cell_before(place - reach) - first;
        double high = grid.cell_before(place + reach) - first;
        return std::pair{int(std::clamp(low, 0.0, double(samples - 1))),
                         int(std::clamp(high, -1.0, double(samples - 2)))};
    };
    auto [left, right] = quads(x, rect.left, rect.width());
    auto [top, bottom] = quads(y, rect.top, rect.height());
    Field::Rows rows = heights.rows();
    std::optional<double> highest;
    for (int quad_y = top; quad_y <= bottom; quad_y++)
        for (int quad_x = left; quad_x <= right; quad_x++) {
            const float* upper = rows[rect.top + quad_y];
            const float* lower = rows[rect.top + quad_y + 1];
            if (!quad_at(upper, lower, quad_x).drawn()) continue;
            double corner = std::max({upper[quad_x], upper[quad_x + 1], lower[quad_x], lower[quad_x + 1]});
            highest = std::max(highest.value_or(corner), corner);
        }
    return highest;
}

}  // namespace caprock
