#include "view/contour_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace caprock {

namespace {

// Lines are numbered by their level in intervals. A number that does not fit is far beyond what can be drawn.
constexpr double farthest_number = 1e9;

// A square that more lines cross is a cliff, or a stray number: they would fill it.
constexpr int most_lines_in_a_square = 64;

// The highest level that is not above a height.
int number_below(float height, double interval) {
    double number = std::floor(std::clamp(height / interval, -farthest_number, farthest_number));
    // The quotient is rounded; what counts is the level itself.
    if (number * interval > height) number--;
    if ((number + 1) * interval <= height) number++;
    return int(number);
}

// One line through one square, from one of its edges to another.
struct Piece {
    int number;  // of the level
    uint32_t from, to;
};

// Edges of the lattice of pixels, the frame included: each pixel owns the one to its right and the one below it.
class Edges {
  public:
    explicit Edges(Size size) : stride_(uint32_t(size.width) + 2) {}

    uint32_t right_of(int x, int y) const { return 2 * (uint32_t(y + 1) * stride_ + uint32_t(x + 1)); }
    uint32_t below(int x, int y) const { return right_of(x, y) + 1; }

    PixelPoint crossing(const Surface& surface, uint32_t edge, double level) const {
        int x = int(edge / 2 % stride_) - 1, y = int(edge / 2 / stride_) - 1;
        bool downwards = edge & 1;
        double a = surface.row(y)[x];
        double b = downwards ? surface.row(y + 1)[x] : surface.row(y)[x + 1];
        double share = std::clamp((level - a) / (b - a), 0.0, 1.0);
        return {x + 0.5 + (downwards ? 0 : share), y + 0.5 + (downwards ? share : 0)};
    }

  private:
    uint32_t stride_;
};

// Whether the diagonal from the upper left to the lower right stays above: the saddle of the bilinear surface through
// the four corners lies at this height.
bool main_diagonal_above(double upper_left, double upper_right, double lower_left, double lower_right,
                         double level) {
    double twist = upper_left + lower_right - upper_right - lower_left;
    double saddle = (upper_left * lower_right - upper_right * lower_left) / twist;
    return saddle >= level;
}

void find_pieces(const Surface& surface, const Edges& edges, double interval, int y,
                 std::vector<Piece>& pieces, std::vector<int>& above, std::vector<int>& below) {
    const float* upper = surface.row(y);
    const float* lower = surface.row(y + 1);
    int width = surface.size().width;
    for (int x = -1; x < width; x++) {
        float corners[4] = {upper[x], upper[x + 1], lower[x], lower[x + 1]};
        // One that is missing makes the sum missing.
        if (is_missing(corners[0] + corners[1] + corners[2] + corners[3])) continue;
        int numbers[4] = {above[size_t(x + 1)], above[size_t(x + 2)], below[size_t(x + 1)],
                          below[size_t(x + 2)]};
        int low = std::min({numbers[0], numbers[1], numbers[2], numbers[3]});
        int high = std::max({numbers[0], numbers[1], numbers[2], numbers[3]});
        if (high - low > most_lines_in_a_square) continue;
        for (int number = low + 1; number <= high; number++) {
            int which = (numbers[0] >= number ? 1 : 0) | (numbers[1] >= number ? 2 : 0) |
                        (numbers[2] >= number ? 4 : 0) | (numbers[3] >= number ? 8 : 0);
            uint32_t top = edges.right_of(x, y), bottom = edges.right_of(x, y + 1);
            uint32_t left = edges.below(x, y), right = edges.below(x + 1, y);
            auto add = [&](uint32_t from, uint32_t to) { pieces.push_back({number, from, to}); };
            switch (which) {
                case 1:
                case 14:
                    add(left, top);
                    break;
                case 2:
                case 13:
                    add(top, right);
                    break;
                case 4:
                case 11:
                    add(left, bottom);
                    break;
                case 8:
                case 7:
                    add(bottom, right);
                    break;
                case 3:
                case 12:
                    add(left, right);
                    break;
                case 5:
                case 10:
                    add(top, bottom);
                    break;
                default: {
                    bool joined = main_diagonal_above(corners[0], corners[1], corners[2], corners[3],
                                                      number * interval);
                    // The corners on the main diagonal are above (9) or below (6).
                    bool cut_off_others = joined == (which == 9);
                    if (cut_off_others) {
                        add(top, right);
                        add(left, bottom);
                    } else {
                        add(left, top);
                        add(bottom, right);
                    }
                }
            }
        }
    }
}

// The pieces of one level as lines. An edge joins two pieces at most.
void join(const Surface& surface, const Edges& edges, std::span<const Piece> pieces, double interval,
          std::vector<ContourLine>& lines) {
    struct End {
        uint32_t edge;
        uint32_t piece;
    };
    std::vector<End> ends;
    ends.reserve(pieces.size() * 2);
    for (size_t i = 0; i < pieces.size(); i++) {
        ends.push_back({pieces[i].from, uint32_t(i)});
        ends.push_back({pieces[i].to, uint32_t(i)});
    }
    std::ranges::sort(ends, [](const End& a, const End& b) {
        return a.edge != b.edge ? a.edge < b.edge : a.piece < b.piece;
    });
    constexpr uint32_t none = UINT32_MAX;
    // The piece that goes on from each piece's two ends.
    std::vector<uint32_t> next(pieces.size() * 2, none);
    for (size_t i = 0; i + 1 < ends.size(); i++) {
        if (ends[i].edge != ends[i + 1].edge) continue;
        auto slot = [&](const End& end) -> uint32_t& {
            return next[end.piece * 2 + (pieces[end.piece].to == end.edge ? 1 : 0)];
        };
        slot(ends[i]) = ends[i + 1].piece;
        slot(ends[i + 1]) = ends[i].piece;
    }
    std::vector<bool> used(pieces.size(), false);
    double level = pieces.front().number * interval;
    auto follow = [&](uint32_t piece, bool forwards) {
        ContourLine line{level, pieces.front().number % 5 == 0, false, {}};
        uint32_t first_edge = forwards ? pieces[piece].from : pieces[piece].to;
        line.points.push_back(edges.crossing(surface, first_edge, level));
        uint32_t edge = first_edge;
        while (piece != none && !used[piece]) {
            used[piece] = true;
            bool ahead = pieces[piece].from == edge;
            edge = ahead ? pieces[piece].to : pieces[piece].from;
            PixelPoint point = edges.crossing(surface, edge, level);
            // Where a sample lies at the level, several edges are crossed in one point.
            if (point != line.points.back()) line.points.push_back(point);
            piece = next[piece * 2 + (ahead ? 1 : 0)];
        }
        line.closed = edge == first_edge;
        if (line.closed && line.points.size() > 1 && line.points.front() == line.points.back())
            line.points.pop_back();
        if (line.points.size() > 1) lines.push_back(std::move(line));
    };
    for (uint32_t i = 0; i < pieces.size(); i++) {
        if (used[i]) continue;
        if (next[i * 2] == none)
            follow(i, true);
        else if (next[i * 2 + 1] == none)
            follow(i, false);
    }
    for (uint32_t i = 0; i < pieces.size(); i++)
        if (!used[i]) follow(i, true);
}

}  // namespace

std::vector<ContourLine> contour_lines(const Surface& surface, double interval) {
    Size size = surface.size();
    Edges edges(size);
    constexpr int rows_per_band = 32;
    int rows = size.height + 1;
    int bands = (rows + rows_per_band - 1) / rows_per_band;
    std::vector<std::vector<Piece>> of_band{size_t(bands)};
    for_bands(bands, [&](int band) {
        std::vector<int> above(size_t(size.width) + 2), below(size_t(size.width) + 2);
        auto number = [&](int y, std::vector<int>& to) {
            const float* row = surface.row(y) - 1;
            for (size_t x = 0; x < to.size(); x++)
                to[x] = is_missing(row[x]) ? 0 : number_below(row[x], interval);
        };
        int begin = band * rows_per_band, end = std::min(begin + rows_per_band, rows);
        number(begin - 1, below);
        for (int y = begin; y < end; y++) {
            above.swap(below);
            number(y, below);
            find_pieces(surface, edges, interval, y - 1, of_band[size_t(band)], above, below);
        }
    });
    std::vector<Piece> pieces;
    for (const std::vector<Piece>& part : of_band) pieces.insert(pieces.end(), part.begin(), part.end());
    std::ranges::stable_sort(pieces, {}, &Piece::number);

    std::vector<std::span<const Piece>> levels;
    for (size_t begin = 0; begin < pieces.size();) {
        size_t end = begin;
        while (end < pieces.size() && pieces[end].number == pieces[begin].number) end++;
        levels.push_back(std::span(pieces).subspan(begin, end - begin));
        begin = end;
    }
    std::vector<std::vector<ContourLine>> of_level(levels.size());
    for_bands(int(levels.size()),
              [&](int i) { join(surface, edges, levels[size_t(i)], interval, of_level[size_t(i)]); });
    std::vector<ContourLine> lines;
    for (std::vector<ContourLine>& some : of_level)
        for (ContourLine& line : some) lines.push_back(std::move(line));
    return lines;
}

double round_number_from(double least) {
    if (!(least > 0) || !std::isfinite(least)) return 1;
    double power = std::pow(10.0, std::floor(std::log10(least)));
    for (double digit : {1.0, 2.0, 5.0, 10.0, 20.0})
        if (digit * power >= least * (1 - 1e-9)) return digit * power;
    return 10 * power;
}

}  // namespace caprock
