// Places over the land, on which a drainage is drawn before there is any land: a lattice whose points are moved a little by
// chance, so that what follows it has no directions of its own. It depends on how far rivers lie apart and on how large the land
// is, in metres, and not on the size of cells: rivers are the same at any resolution.
#pragma once

#include "operations/rivers/particle_paths.h"
#include "terrain/grid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace caprock {

class RiverLattice {
  public:
    // Points of the lattice to the distance between rivers.
    static constexpr double points_to_spacing = 6;
    // More than so many points would take minutes.
    static constexpr double most_points = 1e6;

    RiverLattice(const WorldArea& land, double spacing, uint32_t seed);
    // How many points it would have.
    static double points_on(const WorldArea& land, double spacing);

    const WorldArea& land() const { return land_; }
    int columns() const { return columns_; }
    int rows() const { return rows_; }
    size_t size() const { return places_.size(); }
    // From one point to the next, about.
    double step() const { return step_; }
    const Place& place(size_t node) const { return places_[node]; }
    // The ground that is nearer to it than to others would be if nothing had been moved: all of them make up the land.
    double area(size_t node) const;
    bool on_border(size_t node) const {
        const int x = column_of(node), y = row_of(node);
        return x == 0 || y == 0 || x == columns_ - 1 || y == rows_ - 1;
    }
    int column_of(size_t node) const { return int(node % size_t(columns_)); }
    int row_of(size_t node) const { return int(node / size_t(columns_)); }
    size_t number(int column, int row) const { return size_t(row) * size_t(columns_) + size_t(column); }
    // The one that would be nearest if nothing had been moved.
    size_t nearest(double x, double y) const;
    // Around the border from the upper left corner, clockwise.
    std::vector<size_t> border() const;

    // Calls visit(neighbour, dx, dy) for up to eight.
    template <typename Visit>
    void each_neighbour(size_t node, const Visit& visit) const {
        constexpr int across[8] = {0, 1, 1, 1, 0, -1, -1, -1};
        constexpr int down[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
        const int x = column_of(node), y = row_of(node);
        for (int way = 0; way < 8; way++) {
            const int to_x = x + across[way], to_y = y + down[way];
            if (to_x < 0 || to_y < 0 || to_x >= columns_ || to_y >= rows_) continue;
            visit(number(to_x, to_y), across[way], down[way]);
        }
    }

  private:
    WorldArea land_;
    int columns_, rows_;
    double step_x_, step_y_, step_;
    std::vector<Place> places_;
};

}  // namespace caprock
