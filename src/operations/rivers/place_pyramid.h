// Things that lie at places and have a height, in squares that are put together four by four: what is near and low, or near and
// high, is found without looking at everything.
#pragma once

#include "operations/rivers/particle_paths.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace caprock {

class PlacePyramid {
  public:
    struct Bounds {
        double left = std::numeric_limits<double>::infinity();
        double top = std::numeric_limits<double>::infinity();
        double right = -std::numeric_limits<double>::infinity();
        double bottom = -std::numeric_limits<double>::infinity();
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();

        bool empty() const { return right < left; }
        void take(const Bounds& other) {
            left = std::min(left, other.left);
            top = std::min(top, other.top);
            right = std::max(right, other.right);
            bottom = std::max(bottom, other.bottom);
            low = std::min(low, other.low);
            high = std::max(high, other.high);
        }
        // From a place to the nearest that it may hold.
        double distance_to(const Place& place) const {
            const double dx = std::max({left - place.x, 0.0, place.x - right});
            const double dy = std::max({top - place.y, 0.0, place.y - bottom});
            return std::sqrt(dx * dx + dy * dy);
        }
    };

    // `of` gives the bounds of each of `count` things; squares are about so wide.
    template <typename Of>
    PlacePyramid(size_t count, double square, const Of& of) {
        Bounds all;
        for (size_t i = 0; i < count; i++) all.take(of(i));
        const double widest = std::max({all.right - all.left, all.bottom - all.top, square});
        int side = 1;
        while (side < 2048 && side * square < widest) side *= 2;
        const double width = widest / side;
        levels_.push_back({side, std::vector<Bounds>(size_t(side) * size_t(side))});
        squares_.resize(size_t(side) * size_t(side));
        square_of_.resize(count);
        for (size_t i = 0; i < count; i++) {
            const Bounds bounds = of(i);
            auto along = [&](double from) { return std::clamp(int(from / width), 0, side - 1); };
            const int x = along((bounds.left + bounds.right) / 2 - all.left);
            const int y = along((bounds.top + bounds.bottom) / 2 - all.top);
            const size_t at = size_t(y) * size_t(side) + size_t(x);
            squares_[at].push_back(i);
            square_of_[i] = at;
            levels_[0].bounds[at].take(bounds);
        }
        while (levels_.back().side > 1) {
            const int half = levels_.back().side / 2;
            levels_.push_back({half, std::vector<Bounds>(size_t(half) * size_t(half))});
            for (int y = 0; y < half; y++)
                for (int x = 0; x < half; x++) put_together(levels_.size() - 1, x, y);
        }
    }

    // Calls visit(thing) for all in squares that worth(distance, low, high) is true for, of four squares the nearest first.
    template <typename Worth, typename Visit>
    void search(const Place& from, const Worth& worth, const Visit& visit) const {
        search_in<true>(levels_.size() - 1, 0, 0, from, worth, visit);
    }
    // The same in whatever order is the quickest.
    template <typename Worth, typename Visit>
    void look_through(const Place& from, const Worth& worth, const Visit& visit) const {
        search_in<false>(levels_.size() - 1, 0, 0, from, worth, visit);
    }

    // Things of a square have another height than before: `high_of` gives it, -infinity for one that no longer counts.
    template <typename High>
    void lower(size_t thing, const High& high_of) {
        const size_t square = square_of_[thing];
        double high = -std::numeric_limits<double>::infinity();
        for (size_t other : squares_[square]) high = std::max(high, high_of(other));
        if (high == levels_[0].bounds[square].high) return;
        levels_[0].bounds[square].high = high;
        int x = int(square % size_t(levels_[0].side)), y = int(square / size_t(levels_[0].side));
        for (size_t level = 1; level < levels_.size(); level++) {
            x /= 2;
            y /= 2;
            Bounds& bounds = at(level, x, y);
            double of_four = -std::numeric_limits<double>::infinity();
            for (int i = 0; i < 4; i++)
                of_four = std::max(of_four, at(level - 1, 2 * x + i % 2, 2 * y + i / 2).high);
            if (of_four == bounds.high) return;
            bounds.high = of_four;
        }
    }

  private:
    struct Level {
        int side;
        std::vector<Bounds> bounds;
    };
    Bounds& at(size_t level, int x, int y) {
        return levels_[level].bounds[size_t(y) * size_t(levels_[level].side) + size_t(x)];
    }
    const Bounds& at(size_t level, int x, int y) const {
        return levels_[level].bounds[size_t(y) * size_t(levels_[level].side) + size_t(x)];
    }
    void put_together(size_t level, int x, int y) {
        for (int i = 0; i < 4; i++) at(level, x, y).take(at(level - 1, 2 * x + i % 2, 2 * y + i / 2));
    }

    template <bool nearest_first, typename Worth, typename Visit>
    void search_in(size_t level, int x, int y, const Place& from, const Worth& worth,
                   const Visit& visit) const {
        const Bounds& bounds = at(level, x, y);
        if (bounds.empty() || !worth(bounds.distance_to(from), bounds.low, bounds.high)) return;
        if (level == 0) {
            for (size_t thing : squares_[size_t(y) * size_t(levels_[0].side) + size_t(x)]) visit(thing);
            return;
        }
        if constexpr (!nearest_first) {
            for (int i = 0; i < 4; i++)
                search_in<false>(level - 1, 2 * x + i % 2, 2 * y + i / 2, from, worth, visit);
            return;
        }
        int order[4] = {0, 1, 2, 3};
        double away[4];
        for (int i = 0; i < 4; i++) {
            const Bounds& part = at(level - 1, 2 * x + i % 2, 2 * y + i / 2);
            away[i] = part.empty() ? std::numeric_limits<double>::infinity() : part.distance_to(from);
        }
        std::sort(order, order + 4,
                  [&](int a, int b) { return away[a] != away[b] ? away[a] < away[b] : a < b; });
        for (int i : order) search_in<true>(level - 1, 2 * x + i % 2, 2 * y + i / 2, from, worth, visit);
    }

    std::vector<Level> levels_;  // the finest first
    std::vector<std::vector<size_t>> squares_;
    std::vector<size_t> square_of_;
};

}  // namespace caprock
