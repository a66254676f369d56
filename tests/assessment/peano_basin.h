// Peano's basin, a network of streams whose every number is known: a link that runs across a square is cut in two, and two links of
// half the length join it in the middle (I. Rodriguez-Iturbe and A. Rinaldo, Fractal River Basins, 1997, section 2.4). Each
// round has four times as many links, half as long.
#pragma once

#include "support/fields.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace caprock::test {

class PeanoBasin {
  public:
    // A link of the last round is so many cells long, and has a square of ground of that side.
    PeanoBasin(int rounds, int link_cells) : rounds_(rounds), side_((link_cells << rounds) + 1) {
        parents_.assign(size_t(side_) * size_t(side_), -1);
        add_link({side_ - 1, side_ - 1}, {0, 0}, rounds);
        lay_hillsides();
    }

    int side() const { return side_; }
    Rect rect() const { return {0, 0, side_, side_}; }

    // From the streams of the last order, of which there is one, back to those of the first.
    std::vector<int64_t> streams_of_orders() const {
        std::vector<int64_t> counts{1};
        for (int64_t links = 1; int(counts.size()) <= rounds_; links *= 4)
            counts.push_back(counts.back() + 2 * links);
        std::ranges::reverse(counts);
        return counts;
    }

    // Heights, in metres for cells of one: streams as steep as `slope` says of the cells that drain to a place, hillsides far
    // steeper.
    Field heights(const std::function<double(double)>& slope, double hillside) const {
        std::vector<double> area(parents_.size(), 1);
        for (size_t i = order_.size(); i-- > 1;) area[size_t(parents_[order_[i]])] += area[order_[i]];
        std::vector<double> height(parents_.size(), 0);
        for (size_t i = 1; i < order_.size(); i++) {
            const size_t here = order_[i], down = size_t(parents_[here]);
            const int x = int(here) % side_, y = int(here) / side_;
            const int across = std::abs(x - int(down) % side_) + std::abs(y - int(down) / side_);
            const double step = across == 2 ? std::sqrt(2.0) : 1;
            height[here] = height[down] + step * (here_is_stream_[here] ? slope(area[here]) : hillside);
        }
        return made_field(rect(), [&](int x, int y) { return float(height[index(x, y)]); });
    }

  private:
    using Place = std::pair<int, int>;

    size_t index(int x, int y) const { return size_t(y) * size_t(side_) + size_t(x); }

    // Water runs from the first to the second.
    void add_link(const Place& from, const Place& to, int rounds) {
        if (rounds == 0) {
            const int dx = to.first > from.first ? 1 : -1, dy = to.second > from.second ? 1 : -1;
            for (Place at = from; at != to;) {
                const Place next{at.first + dx, at.second + dy};
                parents_[index(at.first, at.second)] = int(index(next.first, next.second));
                at = next;
            }
            return;
        }
        const Place middle{(from.first + to.first) / 2, (from.second + to.second) / 2};
        const Place one{from.first, to.second}, other{to.first, from.second};
        add_link(from, middle, rounds - 1);
        add_link(middle, to, rounds - 1);
        add_link(one, middle, rounds - 1);
        add_link(other, middle, rounds - 1);
    }

    // Streams first, from the outlet up; then what lies beside them, ring by ring.
    void lay_hillsides() {
        std::vector<std::vector<size_t>> up(parents_.size());
        here_is_stream_.assign(parents_.size(), false);
        here_is_stream_[0] = true;
        for (size_t i = 0; i < parents_.size(); i++)
            if (parents_[i] >= 0) {
                up[size_t(parents_[i])].push_back(i);
                here_is_stream_[i] = true;
            }
        order_ = {0};
        for (size_t i = 0; i < order_.size(); i++)
            order_.insert(order_.end(), up[order_[i]].begin(), up[order_[i]].end());
        for (size_t i = 0; i < order_.size(); i++) {
            const int x = int(order_[i]) % side_, y = int(order_[i]) / side_;
            constexpr int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
            for (int way = 0; way < 4; way++) {
                const int u = x + dx[way], v = y + dy[way];
                if (u < 0 || v < 0 || u >= side_ || v >= side_ || here_is_stream_[index(u, v)] ||
                    parents_[index(u, v)] >= 0)
                    continue;
                parents_[index(u, v)] = int(order_[i]);
                order_.push_back(index(u, v));
            }
        }
    }

    int rounds_;
    int side_;
    std::vector<int> parents_;  // what a cell drains to
    std::vector<bool> here_is_stream_;
    std::vector<size_t> order_;  // each behind what it drains to
};

}  // namespace caprock::test
