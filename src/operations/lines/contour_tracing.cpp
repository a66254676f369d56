// Marching squares (Lorensen and Cline's cubes in the plane), with the segments of all squares joined by the edges they cross.
#include "operations/lines/contour_tracing.h"

#include "base/error.h"
#include "compute/in_parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <map>

namespace caprock {

namespace {

// Rows of squares that are looked through together.
constexpr int band_rows = 64;
// Segments of lines, 24 bytes each.
constexpr size_t most_segments = size_t(1) << 30;

// An edge between two neighbouring samples, by its number: 2 * sample for the one to the east, and one more for the one to
// the south. Samples are counted row by row.
using Edge = int64_t;

// From one edge of a square to another, the higher ground on its right.
struct Segment {
    Edge from;
    Edge to;
};
// By the number of their height.
using Segments = std::map<int64_t, std::vector<Segment>>;

class Samples {
  public:
    explicit Samples(const Field& field)
        : rect_(field.rect()), rows_(field.rows()), width_(field.rect().width()) {}

    const Rect& rect() const { return rect_; }
    double at(int x, int y) const { return double(rows_[y][x - rect_.left]); }
    Edge east_of(int x, int y) const { return 2 * number(x, y); }
    Edge south_of(int x, int y) const { return 2 * number(x, y) + 1; }

    // Where a height lies on an edge, in cells.
    WorldPoint crossing(Edge edge, double height) const {
        const int64_t sample = edge / 2;
        const int x = rect_.left + int(sample % width_);
        const int y = rect_.top + int(sample / width_);
        const bool south = edge % 2 != 0;
        const double a = at(x, y);
        const double b = south ? at(x, y + 1) : at(x + 1, y);
        const double share = (height - a) / (b - a);
        return south ? WorldPoint{double(x), y + share} : WorldPoint{x + share, double(y)};
    }

  private:
    int64_t number(int x, int y) const { return int64_t(y - rect_.top) * width_ + (x - rect_.left); }

    Rect rect_;
    Field::Rows rows_;
    int64_t width_;
};

struct Levels {
    double interval;
    double base;

    double height(int64_t number) const { return base + double(number) * interval; }
    // The first that lies above a height: of a sample at a height itself, the one after it.
    int64_t above(double value) const {
        auto number = int64_t(std::floor((value - base) / interval));
        while (height(number) > value) number--;
        while (height(number) <= value) number++;
        return number;
    }
};

// The segments of one square at one height. Corners go round from its first sample: east, south, west.
void add_segments(const Samples& samples, int x, int y, const double corners[4], double height,
                  std::vector<Segment>& segments) {
    const Edge top = samples.east_of(x, y), bottom = samples.east_of(x, y + 1);
    const Edge left = samples.south_of(x, y), right = samples.south_of(x + 1, y);
    int inside = 0;
    for (int i = 0; i < 4; i++) inside |= (corners[i] >= height) << i;
    auto add = [&](Edge from, Edge to) { segments.push_back({from, to}); };
    switch (inside) {
        case 1:  // the first corner alone
            return add(top, left);
        case 2:
            return add(right, top);
        case 4:
            return add(bottom, right);
        case 8:
            return add(left, bottom);
        case 3:
            return add(right, left);
        case 6:
            return add(bottom, top);
        case 12:
            return add(left, right);
        case 9:
            return add(top, bottom);
        case 14:
            return add(left, top);
        case 13:
            return add(top, right);
        case 11:
            return add(right, bottom);
        case 7:
            return add(bottom, left);
        default:
            break;
    }
    if (inside != 5 && inside != 10) return;
    const bool joined = (corners[0] + corners[1] + corners[2] + corners[3]) / 4 >= height;
    if (inside == 5) {
        joined ? add(top, right) : add(top, left);
        joined ? add(bottom, left) : add(bottom, right);
    } else {
        joined ? add(left, top) : add(right, top);
        joined ? add(right, bottom) : add(left, bottom);
    }
}

Segments segments_in(const Samples& samples, const Levels& levels, int first_row, int last_row) {
    Segments all;
    for (int y = first_row; y < last_row; y++)
        for (int x = samples.rect().left; x < samples.rect().right - 1; x++) {
            const double corners[4] = {samples.at(x, y), samples.at(x + 1, y), samples.at(x + 1, y + 1),
                                       samples.at(x, y + 1)};
            double low = corners[0], high = corners[0];
            bool known = true;
            for (double corner : corners) {
                known &= std::isfinite(corner);
                low = std::min(low, corner);
                high = std::max(high, corner);
            }
            if (!known || low == high) continue;
            for (int64_t level = levels.above(low); levels.height(level) <= high; level++)
                add_segments(samples, x, y, corners, levels.height(level), all[level]);
        }
    return all;
}

// Each edge begins one segment at most and ends one at most: what one square leaves by, the next one enters by.
class Joiner {
  public:
    Joiner(const Samples& samples, const Grid& grid, double height, std::vector<Segment> segments)
        : samples_(samples), grid_(grid), height_(height), segments_(std::move(segments)) {
        std::ranges::sort(segments_, {}, &Segment::from);
        used_.resize(segments_.size());
    }

    std::vector<Line> lines() {
        std::vector<Edge> ends;
        for (const Segment& segment : segments_) ends.push_back(segment.to);
        std::ranges::sort(ends);
        for (size_t i = 0; i < segments_.size(); i++)
            if (!std::ranges::binary_search(ends, segments_[i].from)) follow(i);
        for (size_t i = 0; i < segments_.size(); i++)
            if (!used_[i]) follow(i);
        return std::move(lines_);
    }

  private:
    void follow(size_t first) {
        Line line{{}, false, {{"height", height_}}};
        add(line, segments_[first].from);
        for (size_t i = first;;) {
            used_[i] = true;
            add(line, segments_[i].to);
            auto next = std::ranges::lower_bound(segments_, segments_[i].to, {}, &Segment::from);
            if (next == segments_.end() || next->from != segments_[i].to) break;
            i = size_t(next - segments_.begin());
            if (!used_[i]) continue;
            line.closed = true;
            break;
        }
        // A closed line does not have its first place twice.
        while (line.closed && line.points.size() > 1 && line.points.back() == line.points.front())
            line.points.pop_back();
        // A single sample of exactly that height is no line.
        if (line.points.size() > 1) lines_.push_back(std::move(line));
    }
    // A line that goes through a sample crosses edges there at one place.
    void add(Line& line, Edge edge) const {
        const WorldPoint cells = samples_.crossing(edge, height_);
        const LinePoint point(grid_.cells_to_metres(cells.x), grid_.cells_to_metres(cells.y), height_);
        if (line.points.empty() || !(line.points.back() == point)) line.points.push_back(point);
    }

    const Samples& samples_;
    const Grid& grid_;
    double height_;
    std::vector<Segment> segments_;
    std::vector<char> used_;
    std::vector<Line> lines_;
};

}  // namespace

std::vector<Line> contours_of(const Field& field, const Grid& grid, double interval, double base,
                              const std::function<void()>& check) {
    const Samples samples(field);
    const Levels levels{interval, base};
    const Rect& rect = field.rect();
    if (rect.width() < 2 || rect.height() < 2) return {};
    const int squares = rect.height() - 1;
    const size_t bands = size_t((squares + band_rows - 1) / band_rows);
    std::vector<Segments> by_band(bands);
    in_parallel(bands, [&](size_t band) {
        check();
        const int first = rect.top + int(band) * band_rows;
        by_band[band] = segments_in(samples, levels, first, std::min(first + band_rows, rect.top + squares));
    });
    size_t count = 0;
    Segments all;
    for (Segments& band : by_band)
        for (auto& [level, segments] : band) {
            count += segments.size();
            if (count > most_segments)
                throw Error(fmt::format(
                    "interval {}: that many contours do not fit in memory; take a larger one", interval));
            std::vector<Segment>& so_far = all[level];
            so_far.insert(so_far.end(), segments.begin(), segments.end());
            segments = {};
        }
    std::vector<std::pair<int64_t, std::vector<Segment>*>> wanted;
    for (auto& [level, segments] : all) wanted.emplace_back(level, &segments);
    std::vector<std::vector<Line>> by_level(wanted.size());
    in_parallel(wanted.size(), [&](size_t i) {
        check();
        by_level[i] =
            Joiner(samples, grid, levels.height(wanted[i].first), std::move(*wanted[i].second)).lines();
    });
    std::vector<Line> lines;
    for (std::vector<Line>& some : by_level)
        lines.insert(lines.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    return lines;
}

}  // namespace caprock
