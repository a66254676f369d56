// Dabs: what the places of a stroke become, in cells, with all that pressure, symmetry and chance have done to them.
#pragma once

#include "base/rect.h"
#include "painting/brush.h"

#include <cstdint>
#include <span>
#include <vector>

namespace caprock {

struct Dab {
    double x = 0;  // cells
    double y = 0;
    double radius = 1;  // cells
    double weight = 0;  // in the middle; over one pass they add up to 1
    double falloff = 1;
    double tip_x = 1;  // where the tip's right side points to
    double tip_y = 0;
    bool flipped = false;  // the tip is seen in a mirror
    double ahead_x = 1;    // the direction of the stroke
    double ahead_y = 0;
    double move_x = 0;  // metres from the dab before
    double move_y = 0;
    double pressure = 1;
    double tilt = 0;
    uint32_t number = 0;  // in the stroke

    Rect cells() const;  // that it may touch
};

// Makes dabs of places, one after the other.
class DabMaker {
  public:
    DabMaker(const BrushSettings& settings, const Grid& grid, uint32_t seed);

    // How far apart places should be, metres. Less than what was asked for where a dab has a hard rim: its edge would
    // show as a row of scales.
    double spacing(const PenSample& pen) const;
    void add(const PathPlace& place, std::vector<Dab>& dabs);

  private:
    double radius(const PenSample& pen) const;

    BrushSettings settings_;
    Grid grid_;
    uint32_t seed_;
    double pass_;   // the falloff's integral
    double close_;  // by which the spacing is less
    uint32_t places_ = 0;
    uint32_t dabs_ = 0;
    PenSample before_;
};

// Dabs as kernels take them (kernels/dab.h), relative to a cell. `rate` multiplies their weights.
std::vector<float> dab_table(std::span<const Dab> dabs, const BrushSettings& settings, int tip_side,
                             int origin_x, int origin_y, double rate);

}  // namespace caprock
