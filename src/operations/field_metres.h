// Heights and lengths in metres, for fields that are no heights: the same shares of their range.
#pragma once

#include "terrain/terrain.h"

#include <string>

namespace caprock {

class FieldMetres {
  public:
    FieldMetres(const Grid& grid, const std::string& field) : lowest_height_(grid.range.low) {
        const Interval range = Terrain(grid).range_of(field);
        low_ = range.low;
        metre_ = range.span() / grid.range.span();
    }

    double length(double metres) const { return metres * metre_; }
    double height(double metres) const { return low_ + (metres - lowest_height_) * metre_; }

  private:
    double low_;
    double lowest_height_;
    double metre_;
};

}  // namespace caprock
