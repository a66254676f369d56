// How land drains: of each cell the one neighbour that its water goes to, so that all of it leaves the land and none goes in a
// circle. Whatever threads there are, there is one answer, since everything is decided by an order of cells in which no two are
// equal: by height, and of the same height by their number, row by row.
//
//  1. A cell drains to its steepest lower neighbour. On level ground it drains to where that ends the soonest.
//  2. Cells that drain to one pit are a basin. Basins touch along passes, and the passes by which water leaves each basin at the
//     lowest level are a tree whose root is what lies outside of the land.
//  3. Out of a basin water goes along its bottom: the way from the pass down to the pit is turned around.
//
// So the lowest pass of every hollow is found without a queue over all cells (G. Cordonnier, B. Bovy and J. Braun, A versatile,
// linear complexity algorithm for flow routing in topographies with depressions, 2019). A hollow filled up to its pass, what drains
// through a cell, and the order in which water passes the cells all follow from that.
#pragma once

#include "base/progress.h"
#include "field/field.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace caprock {

struct FlowRules {
    // Beside missing cells water leaves the land, as it does at the border of the grid; otherwise they are walls.
    bool leaves_at_missing = true;
    // Cells no higher than this are the sea: water that comes there has left the land. One level, or one for each cell.
    std::optional<float> sea = {};
    const Field* sea_levels = nullptr;
    // Of two neighbours that the slope points between, one is taken by lot, as often as the slope points to it: a grid has eight
    // directions, and water that always took the nearest of them would run along those (the directions of D. G. Tarboton,
    // 1997, taken one at a time). The lot of a cell is a hash of this seed and of where the cell is. Without it the
    // steepest is taken.
    std::optional<uint32_t> scatter = {};
};

class FlowGraph {
  public:
    // Where water goes from a cell: 0 to 7 clockwise from north, odd ones diagonal.
    static constexpr int leaving = 8;  // out of the land
    static constexpr int nowhere = 9;  // a missing cell
    // In place of a count of the cells that drain to one: none do.
    static constexpr uint8_t source = 0x80;

    // A hollow, or rather the cells that drain to its deepest. The first basin is no hollow: its cells drain out of the land by
    // themselves.
    struct Basin {
        size_t pit = 0;   // its deepest cell
        size_t pass = 0;  // its cell from which water goes over into the next basin, or out of the land
        uint32_t into = 0;
        float level = 0;  // to which water rises before all of it has left
    };

    // Throws OutOfMemory where it would not fit; bytes_of() says how much it takes.
    FlowGraph(const Field& height, const FlowRules& rules, Progress& progress);
    static uint64_t bytes_of(const Rect& rect);
    // What the constructor and areas() advance progress by, a cell.
    static constexpr int units_to_make = 4;
    static constexpr int units_of_areas = 1;

    const Rect& rect() const { return rect_; }
    // Cells are numbered row by row from the first.
    size_t size() const { return ways_.size(); }
    size_t number(int x, int y) const {
        return size_t(y - rect_.top) * size_t(width_) + size_t(x - rect_.left);
    }
    int x_of(size_t cell) const { return rect_.left + int(cell % size_t(width_)); }
    int y_of(size_t cell) const { return rect_.top + int(cell / size_t(width_)); }
    float height(size_t cell) const { return rows_[y_of(cell)][x_of(cell) - rect_.left]; }

    int way(size_t cell) const { return ways_[cell]; }
    bool is_missing(size_t cell) const { return ways_[cell] == nowhere; }
    bool leaves(size_t cell) const { return ways_[cell] == leaving; }
    // Itself where water leaves the land. Not to be asked of missing cells.
    size_t receiver(size_t cell) const { return size_t(ptrdiff_t(cell) + offsets_[ways_[cell]]); }
    std::span<const uint8_t> ways() const { return ways_; }
    // Of the neighbours of a cell, those within the grid: what `visit(neighbour, way)` is called with.
    template <typename Visit>
    void each_neighbour(size_t cell, const Visit& visit) const {
        const int x = x_of(cell);
        const int y = y_of(cell);
        for (int way = 0; way < 8; way++)
            if (rect_.contains(x + dx[way], y + dy[way])) visit(size_t(ptrdiff_t(cell) + offsets_[way]), way);
    }

    const std::vector<Basin>& basins() const { return basins_; }
    uint32_t basin(size_t cell) const { return labels_[cell]; }
    // To which water stands on a cell when all hollows are full: its height where none is.
    float level(size_t cell) const;
    // Heights with every hollow filled up to its pass.
    Field filled() const;

    // How many cells drain through each, itself among them; 0 of missing cells.
    std::vector<uint32_t> areas(Progress& progress) const;
    // What each cell has becomes what comes down to it from all cells above it, with its own.
    void accumulate(std::vector<uint32_t>& amounts, Progress& progress) const;
    void accumulate(std::vector<uint64_t>& amounts, Progress& progress) const;
    // The known cells, each behind all that drain to it.
    std::vector<uint32_t> upstream_first() const;

    // Columns to the east and rows to the south that a way goes.
    static constexpr int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    static constexpr int dy[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    static constexpr int opposite(int way) { return (way + 4) & 7; }
    static constexpr bool is_diagonal(int way) { return way % 2 != 0; }

  private:
    void join_basins(const Field& height, const FlowRules& rules, Progress& progress);
    // Whether nothing drains to a cell, or how much does.
    std::vector<uint8_t> donors() const;
    template <typename Amount>
    void sum_up(std::vector<Amount>& amounts, Progress& progress) const;

    Rect rect_;
    int width_;
    Field held_;  // so that its cells stay
    Field::Rows rows_;
    ptrdiff_t offsets_[9];
    std::vector<uint8_t> ways_;
    std::vector<uint32_t> labels_;
    std::vector<Basin> basins_;
};

}  // namespace caprock
