// How much ground drains through each cell.
//
// Water must find its way out of hollows. The cells are taken from the outside in, always the lowest that touches one
// already taken (C. Ehlschlaeger, Using the A^T search algorithm to develop hydrologic models from digital elevation
// data, 1989; M. Metz, H. Mitasova and R. Harmon, 2011, call it least-cost drainage). What a cell was reached from is its
// way out. Out of a hollow that leads along its bottom to the lowest pass, without any filling or carving. Where a cell has
// lower neighbours that were taken before it, it drains to those instead: downhill. Water thus only goes to cells taken
// before, and nowhere in a circle.
#pragma once

#include "base/progress.h"
#include "field/field.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tbb/parallel_for.h>
#include <vector>

namespace caprock {

enum class FlowSharing {
    multiple,  // among all lower neighbours by the squares of their slopes: between T. G. Freeman's 1.1th powers
    // (1991), which make broad streams, and P. Holmgren's 4th to 6th (1994), which make narrow ones
    single,  // all to the steepest (J. F. O'Callaghan and D. M. Mark, 1984)
};

class Drainage {
  public:
    // Water leaves at the border and at cells beside missing ones. `cell` is the distance of neighbours in metres.
    // Counts two units of progress a cell.
    Drainage(const Field& height, double cell, FlowSharing sharing, Progress& progress)
        : rect_(height.rect()),
          rows_(height.rows()),
          cell_(cell),
          sharing_(sharing),
          progress_(progress),
          width_(uint64_t(rect_.width())),
          ways_(size_t(rect_.cells())),
          state_(size_t(rect_.cells())) {
        find_ways();
    }

    // Square metres, each cell's own among them; missing where the height is.
    Field areas() const {
        std::vector<double> area(state_.size(), cell_ * cell_);
        for (size_t i = order_.size(); i-- > 0;) {
            pass_on(order_[i], area);
            if (i % stretch == 0) progress_.advance(std::min(stretch, int64_t(order_.size() - i)));
        }
        Field result(rect_);
        const Field::WritableRows to = result.writable_rows();
        tbb::parallel_for(rect_.top, rect_.bottom, [&](int y) {
            for (int x = rect_.left; x < rect_.right; x++) {
                size_t i = index(x, y);
                to[y][x - rect_.left] = state_[i] == missing_cell ? missing : float(area[i]);
            }
        });
        return result;
    }

    // Whether water leaves the terrain here.
    bool leaves(int x, int y) const { return state_[index(x, y)] != missing_cell && ways_[index(x, y)] == 0; }

  private:
    enum State : uint8_t { untouched, waiting, taken, missing_cell };
    static constexpr int64_t stretch = 1 << 16;
    // Clockwise from north, so that the opposite of a way is four further.
    static constexpr int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    static constexpr int dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    static uint8_t bit(int way) { return uint8_t(1u << (way & 7)); }

    size_t index(int x, int y) const {
        return size_t(uint64_t(y - rect_.top) * width_ + uint64_t(x - rect_.left));
    }
    int x_of(uint32_t cell) const { return rect_.left + int(cell % width_); }
    int y_of(uint32_t cell) const { return rect_.top + int(cell / width_); }
    float height(int x, int y) const { return rows_[y][x - rect_.left]; }
    double slope(float from, float to, int way) const {
        return (double(from) - double(to)) / (way % 2 == 0 ? 1.0 : std::sqrt(2.0));
    }

    // Heights in their order as whole numbers, the cell behind them: each cell has its own place in the queue, and no
    // order depends on how it got there. A side has at most 2^16 cells, so their numbers have 32 bits.
    static uint64_t place(float height, uint64_t cell) {
        uint32_t bits = std::bit_cast<uint32_t>(height + 0.0f);
        uint32_t ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
        return uint64_t(ordered) << 32 | cell;
    }

    void find_ways() {
        tbb::parallel_for(rect_.top, rect_.bottom, [&](int y) {
            for (int x = rect_.left; x < rect_.right; x++)
                if (is_missing(height(x, y))) state_[index(x, y)] = missing_cell;
        });
        for (int y = rect_.top; y < rect_.bottom; y++)
            for (int x = rect_.left; x < rect_.right; x++)
                if (state_[index(x, y)] != missing_cell && beside_nothing(x, y)) wait(x, y, 0);
        while (!queue_.empty()) {
            std::ranges::pop_heap(queue_, std::greater());
            uint32_t cell = uint32_t(queue_.back());
            queue_.pop_back();
            take(cell);
            if (order_.size() % stretch == 0) progress_.advance(stretch);
        }
        progress_.advance(int64_t(order_.size()) % stretch);
    }

    bool beside_nothing(int x, int y) const {
        for (int way = 0; way < 8; way++) {
            int u = x + dx[way];
            int v = y + dy[way];
            if (!rect_.contains(u, v) || state_[index(u, v)] == missing_cell) return true;
        }
        return false;
    }

    void wait(int x, int y, uint8_t way_out) {
        size_t i = index(x, y);
        state_[i] = waiting;
        ways_[i] = way_out;
        queue_.push_back(place(height(x, y), i));
        std::ranges::push_heap(queue_, std::greater());
    }

    void take(uint32_t cell) {
        const int x = x_of(cell);
        const int y = y_of(cell);
        const float here = height(x, y);
        uint8_t lower = 0;
        uint8_t steepest = 0;
        double steepest_slope = 0;
        for (int way = 0; way < 8; way++) {
            int u = x + dx[way];
            int v = y + dy[way];
            if (!rect_.contains(u, v)) continue;
            size_t there = index(u, v);
            if (state_[there] == untouched) {
                wait(u, v, bit(way + 4));
            } else if (state_[there] == taken && height(u, v) < here) {
                lower |= bit(way);
                double falls = slope(here, height(u, v), way);
                if (falls > steepest_slope) {
                    steepest_slope = falls;
                    steepest = bit(way);
                }
            }
        }
        if (lower != 0) ways_[cell] = sharing_ == FlowSharing::single ? steepest : lower;
        state_[cell] = taken;
        order_.push_back(cell);
    }

    void pass_on(uint32_t cell, std::vector<double>& area) const {
        const unsigned ways = ways_[cell];
        if (ways == 0) return;
        const int x = x_of(cell);
        const int y = y_of(cell);
        auto neighbour = [&](int way) { return index(x + dx[way], y + dy[way]); };
        if (std::has_single_bit(ways)) {
            area[neighbour(std::countr_zero(ways))] += area[cell];
            return;
        }
        double shares[8] = {};
        double total = 0;
        for (int way = 0; way < 8; way++) {
            if ((ways & bit(way)) == 0) continue;
            double falls = slope(height(x, y), height(x + dx[way], y + dy[way]), way);
            // Infinite heights are as steep as can be.
            falls = std::min(falls, 1e40);
            shares[way] = falls * falls;
            total += shares[way];
        }
        for (int way = 0; way < 8; way++)
            if (shares[way] > 0) area[neighbour(way)] += area[cell] * (shares[way] / total);
    }

    Rect rect_;
    Field::Rows rows_;
    double cell_;
    FlowSharing sharing_;
    Progress& progress_;
    uint64_t width_;
    std::vector<uint8_t> ways_;  // a bit for each neighbour that water goes to; none where it leaves
    std::vector<uint8_t> state_;
    std::vector<uint64_t> queue_;
    std::vector<uint32_t> order_;
};

}  // namespace caprock
