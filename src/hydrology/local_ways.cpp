#include "hydrology/local_ways.h"

#include "base/random.h"
#include "hydrology/rounds.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace caprock {

namespace {

constexpr uint8_t stuck = 11;     // no neighbour is lower
constexpr uint8_t frontier = 12;  // of level ground, about to be given a way
constexpr float of_diagonal = 0.70710678f;
constexpr uint32_t purpose_of_lots = 0x51;
constexpr uint32_t purpose_of_wobbles = 0x53;
constexpr float farthest = std::numeric_limits<float>::infinity();

// In the order of their numbers: the first of several that are as low is taken.
constexpr int straight[4] = {0, 6, 2, 4};
constexpr int diagonal[4] = {7, 1, 5, 3};

// A row and those beside it, as far as there are such.
struct NearRows {
    const float* above;
    const float* here;
    const float* below;
};

struct Lowest {
    float height = farthest;
    int way = stuck;

    void look(float neighbour, int towards) {
        // Not so for a missing neighbour.
        if (neighbour < height) {
            height = neighbour;
            way = towards;
        }
    }
};

// The steeper of the lowest straight and the lowest diagonal neighbour.
uint8_t steepest(float here, const Lowest& beside, const Lowest& aslant) {
    const bool falls_beside = beside.height < here;
    const bool falls_aslant = aslant.height < here;
    const bool goes_aslant =
        falls_aslant & (!falls_beside | ((here - aslant.height) * of_diagonal >= here - beside.height));
    return uint8_t(goes_aslant ? aslant.way : falls_beside ? beside.way : int(stuck));
}

class Maker {
  public:
    Maker(const Field& height, const FlowRules& rules, Progress& progress)
        : rect_(height.rect()),
          width_(rect_.width()),
          rows_(height.rows()),
          rules_(rules),
          seas_(rules.sea_levels ? rules.sea_levels->rows() : Field::Rows()),
          progress_(progress),
          nothing_(size_t(width_), missing) {
        made_.ways.resize(size_t(rect_.cells()));
        for (int way = 0; way < 8; way++)
            offsets_[way] = ptrdiff_t(FlowGraph::dy[way]) * width_ + FlowGraph::dx[way];
    }

    LocalWays made() {
        std::vector<std::vector<uint32_t>> stuck_of(bands_of(rect_));
        in_bands(rect_, [&](size_t band, int top, int bottom) {
            for (int y = top; y < bottom; y++) go_down(y);
            for (int y = top; y < bottom; y++) find_stuck(y, stuck_of[band]);
            progress_.advance(int64_t(bottom - top) * width_);
        });
        std::vector<uint32_t> level;
        for (const std::vector<uint32_t>& cells : stuck_of)
            for (uint32_t cell : cells)
                if (is_level(cell)) {
                    level.push_back(cell);
                } else {
                    made_.ways[cell] = LocalWays::pit;
                    made_.pits.push_back(cell);
                }
        drain_level_ground(level);
        std::ranges::sort(made_.pits);
        return std::move(made_);
    }

  private:
    NearRows near(int y) const {
        return {y > rect_.top ? rows_[y - 1] : nothing_.data(), rows_[y],
                y + 1 < rect_.bottom ? rows_[y + 1] : nothing_.data()};
    }
    float height(size_t cell) const {
        return rows_[rect_.top + int(cell / size_t(width_))][int(cell % size_t(width_))];
    }

    // ---- to lower neighbours ----

    void go_down(int y) {
        const NearRows near = this->near(y);
        uint8_t* ways = made_.ways.data() + size_t(y - rect_.top) * size_t(width_);
        if (rules_.scatter) {
            for (int x = 0; x < width_; x++) ways[x] = scattered(near, x, y);
        } else {
            // Both ends by themselves, so that what lies between has all neighbours and is done many at a time.
            ways[0] = steepest_at(near, 0);
            for (int x = 1; x < width_ - 1; x++) {
                Lowest beside, aslant;
                beside.look(near.above[x], 0);
                beside.look(near.here[x - 1], 6);
                beside.look(near.here[x + 1], 2);
                beside.look(near.below[x], 4);
                aslant.look(near.above[x - 1], 7);
                aslant.look(near.above[x + 1], 1);
                aslant.look(near.below[x - 1], 5);
                aslant.look(near.below[x + 1], 3);
                ways[x] = steepest(near.here[x], beside, aslant);
            }
            if (width_ > 1) ways[width_ - 1] = steepest_at(near, width_ - 1);
        }
        const float* seas = rules_.sea_levels ? seas_[y] : nullptr;
        for (int x = 0; x < width_; x++) {
            if (is_missing(near.here[x])) ways[x] = FlowGraph::nowhere;
            if (rules_.sea && near.here[x] <= *rules_.sea) ways[x] = FlowGraph::leaving;
            // Where the sea has no level there is none.
            if (seas && near.here[x] <= seas[x]) ways[x] = FlowGraph::leaving;
        }
    }

    float neighbour(const NearRows& near, int x, int way) const {
        const int there = x + FlowGraph::dx[way];
        if (there < 0 || there >= width_) return missing;
        const float* row = FlowGraph::dy[way] < 0   ? near.above
                           : FlowGraph::dy[way] > 0 ? near.below
                                                    : near.here;
        return row[there];
    }

    uint8_t steepest_at(const NearRows& near, int x) const {
        Lowest beside, aslant;
        for (int way : straight) beside.look(neighbour(near, x, way), way);
        for (int way : diagonal) aslant.look(neighbour(near, x, way), way);
        return steepest(near.here[x], beside, aslant);
    }

    // The steepest of the eight facets around the cell, and one of the two neighbours at its ends.
    uint8_t scattered(const NearRows& near, int x, int y) const {
        const float here = near.here[x];
        float steepest_square = 0;
        float share = 0;
        int first = -1, second = -1;
        for (int beside = 0; beside < 8; beside += 2) {
            const float there = neighbour(near, x, beside);
            if (is_missing(there)) continue;
            for (int turn : {7, 1}) {
                const int aslant = (beside + turn) & 7;
                const float corner = neighbour(near, x, aslant);
                const float along = here - there;
                const float across = is_missing(corner) ? 0.0f : there - corner;
                float square = along * along + across * across;
                float part = across / along;
                if (!(along > 0) || across > along) {
                    // It points to the corner, or beyond it.
                    const float falls = is_missing(corner) ? 0.0f : (here - corner) * of_diagonal;
                    square = falls > 0 ? falls * falls : 0.0f;
                    part = 1;
                } else if (!(across > 0)) {
                    square = along * along;
                    part = 0;
                }
                if (square > steepest_square) {
                    steepest_square = square;
                    share = part;
                    first = beside;
                    second = aslant;
                }
            }
        }
        // Where heights are infinite or no slope has a square, and beside missing cells.
        if (first < 0) return steepest_at(near, x);
        // The land is never as even as its cells say: the slope points a little to the left or the right of where it does, or even
        // rivers on even slopes would follow the axes.
        const uint32_t place = uint32_t(x + rect_.left) + uint32_t(y) * 0x10001u;
        const float wobble = float(unit(hashed(*rules_.scatter, place, purpose_of_wobbles))) - 0.5f;
        const float lot = float(unit(hashed(*rules_.scatter, place, purpose_of_lots)));
        share += wobble;
        const int turn = second - first;  // one to the right, or to the left
        int way = lot < share ? second : first;
        if (share < 0 && lot < -share) way = (first - turn) & 7;
        if (share > 1 && lot < share - 1) way = (second + turn) & 7;
        for (int likely : {way, first, second})
            if (neighbour(near, x, likely) < here) return uint8_t(likely);
        return steepest_at(near, x);
    }

    // ---- level ground ----

    void find_stuck(int y, std::vector<uint32_t>& found) {
        for (int x = 0; x < width_; x++) {
            const size_t cell = size_t(y - rect_.top) * size_t(width_) + size_t(x);
            if (made_.ways[cell] != stuck) continue;
            if (may_leave(rows_, rect_, rules_, x + rect_.left, y)) {
                made_.ways[cell] = FlowGraph::leaving;
            } else {
                found.push_back(uint32_t(cell));
            }
        }
    }

    template <typename Visit>
    void each_equal(size_t cell, const Visit& visit) const {
        const int x = rect_.left + int(cell % size_t(width_));
        const int y = rect_.top + int(cell / size_t(width_));
        const float here = height(cell);
        // Straight ways before diagonal ones, and each in the order of cells.
        for (const auto& ways : {straight, diagonal})
            for (int i = 0; i < 4; i++) {
                const int way = ways[i];
                if (!rect_.contains(x + FlowGraph::dx[way], y + FlowGraph::dy[way])) continue;
                const size_t there = size_t(ptrdiff_t(cell) + offsets_[way]);
                if (height(there) == here) visit(there, way);
            }
    }

    bool is_level(size_t cell) const {
        bool level = false;
        each_equal(cell, [&](size_t, int) { level = true; });
        return level;
    }

    bool has_a_way(size_t cell) const {
        return made_.ways[cell] <= FlowGraph::leaving || made_.ways[cell] == LocalWays::pit;
    }

    // From where level ground ends, cell by cell into it: all cells as far from an end at once.
    void drain_level_ground(const std::vector<uint32_t>& level) {
        std::vector<uint32_t> next;
        for (uint32_t cell : level) {
            bool ends = false;
            each_equal(cell, [&](size_t there, int) { ends |= has_a_way(there); });
            if (!ends) continue;
            made_.ways[cell] = frontier;
            next.push_back(cell);
        }
        spread(std::move(next));
        // What is left ends nowhere: one of its cells is the pit of all of it.
        for (uint32_t cell : level) {
            if (made_.ways[cell] != stuck) continue;
            made_.ways[cell] = LocalWays::pit;
            made_.pits.push_back(cell);
            next.clear();
            reach(cell, next);
            spread(std::move(next));
        }
    }

    void reach(size_t cell, std::vector<uint32_t>& next) {
        each_equal(cell, [&](size_t there, int) {
            if (made_.ways[there] != stuck) return;
            made_.ways[there] = frontier;
            next.push_back(uint32_t(there));
        });
    }

    void spread(std::vector<uint32_t> cells) {
        std::vector<uint8_t> chosen;
        std::vector<uint32_t> next;
        while (!cells.empty()) {
            progress_.check();
            chosen.clear();
            for (uint32_t cell : cells) {
                uint8_t way = stuck;
                each_equal(cell, [&](size_t there, int towards) {
                    if (way == stuck && has_a_way(there)) way = uint8_t(towards);
                });
                chosen.push_back(way);
            }
            for (size_t i = 0; i < cells.size(); i++) made_.ways[cells[i]] = chosen[i];
            next.clear();
            for (uint32_t cell : cells) reach(cell, next);
            std::swap(cells, next);
        }
    }

    Rect rect_;
    int width_;
    Field::Rows rows_;
    const FlowRules& rules_;
    Field::Rows seas_;
    Progress& progress_;
    std::vector<float> nothing_;  // a row beyond the border
    ptrdiff_t offsets_[8];
    LocalWays made_;
};

}  // namespace

bool may_leave(const Field::Rows& rows, const Rect& rect, const FlowRules& rules, int x, int y) {
    if (x == rect.left || y == rect.top || x + 1 == rect.right || y + 1 == rect.bottom) return true;
    if (!rules.leaves_at_missing) return false;
    for (int v = y - 1; v <= y + 1; v++)
        for (int u = x - 1; u <= x + 1; u++)
            if (is_missing(rows[v][u - rect.left])) return true;
    return false;
}

LocalWays local_ways(const Field& height, const FlowRules& rules, Progress& progress) {
    return Maker(height, rules, progress).made();
}

}  // namespace caprock
